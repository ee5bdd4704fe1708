// Rank normalisation: replaces draws by the normal quantiles of their ranks.
#pragma once

#include <span>
#include <vector>

namespace lacuna::diagnostics {

// The z with P(N(0,1) <= z) = p, for 0 < p < 1, to about 1e-15 of max(1, |z|).
double normal_quantile(double p);

// z_i = normal_quantile((r_i - 3/8) / (n + 1/4)) with r_i the rank of value i from 1, ties sharing
// their average rank (Blom 1958). Values must not be NaN.
std::vector<double> normal_scores(std::span<const double> values);

}  // namespace lacuna::diagnostics
