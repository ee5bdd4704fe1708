// Mean, sample variance and quantiles of plain values.
#include "diagnostics/moments.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace lacuna::diagnostics {

double mean_of(std::span<const double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double origin = values.front();
  double sum = 0.0;
  for (const double value : values) sum += value - origin;
  return origin + sum / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

double quantile_of(std::vector<double>& values, double probability) {
  assert(!values.empty() && probability >= 0.0 && probability <= 1.0);
  const double n = static_cast<double>(values.size());
  // Position counted from 1, in the rounding of scipy's mquantiles: a quantile that falls on a draw
  // must fall on the same side of it as there, or a tail indicator changes for that draw.
  const double position = std::clamp(n * probability + (1.0 - probability), 1.0, n);
  const double below = std::floor(position);
  const auto nth = values.begin() + (static_cast<std::ptrdiff_t>(below) - 1);
  std::nth_element(values.begin(), nth, values.end());
  if (nth + 1 == values.end()) return *nth;
  const double next = *std::min_element(nth + 1, values.end());
  return *nth + (position - below) * (next - *nth);
}

double median_of(std::vector<double>& values) {
  assert(!values.empty());
  const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), upper, values.end());
  if (values.size() % 2 == 1) return *upper;
  return 0.5 * (*std::max_element(values.begin(), upper) + *upper);
}

}  // namespace lacuna::diagnostics
