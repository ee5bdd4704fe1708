// How often chains visit each active set, in batches, and the verdict against a known law.
#pragma once

#include "statistical/chain_means.hpp"
#include "statistical/experiment.hpp"
#include "statistical/quadrature.hpp"

namespace lacuna::statistical {

template <Kernel K>
Batches set_frequencies(const ChainRun<K>& run, std::uint64_t seed) {
  const std::size_t sets = std::size_t{1} << run.problem.architecture().parameter_count();
  return chain_means(run, sets, seed, [](Chain<K>& chain, double* frequency) {
    frequency[set_of(chain.current().theta)] += 1.0;
  });
}

// Alarm if the total variation passes what Monte Carlo and quadrature errors explain (probability
// about 2e-4, see Batches::variation_threshold), and in any case if it passes 0.03 (0.01 with the
// full budget): a kernel that hardly moves must not excuse itself by its large errors.
Result judge_sets(const Batches& frequencies, const SetLaw& law, std::uint64_t seed, Budget budget);

}  // namespace lacuna::statistical
