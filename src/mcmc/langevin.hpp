// Langevin moves of all active values, each coordinate scaled by its curvature at the point where
// the move begins.
//
// With sigma_i(theta)^2 = 1 / (lambda h_i(theta) + 3 / B^2) the proposal is
//   tau_i ~ N(theta_i - (eps sigma_i(theta))^2 lambda g_i / 2, (eps sigma_i(theta))^2),
// and the ratio has the proposal densities of both ends. The scales follow the point, so the move
// does not suffer when units are rescaled; a trajectory of several steps would need scales that
// stay.
#pragma once

#include "mcmc/kernel.hpp"
#include "mcmc/single_weight.hpp"

namespace lacuna {

struct LangevinScratch {
  Point proposal;
};

struct LangevinKernel {
  using Scratch = LangevinScratch;
  double step_size = 0.5;
};

// log of the density of proposing `to` from `from`; both have the same active set. Needs
// death_request at `from`.
double log_langevin_proposal(const LangevinKernel& kernel, const GainModel& model,
                             const Point& from, const SparseTheta& to);
void propose_langevin(const LangevinKernel& kernel, const GainModel& model, const Point& from,
                      SparseTheta& to, RandomStream& stream);

template <Risk R>
StepOutcome step(const LangevinKernel& kernel, const GibbsPosterior<R>& target, Point& current,
                 LangevinScratch& scratch, RandomStream& stream) {
  const GainModel model(target.prior, target.lambda);
  require(target, current, death_request);
  Point& proposal = scratch.proposal;
  const LangevinKernel jittered{kernel.step_size * stream.uniform(0.5, 1.5)};
  propose_langevin(jittered, model, current, proposal.theta, stream);
  if (!arrive(target, proposal, death_request)) return rejected(Move::keep);
  const double log_ratio = proposal.log_posterior(target.lambda) -
                           current.log_posterior(target.lambda) +
                           log_langevin_proposal(jittered, model, proposal, current.theta) -
                           log_langevin_proposal(jittered, model, current, proposal.theta);
  return settle(Move::keep, log_ratio, current, proposal, stream);
}

static_assert(Kernel<LangevinKernel>);

}  // namespace lacuna
