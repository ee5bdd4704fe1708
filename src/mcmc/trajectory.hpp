// Moves of all active values at once along short Hamiltonian trajectories inside the box.
//
// With scales sigma_i that do not depend on the values, momenta rho ~ N(0, 1), and U = lambda R_n,
// a leapfrog step is
//   rho -= (eps/2) sigma lambda grad R_n,   theta += eps sigma rho,   rho -= (eps/2) sigma lambda
//   grad R_n,
// and a coordinate that leaves [-B, B] is reflected, with its momentum. Each part preserves volume
// and is reversible, so the end point is accepted with probability min(1, exp(H(start) - H(end))),
// H = lambda R_n + |rho|^2 / 2. The number of steps and the step size are drawn anew each time,
// independently of the point.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "mcmc/kernel.hpp"
#include "mcmc/single_weight.hpp"

namespace lacuna {

// Typical curvature of each coordinate, learnt in burn-in and frozen: its own mean where it has
// been seen, the mean of its layer otherwise.
struct CurvatureTable {
  std::vector<std::uint64_t> index;        // increasing
  std::vector<double> curvature;           // beside it
  std::vector<std::uint64_t> layer_begin;  // first index of each layer
  std::vector<double> layer_curvature;

  double at(std::uint64_t i) const;
};

struct TrajectoryScratch {
  Point proposal;
  std::vector<double> scale, momentum;
};

struct TrajectoryKernel {
  using Scratch = TrajectoryScratch;

  std::shared_ptr<const CurvatureTable> table;  // none: all scales equal
  double step_size = 0.1;
  unsigned most_steps = 8;
};

// sigma_i = (lambda h_i + 3 / B^2)^(-1/2): the posterior spread of a coordinate, never more than
// that of the prior.
void trajectory_scales(const TrajectoryKernel& kernel, const Prior& prior, double lambda,
                       const SparseTheta& theta, std::vector<double>& scale);

// theta += length * sigma * rho with reflection at the walls.
void drift(SparseTheta& theta, std::vector<double>& momentum, const std::vector<double>& scale,
           double length, double bound);

template <Risk R>
StepOutcome step(const TrajectoryKernel& kernel, const GibbsPosterior<R>& target, Point& current,
                 TrajectoryScratch& scratch, RandomStream& stream) {
  constexpr Request need{.gradient = true};
  require(target, current, need);
  trajectory_scales(kernel, target.prior, target.lambda, current.theta, scratch.scale);
  const std::uint64_t steps = 1 + stream.below(kernel.most_steps);
  const double length = kernel.step_size * stream.uniform(0.6, 1.4);
  std::vector<double>& rho = scratch.momentum;
  rho.resize(current.theta.size());
  for (double& r : rho) r = stream.normal();

  const auto kick = [&](const Evaluation& at, double share) {
    for (std::size_t k = 0; k < rho.size(); ++k) {
      rho[k] -= share * length * scratch.scale[k] * target.lambda * at.gradient[k];
    }
  };
  const auto kinetic = [&] {
    double sum = 0.0;
    for (const double r : rho) sum += 0.5 * r * r;
    return sum;
  };
  Point& proposal = scratch.proposal;
  proposal.theta = current.theta;
  const double start = kinetic();
  kick(current.evaluation, 0.5);
  for (std::uint64_t t = 1; t <= steps; ++t) {
    drift(proposal.theta, rho, scratch.scale, length, target.prior.bound());
    // The last evaluation is asked for all that the next jump needs to know of the active weights.
    target.risk.evaluate(proposal.theta, t < steps ? need : death_request, proposal.evaluation);
    kick(proposal.evaluation, t < steps ? 1.0 : 0.5);
  }
  proposal.log_prior = target.prior.log_density(proposal.theta);
  const double log_ratio = proposal.log_posterior(target.lambda) -
                           current.log_posterior(target.lambda) + start - kinetic();
  return settle(Move::trajectory, log_ratio, current, proposal, stream);
}

static_assert(Kernel<TrajectoryKernel>);

}  // namespace lacuna
