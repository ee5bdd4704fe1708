// The paper's samplers: MALA on the dense prior, reversible-jump MALA on the sparse one.
#pragma once

#include <cstdint>
#include <limits>

#include "mcmc/jump_weights.hpp"
#include "mcmc/kernel.hpp"
#include "mcmc/outcome.hpp"
#include "posterior/gibbs.hpp"

namespace lacuna {

// Scratch memory of a chain: the proposal, and the weights of the jump under way.
struct PaperScratch {
  Point proposal;
  AdditionWeights at_current, at_proposal;
};

// An immutable value; tuning happens elsewhere and makes a new one.
struct PaperKernel {
  using Scratch = PaperScratch;

  double learning_rate = 0.0;  // gamma
  double proposal_sd = 0.1;    // s

  // gamma = lambda s^2 / 2 makes a step a discretised Langevin diffusion of the posterior.
  static PaperKernel langevin(double lambda, double proposal_sd) {
    return {0.5 * lambda * proposal_sd * proposal_sd, proposal_sd};
  }
};

// log q(to | from), in its three factors. Only one branch of the mixture can lead from one point to
// another.
struct LogProposal {
  double branch = 0.0;     // remove, keep or add, given |I|
  double selection = 0.0;  // which coordinate
  double normal = 0.0;     // density of the new values, of dimension |J|

  double total() const { return branch + selection + normal; }
};

// The probability that a point with `size` active coordinates tries this move.
double move_probability(Move move, std::uint64_t size, const Prior& prior);

// `addition` holds the addition weights at `from` if `to` has one coordinate more; otherwise it is
// not looked at.
LogProposal log_proposal(const PaperKernel& kernel, const Prior& prior, const Point& from,
                         const SparseTheta& to, const AdditionWeights& addition);

// The coordinates of the proposal and their values; `scratch.proposal.theta` is the outcome.
Move propose(const PaperKernel& kernel, const Prior& prior, const Point& current,
             PaperScratch& scratch, RandomStream& stream);

// log of the Metropolis-Hastings ratio of `scratch.proposal`, already evaluated, against `current`.
double log_acceptance_ratio(const PaperKernel& kernel, const Prior& prior, double lambda,
                            const Point& current, PaperScratch& scratch, Move move);

// After a rejection the current point stays as it is, with the gradient it had.
void settle(Verdict verdict, Point& current, PaperScratch& scratch, Move move);

// What a pass must deliver for this kernel: jumps need the gradient on inactive coordinates too.
inline Request paper_request(const Prior& prior) {
  return {.gradient = true, .curvature = false, .inactive = prior.kind() == PriorKind::sparse};
}

// Fills in what is known about a point given its theta.
template <Risk R>
void evaluate_point(const GibbsPosterior<R>& target, Point& point) {
  point.log_prior = target.prior.log_density(point.theta);
  target.risk.evaluate(point.theta, paper_request(target.prior), point.evaluation);
}

// One step. The gradient at the current point is the one computed when it was proposed, so a step
// costs one evaluation, and none when the proposal leaves the box.
template <Risk R>
StepOutcome step(const PaperKernel& kernel, const GibbsPosterior<R>& target, Point& current,
                 PaperScratch& scratch, RandomStream& stream) {
  StepOutcome outcome;
  outcome.move = propose(kernel, target.prior, current, scratch, stream);
  if (target.prior.inside_box(scratch.proposal.theta)) {
    evaluate_point(target, scratch.proposal);
    outcome.log_ratio =
        log_acceptance_ratio(kernel, target.prior, target.lambda, current, scratch, outcome.move);
    outcome.verdict = accept_or_reject(outcome.log_ratio, stream);
  } else {
    outcome.log_ratio = -std::numeric_limits<double>::infinity();
  }
  settle(outcome.verdict, current, scratch, outcome.move);
  return outcome;
}

static_assert(Kernel<PaperKernel>);
static_assert(!Kernel<PaperScratch>, "memory is not a kernel");

}  // namespace lacuna
