#include "support/random.hpp"

#include <Random123/philox.h>

#include <bit>
#include <cmath>

namespace lacuna {
namespace {

// The half below exp(-z^2 / 2) in layers of equal area: layer i > 0 has the heights from density[i]
// to density[i + 1] and reaches to edge[i]; the lowest has the tail too, and edge[0] is the width
// that a rectangle of its area would have.
struct Ziggurat {
  static constexpr std::size_t count = 256;
  static constexpr double tail = 3.6541528853610088;      // where it begins for 256 layers
  static constexpr double area = 0.00492867323397465524;  // of each
  double edge[count + 1], density[count + 1];

  Ziggurat() {
    edge[1] = tail;
    density[1] = std::exp(-0.5 * tail * tail);
    edge[0] = area / density[1];
    density[0] = 0.0;
    for (std::size_t i = 2; i < count; ++i) {
      density[i] = density[i - 1] + area / edge[i - 1];
      edge[i] = std::sqrt(-2.0 * std::log(density[i]));
    }
    edge[count] = 0.0;
    density[count] = 1.0;
  }
};

}  // namespace

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
  // Layers under the density: a point of a random layer is under the curve with probability .99
  // without looking at the curve (Marsaglia and Tsang 2000; the layers as in Doornik 2005). Box and
  // Muller's transform takes two and a half times as long, which is felt in Langevin steps of many
  // weights.
  static const Ziggurat layers;
  while (true) {
    const std::uint64_t word = bits();
    const auto layer = static_cast<std::size_t>(word & (Ziggurat::count - 1));
    const double z = static_cast<double>(word >> 11) * 0x1p-53 * layers.edge[layer];
    // Without a branch, which would be mispredicted half of the time.
    const auto with_sign = [&](double size) {
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) |
                                   ((word & Ziggurat::count) << 55));
    };
    if (z < layers.edge[layer + 1]) return with_sign(z);
    if (layer == 0) return with_sign(beyond(Ziggurat::tail));
    const double low = layers.density[layer], high = layers.density[layer + 1];
    if (low + (high - low) * uniform() < std::exp(-0.5 * z * z)) return with_sign(z);
  }
}

// Given that it is larger than `least` (Marsaglia 1964).
double RandomStream::beyond(double least) {
  while (true) {
    const double more = -std::log(uniform()) / least, height = -std::log(uniform());
    if (2.0 * height > more * more) return least + more;
  }
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  // Draws from the incomplete last cycle are thrown away, so every value is equally likely.
  const std::uint64_t limit = UINT64_MAX - (UINT64_MAX % bound + 1) % bound;
  std::uint64_t value = bits();
  while (value > limit) value = bits();
  return value % bound;
}

}  // namespace lacuna
