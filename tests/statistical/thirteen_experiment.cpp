// Kernels of the default sampler on a network with several units and layers, against numerical
// integration.
//
// Births and deaths reach every set on their own; each other kernel runs by turns with them, and
// all of them together as the mixture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "statistical/chain_means.hpp"
#include "statistical/default_kernels.hpp"
#include "statistical/experiment.hpp"
#include "statistical/model.hpp"
#include "statistical/thirteen_reference.hpp"
#include "statistical/thirteen_weights.hpp"

namespace lacuna::statistical {
namespace {

template <Kernel K>
ByTurns<BirthDeathKernel, K> with_births(const K& kernel) {
  return {{}, kernel};
}

constexpr std::uint64_t batches_per_chain = 10;

// The worst |z| of the functionals; false-alarm rate 57 * P(|t| > 4.7) = 6e-4 with 80 batches.
// Batches count as independent if each holds ten independent draws' worth of every functional.
// Less is an alarm too, so that a kernel that hardly moves cannot excuse itself by large errors.
template <Kernel K>
Result functionals_of(const K& kernel, double fast, double full, std::uint64_t seed,
                      Budget budget) {
  static const ThirteenFunctionals functionals;
  const Model model(thirteen_weights());
  const auto steps = static_cast<std::uint64_t>(budget == Budget::fast ? fast : full);
  const auto add = [&](Chain<K>& chain, double* sums) {
    const Point& point = chain.current();
    const std::vector<double> theta = model.all_weights(point.theta);
    const std::size_t set = set_of(point.theta);
    for (const double value : functionals.of_set(set)) *sums++ += value;
    const ThirteenValues values = ThirteenFunctionals::values_at(
        model, theta, functionals.live_part_of(set), point.evaluation.risk);
    for (const double value : ThirteenFunctionals::of_values(values)) *sums++ += value;
  };
  const ChainRun<K> run{model.problem(), thirteen_lambda,   kernel,
                        steps,           PriorKind::sparse, batches_per_chain};
  const Batches batches = chain_means(run, functionals.size(), seed, add);
  std::vector<double> mean, error;
  double fewest = HUGE_VAL;  // independent draws that would give the same standard error
  for (std::size_t k = 0; k < thirteen_reference.size(); ++k) {
    mean.push_back(thirteen_reference[k].mean);
    error.push_back(thirteen_reference[k].error);
    const double ratio = thirteen_reference[k].sd / batches.standard_error(k);
    fewest = std::min(fewest, ratio * ratio);
  }
  const WorstScore worst = worst_score(batches, mean, error);
  const bool stuck = !(fewest >= 10.0 * static_cast<double>(batches.count()));
  return judge(
      stuck ? HUGE_VAL : worst.z, 4.7,
      fmt::format("worst |z| {:.2f} of {} at {}: {:.4f}, exactly {:.4f}; at least {:.0f} "
                  "effective draws, integration error up to {:.2f} standard errors",
                  worst.z, mean.size(), functionals.name(worst.where), batches.mean()[worst.where],
                  mean[worst.where], fewest, worst.reference_share));
}

}  // namespace

Result birth_death_thirteen(std::uint64_t seed, Budget budget) {
  return functionals_of(BirthDeathKernel{}, 4e6, 20e6, seed, budget);
}
Result swap_thirteen(std::uint64_t seed, Budget budget) {
  return functionals_of(with_births(SwapKernel{}), 4e6, 12e6, seed, budget);
}
Result trajectory_thirteen(std::uint64_t seed, Budget budget) {
  return functionals_of(with_births(uneven_trajectory(thirteen_weights().architecture())), 1e6,
                        12e6, seed, budget);
}
Result langevin_thirteen(std::uint64_t seed, Budget budget) {
  return functionals_of(with_births(LangevinKernel{0.8}), 1e6, 12e6, seed, budget);
}
Result output_thirteen(std::uint64_t seed, Budget budget) {
  return functionals_of(with_births(OutputLayerKernel{}), 2e6, 12e6, seed, budget);
}
Result rescale_thirteen(std::uint64_t seed, Budget budget) {
  return functionals_of(with_births(RescaleKernel{}), 6e6, 24e6, seed, budget);
}
Result mixture_thirteen(std::uint64_t seed, Budget budget) {
  return functionals_of(mixture_for(thirteen_weights()), 1e6, 12e6, seed, budget);
}

}  // namespace lacuna::statistical
