// Straight lines through measurements, with the uncertainty of their slope.
#include "studies/slope.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace lacuna::studies {
namespace {

// The 97.5% point of Student's t: a table as far as it matters, then the first two terms of its
// expansion around the normal point.
double student_point(std::size_t degrees) {
  static constexpr std::array few = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                     2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
  if (degrees == 0) return 0.0;
  if (degrees <= few.size()) return few[degrees - 1];
  constexpr double z = 1.959964;
  const auto v = static_cast<double>(degrees);
  return z + (z * z * z + z) / (4.0 * v) +
         (5.0 * std::pow(z, 5) + 16.0 * z * z * z + 3.0 * z) / (96.0 * v * v);
}

}  // namespace

Slope fitted_slope(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0.0, mean_y = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  Slope line;
  line.slope = xy / xx;
  line.intercept = mean_y - line.slope * mean_x;
  double squares = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double left = y[i] - line.intercept - line.slope * x[i];
    squares += left * left;
  }
  const double reach = student_point(x.size() - 2) * std::sqrt(squares / (n - 2.0) / xx);
  line.lower = line.slope - reach;
  line.upper = line.slope + reach;
  return line;
}

Centre arithmetic_mean(std::span<const double> values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {nan, nan, nan};
  const auto n = static_cast<double>(values.size());
  double mean = 0.0, squares = 0.0;
  for (const double value : values) mean += value / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  if (values.size() < 2) return {mean, mean, mean};
  const double reach = student_point(values.size() - 1) * std::sqrt(squares / (n - 1.0) / n);
  return {mean, mean - reach, mean + reach};
}

Centre geometric_mean(std::span<const double> values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  const Centre centre = arithmetic_mean(logs);
  return {std::exp(centre.value), std::exp(centre.lower), std::exp(centre.upper)};
}

}  // namespace lacuna::studies
