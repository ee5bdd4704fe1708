// Counter-based random numbers (Philox 4x64-10) and the distributions the sampler needs.
//
// A stream is named by (seed, chain, rung, iteration, purpose) and by nothing else, so that neither
// the number of threads nor a stop and restart can change a draw. Distributions are our own: those
// of the standard library differ between implementations.
#pragma once

#include <array>
#include <cstdint>

namespace lacuna {

enum class Purpose : std::uint32_t {
  step = 0,
  start = 1,
  exchange = 2,
  simulation = 3,
  prediction = 4,
  test = 5,
  search = 6,
  row_order = 7,
  report = 8,
  evidence = 9
};

struct StreamKey {
  std::uint64_t seed = 1;
  std::uint32_t chain = 0;
  std::uint32_t rung = 0;
  std::uint64_t iteration = 0;
  Purpose purpose = Purpose::step;
};

class RandomStream {
 public:
  explicit RandomStream(const StreamKey& key);

  std::uint64_t bits();                      // 64 uniform bits
  double uniform();                          // on the open interval (0, 1)
  double uniform(double low, double high);   // on (low, high)
  double normal();                           // standard normal
  std::uint64_t below(std::uint64_t bound);  // uniform on 0 .. bound - 1 without bias; bound > 0

 private:
  void refill();
  double beyond(double least);

  std::array<std::uint64_t, 4> counter_{};
  std::array<std::uint64_t, 2> key_{};
  std::array<std::uint64_t, 4> block_{};
  unsigned used_ = 4;
};

}  // namespace lacuna
