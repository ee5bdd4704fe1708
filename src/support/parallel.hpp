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

// Calls work(item, 0) .. work(item, pieces - 1) in this order for each of `count` items, several
// items at a time: an item of which the fewest pieces are done is always next, so that in the end
// nobody waits for more than about a piece. Failures as above.
void parallel_in_pieces(std::size_t count, std::size_t pieces, std::size_t threads,
                        const std::function<void(std::size_t item, std::size_t piece)>& work);

}  // namespace lacuna
