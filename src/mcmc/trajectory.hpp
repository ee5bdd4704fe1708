// Moves of all active values of one layer along short Hamiltonian trajectories inside the box.
//
// With scales sigma_i that the moving values do not change, momenta rho ~ N(0, 1), and
// U = lambda R_n, a leapfrog step is
//   rho -= (eps/2) sigma lambda grad R_n,   theta += eps sigma rho,   rho -= (eps/2) sigma lambda
//   grad R_n,
// and a coordinate that leaves [-B, B] is reflected, with its momentum. Each part preserves volume
// and is reversible, so the end point is accepted with probability min(1, exp(H(start) - H(end))),
// H = lambda R_n + |rho|^2 / 2. The layer, the number of steps and the step size are drawn anew
// each time, independently of the values.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mcmc/curvature.hpp"
#include "mcmc/kernel.hpp"
#include "mcmc/single_weight.hpp"

namespace lacuna {

// The active weights of one layer: positions begin .. end - 1 of theta.
struct LayerBlock {
  std::size_t layer = 0, begin = 0, end = 0;
};

struct TrajectoryScratch {
  Point proposal;
  PathCurvature path_curvature;
  std::vector<double> scale, momentum;
};

struct TrajectoryKernel {
  using Scratch = TrajectoryScratch;

  std::shared_ptr<const CurvatureTable> table;  // none: all scales equal
  double step_size = 0.1;
  unsigned most_steps = 8;
};

// One of the layers that have active weights, each as likely as another.
LayerBlock choose_layer(const Architecture& architecture, const SparseTheta& theta,
                        RandomStream& stream);

// sigma_i = (lambda r_i e_i + 3 / B^2)^(-1/2): about the posterior spread of a coordinate, never
// more than that of the prior. A function of the active set and of the weights of other layers.
void trajectory_scales(const TrajectoryKernel& kernel, const LiveNetwork& network,
                       const Prior& prior, double lambda, const SparseTheta& theta,
                       LayerBlock block, TrajectoryScratch& scratch);

// values += length * sigma * rho with reflection at the walls.
void drift(std::span<double> values, std::vector<double>& momentum,
           const std::vector<double>& scale, double length, double bound);

template <LayeredRisk R>
StepOutcome step(const TrajectoryKernel& kernel, const GibbsPosterior<R>& target, Point& current,
                 TrajectoryScratch& scratch, RandomStream& stream) {
  require(target, current, {.gradient = true});
  const LayerBlock block = choose_layer(target.risk.architecture(), current.theta, stream);
  trajectory_scales(kernel, target.risk.live_network(current.theta), target.prior, target.lambda,
                    current.theta, block, scratch);
  const std::uint64_t steps = 1 + stream.below(kernel.most_steps);
  const double length = kernel.step_size * stream.uniform(0.6, 1.4);
  std::vector<double>& rho = scratch.momentum;
  rho.resize(block.end - block.begin);
  for (double& r : rho) r = stream.normal();

  const auto kick = [&](const Evaluation& at, double share) {
    for (std::size_t k = 0; k < rho.size(); ++k) {
      rho[k] -= share * length * scratch.scale[k] * target.lambda * at.gradient[block.begin + k];
    }
  };
  const auto kinetic = [&] {
    double sum = 0.0;
    for (const double r : rho) sum += 0.5 * r * r;
    return sum;
  };
  Point& proposal = scratch.proposal;
  proposal.theta = current.theta;
  const std::span<double> moving(proposal.theta.value.data() + block.begin, rho.size());
  const double start = kinetic();
  kick(current.evaluation, 0.5);
  for (std::uint64_t t = 1; t <= steps; ++t) {
    drift(moving, rho, scratch.scale, length, target.prior.bound());
    // On the way only the layer's own derivatives matter, and what arrives there stays. The last
    // evaluation is asked for all that the next jump needs to know of the active weights.
    const Request on_the_way{.gradient = true, .layer = block.layer};
    target.risk.evaluate(proposal.theta, t < steps ? on_the_way : death_request,
                         proposal.evaluation);
    kick(proposal.evaluation, t < steps ? 1.0 : 0.5);
  }
  proposal.log_prior = target.prior.log_density(proposal.theta);
  const double log_ratio = proposal.log_posterior(target.lambda) -
                           current.log_posterior(target.lambda) + start - kinetic();
  return settle(Move::trajectory, log_ratio, current, proposal, stream);
}

static_assert(Kernel<TrajectoryKernel>);

}  // namespace lacuna
