#include "estimation/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace lacuna {
namespace {

constexpr std::size_t most_centres = 512;

}  // namespace

double sorted_quantile(std::span<const double> sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double share = at - static_cast<double>(below);
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

NoisyMixture::NoisyMixture(std::span<const double> sorted, double noise_sd) : noise_sd_(noise_sd) {
  if (sorted.size() <= most_centres) {
    centres_.assign(sorted.begin(), sorted.end());
    return;
  }
  for (std::size_t k = 0; k < most_centres; ++k) {
    centres_.push_back(sorted_quantile(sorted, (static_cast<double>(k) + 0.5) / most_centres));
  }
}

double NoisyMixture::distribution(double y) const {
  double sum = 0.0;
  for (const double f : centres_)
    sum += 0.5 * std::erfc((f - y) / (noise_sd_ * std::numbers::sqrt2));
  return sum / static_cast<double>(centres_.size());
}

double NoisyMixture::quantile(double q) const {
  // Forty standard deviations around the centres bracket every quantile a double can ask for; then
  // bisect.
  double low = centres_.front() - 40.0 * noise_sd_, high = centres_.back() + 40.0 * noise_sd_;
  if (std::isinf(high - low)) {
    return std::copysign(std::numeric_limits<double>::infinity(), q - 0.5);
  }
  const double tolerance = 1e-10 * (high - low);
  while (high - low > tolerance) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;  // the noise is below the spacing of doubles
    (distribution(middle) < q ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace lacuna
