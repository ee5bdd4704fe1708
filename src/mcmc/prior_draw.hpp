// Draws a whole new point from the prior: the independence sampler, which at lambda = 0 always
// accepts.
//
// The proposal density is the prior itself, so of the ratio
//   pi(tau) exp(-lambda R_n(tau)) pi(theta) / (pi(theta) exp(-lambda R_n(theta)) pi(tau))
// only exp(-lambda (R_n(tau) - R_n(theta))) is left. At lambda = 0 successive points are
// independent draws from the target; far above it next to nothing is accepted.
#pragma once

#include "mcmc/kernel.hpp"
#include "mcmc/single_weight.hpp"

namespace lacuna {

struct PriorDrawScratch {
  Point proposal;
};

struct PriorDrawKernel {
  using Scratch = PriorDrawScratch;
  Request request;  // what kernels that may take over the point need to know of it
};

template <Risk R>
StepOutcome step(const PriorDrawKernel& kernel, const GibbsPosterior<R>& target, Point& current,
                 PriorDrawScratch& scratch, RandomStream& stream) {
  Point& proposal = scratch.proposal;
  proposal.theta = target.prior.draw(stream);
  if (!arrive(target, proposal, kernel.request)) return rejected(Move::redraw);
  const double log_ratio = -target.lambda * (proposal.evaluation.risk - current.evaluation.risk);
  return settle(Move::redraw, log_ratio, current, proposal, stream);
}

static_assert(Kernel<PriorDrawKernel>);

}  // namespace lacuna
