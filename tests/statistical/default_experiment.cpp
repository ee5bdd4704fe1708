// The kernels of the default sampler, each by turns with the paper's, and their mixture, against
// exact laws.
#include "mcmc/prior_draw.hpp"
#include "statistical/default_kernels.hpp"
#include "statistical/enumeration_problems.hpp"
#include "statistical/set_frequencies.hpp"

namespace lacuna::statistical {
namespace {

template <Kernel K>
Result sets_of(const Problem& problem, double lambda, const SetLaw& law, const K& kernel,
               double fast, double full, std::uint64_t seed, Budget budget) {
  const auto steps = static_cast<std::uint64_t>(budget == Budget::fast ? fast : full);
  const ChainRun<K> run{problem, lambda, kernel, steps};
  return judge_sets(set_frequencies(run, seed), law, seed, budget);
}

constexpr double lambda_four = 14.0, lambda_wide = 10.0, lambda_deep = 11.0;

const SetLaw& law_four() {
  static const SetLaw law = tensor_law(four_weights(), lambda_four);
  return law;
}
const SetLaw& law_wide() {
  static const SetLaw law = lattice_law(seven_weights_wide(), lambda_wide);
  return law;
}
const SetLaw& law_deep() {
  static const SetLaw law = lattice_law(seven_weights_deep(), lambda_deep);
  return law;
}

}  // namespace

// False-alarm rate of each: 2e-4.
Result birth_death_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(), with_paper(BirthDeathKernel{}), 1e6, 8e6,
                 seed, budget);
}
Result birth_death_wide(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_wide(), lambda_wide, law_wide(), with_paper(BirthDeathKernel{}), 1e6,
                 8e6, seed, budget);
}
Result swap_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(), with_paper(SwapKernel{}), 1e6, 8e6, seed,
                 budget);
}
Result swap_deep(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_deep(), lambda_deep, law_deep(), with_paper(SwapKernel{}), 1e6, 16e6,
                 seed, budget);
}
Result trajectory_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(),
                 with_paper(uneven_trajectory(four_weights().architecture())), 1e6, 16e6, seed,
                 budget);
}
Result langevin_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(), with_paper(LangevinKernel{0.8}), 1e6,
                 16e6, seed, budget);
}
Result output_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(), with_paper(OutputLayerKernel{}), 1e6,
                 16e6, seed, budget);
}
Result output_wide(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_wide(), lambda_wide, law_wide(), with_paper(OutputLayerKernel{}),
                 1e6, 24e6, seed, budget);
}
Result rescale_wide(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_wide(), lambda_wide, law_wide(), with_paper(RescaleKernel{}), 1e6,
                 24e6, seed, budget);
}
Result rescale_deep(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_deep(), lambda_deep, law_deep(), with_paper(RescaleKernel{}), 1e6,
                 40e6, seed, budget);
}
Result prior_draw_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(), with_paper(PriorDrawKernel{}), 1e6, 16e6,
                 seed, budget);
}
Result unit_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(), with_paper(UnitKernel{}), 1e6, 8e6, seed,
                 budget);
}
Result unit_wide(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_wide(), lambda_wide, law_wide(), with_paper(UnitKernel{}), 2e6, 16e6,
                 seed, budget);
}
Result unit_deep(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_deep(), lambda_deep, law_deep(), with_paper(UnitKernel{}), 2e6, 24e6,
                 seed, budget);
}
Result dead_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(), with_paper(DeadWeightsKernel{}), 1e6,
                 16e6, seed, budget);
}
Result dead_wide(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_wide(), lambda_wide, law_wide(), with_paper(DeadWeightsKernel{}),
                 1e6, 16e6, seed, budget);
}
Result dead_deep(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_deep(), lambda_deep, law_deep(), with_paper(DeadWeightsKernel{}),
                 1e6, 24e6, seed, budget);
}
Result mixture_four(std::uint64_t seed, Budget budget) {
  return sets_of(four_weights(), lambda_four, law_four(), mixture_for(four_weights()), 1e6, 8e6,
                 seed, budget);
}
Result mixture_wide(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_wide(), lambda_wide, law_wide(), mixture_for(seven_weights_wide()),
                 2e6, 8e6, seed, budget);
}
Result mixture_deep(std::uint64_t seed, Budget budget) {
  return sets_of(seven_weights_deep(), lambda_deep, law_deep(), mixture_for(seven_weights_deep()),
                 2e6, 12e6, seed, budget);
}

}  // namespace lacuna::statistical
