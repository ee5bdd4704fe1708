// Mean, sample variance and quantiles of plain values.
#pragma once

#include <span>
#include <vector>

namespace lacuna::diagnostics {

// Exact for constant values, whatever their number.
double mean_of(std::span<const double> values);

// Divisor n - 1; NaN for fewer than two values.
double variance_of(std::span<const double> values);

// Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan). Like
// median_of it reorders `values`, which must be finite and not empty.
double quantile_of(std::vector<double>& values, double probability);

// Half the sum of the two middle values, so that both are equally far from it.
double median_of(std::vector<double>& values);

}  // namespace lacuna::diagnostics
