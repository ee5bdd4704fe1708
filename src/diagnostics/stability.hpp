// Whether one chain stays where it is, and how far chains lie from each other.
#pragma once

#include <span>
#include <vector>

#include "diagnostics/convergence.hpp"

namespace lacuna {

// Mean of the second half of a chain less mean of its first half, the middle draw of an odd number
// left out. NaN for fewer than four draws.
double shift_between_halves(std::span<const double> chain);

// How far the means of chains lie apart, against what chance explains: the root of (variance of the
// chains' means) / (mean of their squared Monte Carlo standard errors, each from its chain alone).
// About 1 for chains of the same law; NaN for one chain or chains of fewer than four draws;
// infinite for chains that stand still at different values, 0 at the same.
struct Separation {
  double ratio = 0.0;
  double ess_within = 0.0;  // effective draws of every chain alone, added up
};
Separation separation_of(const ChainDraws& chains);

// The draws of several chains, each with its own length, taken apart into what happens within
// chains and what lies between them:
//   total variance = mean over chains of (variance within) + variance of the chains' means,
// all with the number of values as divisor, so that the shares add up to one.
struct VarianceSplit {
  std::vector<double> mean, sd;  // of each chain
  double total_sd = 0.0;
  double within_sd = 0.0;      // root of the mean variance within chains
  double range = 0.0;          // of the means
  double between_share = 0.0;  // of the total variance; 0 where all draws are equal
};

// Chains without draws are left out of everything but `mean` and `sd`, where they are NaN.
VarianceSplit split_variance(const ChainDraws& chains);

}  // namespace lacuna
