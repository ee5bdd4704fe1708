#include "support/random.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace lacuna {

RandomStream::RandomStream(const StreamKey& key)
    : counter_{0, key.iteration, static_cast<std::uint64_t>(key.purpose), 0},
      key_{key.seed, (static_cast<std::uint64_t>(key.rung) << 32) | key.chain} {}

void RandomStream::refill() {
  const r123::Philox4x64::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
  const r123::Philox4x64::key_type key = {{key_[0], key_[1]}};
  const auto output = r123::Philox4x64{}(counter, key);
  block_ = {output[0], output[1], output[2], output[3]};
  ++counter_[0];
  used_ = 0;
}

std::uint64_t RandomStream::bits() {
  if (used_ == block_.size()) refill();
  return block_[used_++];
}

double RandomStream::uniform() {
  // The centres of 2^52 equal cells: neither 0 nor 1 can come out, so logarithms are safe.
  return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52;
}

double RandomStream::uniform(double low, double high) { return low + (high - low) * uniform(); }

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  // Draws from the incomplete last cycle are thrown away, so every value is equally likely.
  const std::uint64_t limit = UINT64_MAX - (UINT64_MAX % bound + 1) % bound;
  std::uint64_t value = bits();
  while (value > limit) value = bits();
  return value % bound;
}

}  // namespace lacuna
