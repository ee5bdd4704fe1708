// Multiplies what goes into a hidden unit by t and divides what comes out by t: f stays, the
// weights move.
//
// A ReLU is positively homogeneous, so this is a symmetry of the risk along which other moves
// creep. log t is drawn from N(0, 1/2), the unit uniformly among live hidden ones. The map has
// Jacobian t^(n_in - n_out), the only term of the ratio besides the box and the rounding of R_n.
#pragma once

#include <cmath>
#include <vector>

#include "mcmc/kernel.hpp"
#include "mcmc/single_weight.hpp"
#include "support/planted_bug.hpp"

namespace lacuna {

struct RescaleScratch {
  Point proposal;
  std::vector<std::uint32_t> incoming, outgoing;  // positions among the active coordinates
};

struct RescaleKernel {
  using Scratch = RescaleScratch;
};

// The weights around the k-th live hidden unit that the map changes: those that carry a signal to
// it, its shift, and those that lead to live units. Depends on the active set alone.
void weights_around(const LiveNetwork& network, std::uint64_t k, RescaleScratch& scratch);

template <LayeredRisk R>
StepOutcome step(const RescaleKernel&, const GibbsPosterior<R>& target, Point& current,
                 RescaleScratch& scratch, RandomStream& stream) {
  const LiveNetwork& network = target.risk.live_network(current.theta);
  const std::size_t units = network.live_hidden_units();
  if (units == 0) return rejected(Move::rescale);
  weights_around(network, stream.below(units), scratch);
  const double log_t = std::sqrt(0.5) * stream.normal(), t = std::exp(log_t);
  Point& proposal = scratch.proposal;
  proposal.theta = current.theta;
  for (const std::uint32_t k : scratch.incoming) proposal.theta.value[k] *= t;
  for (const std::uint32_t k : scratch.outgoing) proposal.theta.value[k] /= t;
  if (!arrive(target, proposal, death_request)) return rejected(Move::rescale);
  const double exponent = has_bug(PlantedBug::rescale_without_jacobian)
                              ? 0.0
                              : static_cast<double>(scratch.incoming.size()) -
                                    static_cast<double>(scratch.outgoing.size());
  const double log_ratio = proposal.log_posterior(target.lambda) -
                           current.log_posterior(target.lambda) + exponent * log_t;
  return settle(Move::rescale, log_ratio, current, proposal, stream);
}

static_assert(Kernel<RescaleKernel>);

}  // namespace lacuna
