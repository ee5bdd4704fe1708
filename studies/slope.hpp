// Straight lines through measurements, with the uncertainty of their slope.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace lacuna::studies {

struct Slope {
  double slope = 0.0, intercept = 0.0;
  double lower = 0.0, upper = 0.0;  // 95% interval of the slope, from the scatter around the line
};

// By least squares; the interval is Student's. Needs three points with two different x.
Slope fitted_slope(std::span<const double> x, std::span<const double> y);

struct Centre {
  double value = 0.0, lower = 0.0, upper = 0.0;
};
// Geometric mean of positive values and its 95% interval; of one, the value alone; of none, NaN.
Centre geometric_mean(std::span<const double> values);
// The same of any values.
Centre arithmetic_mean(std::span<const double> values);

}  // namespace lacuna::studies
