// How often chains visit each active set, in batches, and the verdict against a known law.
#pragma once

#include <cstdint>

#include "statistical/experiment.hpp"
#include "statistical/inference.hpp"
#include "statistical/quadrature.hpp"

namespace lacuna::statistical {

struct SetRun {
  Problem problem;
  double lambda = 0.0;
  PaperKernel kernel;
  std::uint64_t steps = 0;  // over all chains, after burn-in
};

inline constexpr std::uint32_t set_chains = 8;
inline constexpr std::uint64_t set_batches = 40;    // per chain
inline constexpr std::uint64_t set_burn_in = 5000;  // steps per chain

// Chains of the sparse kernel, each started at a prior draw.
Batches set_frequencies(const SetRun& run, std::uint64_t seed);

// Alarm if the total variation passes what Monte Carlo and quadrature errors explain (probability
// about 2e-4, see Batches::variation_threshold), and in any case if it passes 0.03 (0.01 with the
// full budget): a kernel that hardly moves must not excuse itself by its large errors.
Result judge_sets(const Batches& frequencies, const SetLaw& law, std::uint64_t seed, Budget budget);

}  // namespace lacuna::statistical
