// Quantiles of posterior draws.
#pragma once

#include <span>

namespace lacuna {

// Quantile q of sorted values, linear between order statistics (Hyndman and Fan's type 7).
double sorted_quantile(std::span<const double> sorted, double q);

}  // namespace lacuna
