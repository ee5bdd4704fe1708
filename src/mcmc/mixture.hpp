// The default sampler: at each step one of several exact kernels, chosen with fixed probabilities.
#pragma once

#include <array>
#include <cstddef>

#include "mcmc/kernel.hpp"
#include "mcmc/langevin.hpp"
#include "mcmc/output_layer.hpp"
#include "mcmc/rescale.hpp"
#include "mcmc/single_weight.hpp"
#include "mcmc/trajectory.hpp"

namespace lacuna {

struct MixtureScratch {
  SingleWeightScratch single;
  LangevinScratch langevin;
  TrajectoryScratch trajectory;
  OutputLayerScratch output;
  RescaleScratch rescale;
};

// Each kernel leaves the posterior invariant and the choice does not look at the point, so the
// mixture does too.
struct MixtureKernel {
  using Scratch = MixtureScratch;

  // Shares of the steps; what is left goes to trajectories.
  double birth_death = 0.35, swap = 0.15, output = 0.10, rescale = 0.05, langevin_share = 0.10;
  LangevinKernel langevin;
  TrajectoryKernel trajectory;

  // Under the dense prior the active set never changes.
  static MixtureKernel for_prior(const Prior& prior) {
    MixtureKernel kernel;
    if (prior.kind() == PriorKind::dense) {
      kernel.birth_death = kernel.swap = 0.0;
    }
    return kernel;
  }
};

template <LayeredRisk R>
StepOutcome step(const MixtureKernel& kernel, const GibbsPosterior<R>& target, Point& current,
                 MixtureScratch& scratch, RandomStream& stream) {
  double left = stream.uniform();
  if ((left -= kernel.birth_death) < 0.0)
    return step(BirthDeathKernel{}, target, current, scratch.single, stream);
  if ((left -= kernel.swap) < 0.0)
    return step(SwapKernel{}, target, current, scratch.single, stream);
  if ((left -= kernel.output) < 0.0)
    return step(OutputLayerKernel{}, target, current, scratch.output, stream);
  if ((left -= kernel.rescale) < 0.0)
    return step(RescaleKernel{}, target, current, scratch.rescale, stream);
  if ((left -= kernel.langevin_share) < 0.0)
    return step(kernel.langevin, target, current, scratch.langevin, stream);
  return step(kernel.trajectory, target, current, scratch.trajectory, stream);
}

static_assert(Kernel<MixtureKernel>);

}  // namespace lacuna
