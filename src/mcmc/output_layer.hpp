// Redraws all active weights of the output layer at once, given the rest of the network.
//
// Where no row is clipped the conditional law is normal, cut to the box: with A the matrix of the
// layer's inputs (one column per active weight, ones for the shift) it has precision (2 lambda / n)
// A'A and the least-squares fit as mean. That normal, with kappa = 3 / B^2 added to the diagonal of
// the precision, is the proposal, and does not depend on what it replaces; clip and box are left to
// the acceptance ratio.
#pragma once

#include <vector>

#include "mcmc/kernel.hpp"
#include "mcmc/single_weight.hpp"
#include "support/planted_bug.hpp"

namespace lacuna {

struct OutputLayerScratch {
  Point proposal;
  OutputMoments moments;
  std::vector<double> factor, mean, work;
};

struct OutputLayerKernel {
  using Scratch = OutputLayerScratch;
};

// Prepares the proposal law from the moments: `factor` is the Cholesky factor of the precision.
// n is the number of rows, or the sum of their weights.
void prepare_output_law(double lambda, double n, double kappa, OutputLayerScratch& scratch);
// log density up to a constant that is the same for all values.
double output_log_density(const OutputLayerScratch& scratch, const SparseTheta& theta);
void draw_output(OutputLayerScratch& scratch, SparseTheta& theta, RandomStream& stream);

template <LayeredRisk R>
StepOutcome step(const OutputLayerKernel&, const GibbsPosterior<R>& target, Point& current,
                 OutputLayerScratch& scratch, RandomStream& stream) {
  target.risk.output_moments(current.theta, scratch.moments);
  if (scratch.moments.slots.empty()) return rejected(Move::output);
  const double bound = target.prior.bound();
  prepare_output_law(target.lambda, target.risk.total_weight(), 3.0 / (bound * bound), scratch);
  Point& proposal = scratch.proposal;
  proposal.theta = current.theta;
  draw_output(scratch, proposal.theta, stream);
  if (!arrive(target, proposal, death_request)) {
    if (!has_bug(PlantedBug::output_box_forgotten)) return rejected(Move::output);
    proposal.log_prior = current.log_prior;
    target.risk.evaluate(proposal.theta, death_request, proposal.evaluation);
  }
  const double log_ratio =
      proposal.log_posterior(target.lambda) - current.log_posterior(target.lambda) +
      output_log_density(scratch, current.theta) - output_log_density(scratch, proposal.theta);
  return settle(Move::output, log_ratio, current, proposal, stream);
}

static_assert(Kernel<OutputLayerKernel>);

}  // namespace lacuna
