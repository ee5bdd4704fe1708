// Rank normalisation: replaces draws by the normal quantiles of their ranks.
#include "diagnostics/normal_scores.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace lacuna::diagnostics {

double normal_quantile(double p) {
  assert(p > 0.0 && p < 1.0);
  if (p == 0.5) return 0.0;
  const double tail = std::min(p, 1.0 - p);
  // Abramowitz and Stegun 26.2.23, absolute error below 4.5e-4 ...
  const double t = std::sqrt(-2.0 * std::log(tail));
  double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  // ... and two steps of Halley's method, each of which cubes the error.
  for (int step = 0; step < 2; ++step) {
    const double excess = 0.5 * std::erfc(z / std::numbers::sqrt2) - tail;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
    const double newton = excess / density;
    z += newton / (1.0 - 0.5 * z * newton);
  }
  return p < 0.5 ? -z : z;
}

std::vector<double> normal_scores(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<std::pair<double, std::size_t>> sorted(n);
  for (std::size_t i = 0; i < n; ++i) sorted[i] = {values[i], i};
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });

  std::vector<double> scores(n);
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && sorted[end].first == sorted[begin].first) ++end;
    const double rank = 0.5 * static_cast<double>(begin + 1 + end);
    const double score = normal_quantile((rank - 0.375) / (static_cast<double>(n) + 0.25));
    for (std::size_t i = begin; i < end; ++i) scores[sorted[i].second] = score;
    begin = end;
  }
  return scores;
}

}  // namespace lacuna::diagnostics
