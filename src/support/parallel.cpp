#include "support/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lacuna {

std::size_t thread_count(std::size_t wanted) {
  return wanted > 0 ? wanted : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

namespace {

// Calls `run` on up to `threads` threads, of which the caller's is one.
void on_threads(std::size_t threads, const std::function<void()>& run) {
  std::vector<std::jthread> helpers;
  for (std::size_t t = 1; t < threads; ++t) helpers.emplace_back(run);
  run();
}

void rethrow_first(const std::vector<std::exception_ptr>& failures) {
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace

void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next = 0;
  on_threads(std::min(threads, count), [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  });
  rethrow_first(failures);
}

void parallel_in_pieces(std::size_t count, std::size_t pieces, std::size_t threads,
                        const std::function<void(std::size_t item, std::size_t piece)>& work) {
  struct Item {
    std::size_t done = 0;
    bool taken = false;
  };
  std::vector<Item> items(count);
  std::vector<std::exception_ptr> failures(count);
  std::mutex mutex;
  // Where all that are left are taken, their threads will go on with them.
  const auto next = [&]() -> Item* {
    Item* least = nullptr;
    for (Item& item : items) {
      if (!item.taken && item.done < pieces && (least == nullptr || item.done < least->done))
        least = &item;
    }
    return least;
  };
  on_threads(std::min(threads, count), [&] {
    std::unique_lock lock(mutex);
    for (Item* item = next(); item != nullptr; item = next()) {
      const auto i = static_cast<std::size_t>(item - items.data());
      item->taken = true;
      lock.unlock();
      try {
        work(i, item->done);
      } catch (...) {
        failures[i] = std::current_exception();
      }
      lock.lock();
      item->done = failures[i] ? pieces : item->done + 1;
      item->taken = false;
    }
  });
  rethrow_first(failures);
}

}  // namespace lacuna
