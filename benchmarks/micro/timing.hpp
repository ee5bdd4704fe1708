// How benchmarks take time.
#pragma once

#include <chrono>
#include <cstdint>

namespace lacuna::bench {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Work>
double seconds_of(const Work& work) {
  const double began = now();
  work();
  return now() - began;
}

// Calls of `work` per second, over at least this long, the first call not counted.
template <class Work>
double rate_of(const Work& work, double at_least) {
  work();
  std::uint64_t calls = 0;
  const double began = now();
  double seconds = 0.0;
  for (std::uint64_t batch = 1; seconds < at_least; batch *= 2) {
    for (std::uint64_t k = 0; k < batch; ++k) work();
    calls += batch;
    seconds = now() - began;
  }
  return static_cast<double>(calls) / seconds;
}

}  // namespace lacuna::bench
