// Means of functionals along chains of a kernel, in batches.
#pragma once

#include <cstdint>

#include "statistical/inference.hpp"
#include "statistical/problem.hpp"

namespace lacuna::statistical {

inline constexpr std::uint32_t run_chains = 8;
inline constexpr std::uint64_t run_batches = 40;    // per chain
inline constexpr std::uint64_t run_burn_in = 5000;  // steps per chain

template <Kernel K>
struct ChainRun {
  Problem problem;
  double lambda = 0.0;
  K kernel;
  std::uint64_t steps = 0;  // over all chains, after burn-in
  PriorKind prior = PriorKind::sparse;
  std::uint64_t batches_per_chain = run_batches;
  std::uint32_t rung = 0;  // keeps the random streams of two runs apart
};

// Chains that each start at a prior draw. add(chain, sums) adds the values of the functionals at
// the chain's current point to `dimension` sums; it is called after every step.
template <Kernel K, class Add>
Batches chain_means(const ChainRun<K>& run, std::size_t dimension, std::uint64_t seed, Add&& add) {
  const Prior prior = run.problem.prior(run.prior);
  const std::uint64_t length = run.steps / (run_chains * run.batches_per_chain);
  Batches batches(dimension);
  for (std::uint32_t c = 0; c < run_chains; ++c) {
    Chain<K> chain(run.problem, prior, run.kernel, run.lambda, {seed, c, run.rung});
    chain.steps(run_burn_in);
    for (std::uint64_t b = 0; b < run.batches_per_chain; ++b) {
      std::vector<double> sums(dimension, 0.0);
      for (std::uint64_t i = 0; i < length; ++i) {
        chain.step();
        add(chain, sums.data());
      }
      for (double& s : sums) s /= static_cast<double>(length);
      batches.add(std::move(sums));
    }
  }
  return batches;
}

}  // namespace lacuna::statistical
