// Work on several threads whose result does not depend on how many there are.
#pragma once

#include <cstddef>
#include <functional>

namespace lacuna {

std::size_t thread_count(std::size_t wanted);  // 0 means one per core

// Calls work(0) .. work(count - 1), each once, on up to `threads` threads; rethrows the exception
// of the lowest index.
void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& work);

}  // namespace lacuna
