// Threads that stay and wait for small pieces of work: handing one out and collecting it takes a
// few microseconds, where starting threads would take longer than the work.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace lacuna {

class Team {
 public:
  explicit Team(std::size_t threads);  // the caller's own included
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const { return helpers_.size() + 1; }

  // Calls work(0) .. work(size() - 1), each on a thread of its own and the first on the caller's,
  // and returns when all have ended. `work` may not throw. One call at a time.
  template <class Work>
  void run(const Work& work) {
    order([](const void* context,
             std::size_t member) { (*static_cast<const Work*>(context))(member); },
          &work);
  }

 private:
  using Call = void (*)(const void* context, std::size_t member);
  void order(Call call, const void* context);
  void help(std::size_t member);

  Call call_ = nullptr;
  const void* context_ = nullptr;
  std::atomic<std::uint64_t> orders_ = 0;  // given so far
  std::atomic<std::size_t> busy_ = 0;      // helpers that have not ended the last one
  std::vector<std::jthread> helpers_;
};

}  // namespace lacuna
