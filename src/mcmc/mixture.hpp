// The default sampler: at each step one of several exact kernels, chosen with fixed probabilities.
#pragma once

#include <array>
#include <cstddef>

#include "mcmc/dead_weights.hpp"
#include "mcmc/kernel.hpp"
#include "mcmc/langevin.hpp"
#include "mcmc/output_layer.hpp"
#include "mcmc/rescale.hpp"
#include "mcmc/single_weight.hpp"
#include "mcmc/trajectory.hpp"
#include "mcmc/unit.hpp"

namespace lacuna {

struct MixtureScratch {
  SingleWeightScratch single;
  LangevinScratch langevin;
  TrajectoryScratch trajectory;
  OutputLayerScratch output;
  RescaleScratch rescale;
  UnitScratch unit;
  DeadWeightsScratch dead;
};

// Each kernel leaves the posterior invariant and the choice does not look at the point, so the
// mixture does too.
struct MixtureKernel {
  using Scratch = MixtureScratch;

  // Shares of the steps; what is left goes to trajectories.
  double birth_death = 0.25, swap = 0.15, unit_share = 0.10, dead = 0.05;
  double output = 0.10, rescale = 0.01, langevin_share = 0.10;
  UnitKernel unit;
  LangevinKernel langevin;
  TrajectoryKernel trajectory;

  // Under the dense prior the active set never changes.
  static MixtureKernel for_prior(const Prior& prior) {
    MixtureKernel kernel;
    if (prior.kind() == PriorKind::dense) {
      kernel.birth_death = kernel.swap = kernel.unit_share = kernel.dead = 0.0;
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
  if ((left -= kernel.unit_share) < 0.0)
    return step(kernel.unit, target, current, scratch.unit, stream);
  if ((left -= kernel.dead) < 0.0)
    return step(DeadWeightsKernel{}, target, current, scratch.dead, stream);
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
