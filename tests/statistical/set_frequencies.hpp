// How often chains visit each active set, in batches, and the verdict against a known law.
#pragma once

#include <cstdint>

#include "statistical/experiment.hpp"
#include "statistical/inference.hpp"
#include "statistical/quadrature.hpp"

namespace lacuna::statistical {

template <Kernel K>
struct SetRun {
  Problem problem;
  double lambda = 0.0;
  K kernel;
  std::uint64_t steps = 0;  // over all chains, after burn-in
};

inline constexpr std::uint32_t set_chains = 8;
inline constexpr std::uint64_t set_batches = 40;    // per chain
inline constexpr std::uint64_t set_burn_in = 5000;  // steps per chain

// Chains of a kernel on the sparse prior, each started at a prior draw.
template <Kernel K>
Batches set_frequencies(const SetRun<K>& run, std::uint64_t seed) {
  const Prior prior = run.problem.prior(PriorKind::sparse);
  const std::size_t sets = std::size_t{1} << prior.parameter_count();
  const std::uint64_t length = run.steps / (set_chains * set_batches);
  Batches batches(sets);
  for (std::uint32_t c = 0; c < set_chains; ++c) {
    Chain<K> chain(run.problem, prior, run.kernel, run.lambda, {seed, c, 0});
    chain.steps(set_burn_in);
    for (std::uint64_t b = 0; b < set_batches; ++b) {
      std::vector<double> frequency(sets, 0.0);
      for (std::uint64_t i = 0; i < length; ++i) {
        chain.step();
        frequency[set_of(chain.current().theta)] += 1.0;
      }
      for (double& f : frequency) f /= static_cast<double>(length);
      batches.add(std::move(frequency));
    }
  }
  return batches;
}

// Alarm if the total variation passes what Monte Carlo and quadrature errors explain (probability
// about 2e-4, see Batches::variation_threshold), and in any case if it passes 0.03 (0.01 with the
// full budget): a kernel that hardly moves must not excuse itself by its large errors.
Result judge_sets(const Batches& frequencies, const SetLaw& law, std::uint64_t seed, Budget budget);

}  // namespace lacuna::statistical
