// Moves that switch a whole hidden unit on or off in one step.
//
// A birth takes a vacant unit u of a hidden layer (see network/paths.hpp) and gives it one or two
// incoming weights from sources that carry a signal, perhaps a shift, and one outgoing weight v to
// a live unit of the next layer. A death takes all of these away from a live unit that has no
// others that are live; dead weights of the unit stay as they are. With y for everything but v,
// drawn with density q(y), and g, h as in network/unit_pass.hpp, the model of single_weight.hpp for
// v gives
//   worth(y) = pi(k + c) / (pi(k) q(y)) * integral exp(-lambda (g v + h v^2/2) - kappa v^2/2) dv,
// c the number of new coordinates and pi(k) the prior density at k active ones: an importance
// weight, whose mean over q is the mass of all births relative to the point without them. A unit
// with h = 0 has no worth.
//
// A birth draws K candidates, takes one in proportion to its worth, and draws v from the model's
// normal law N. A death of u, chosen with probability d(u), draws K - 1 other candidates at the
// point it leads to. The candidates that were not taken appear with the same density both ways, so
// the ratio of the birth is
//   posterior(tau) / posterior(theta) * d(u) / (q(y) worth(y) N(v)) * (mean of the K worths),
// and that of the death is its inverse.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "mcmc/kernel.hpp"
#include "mcmc/single_weight.hpp"
#include "network/paths.hpp"
#include "network/unit_pass.hpp"

namespace lacuna {

// A unit to be born, without its number in the layer and its outgoing value.
struct UnitPlan {
  std::size_t layer = 1;
  std::uint32_t destination = 0;  // position in the next layer of the live network
  bool has_shift = false;
  UnitInput input;

  std::size_t coordinates() const { return input.count + (has_shift ? 2 : 1); }
};

struct UnitCandidate {
  UnitPlan plan;
  double log_density = 0.0;  // log q
  ValueLaw law;              // of the outgoing value
  double log_worth = 0.0;

  bool possible() const { return log_worth > -std::numeric_limits<double>::infinity(); }
};

// Which units can be born at a point, and how they are drawn.
class UnitBirths {
 public:
  // Needs the live network and the paths of a point.
  void build(const LiveNetwork& network, const Paths& paths, double bound);
  bool possible() const { return used_ > 0; }
  UnitPlan draw(RandomStream& stream) const;
  double log_density(const UnitPlan& plan) const;

 private:
  struct Layer {
    std::size_t number = 0;
    std::uint64_t vacant = 0;
    std::vector<std::uint32_t> destinations;  // live units of the next layer
    std::vector<double> share;                // probability of each source, in their order
  };
  std::uint32_t draw_source(const Layer& layer, RandomStream& stream) const;
  std::span<const Layer> possible_layers() const { return {layers_.data(), used_}; }

  // Those in which a birth is possible come first; the others keep their memory for later.
  std::vector<Layer> layers_;
  std::size_t used_ = 0;
  double bound_ = 1.0;
};

// The coordinates of a live unit that a birth could have made, as positions among the active ones.
struct RemovableUnit {
  std::size_t layer = 0;
  std::uint64_t unit = 0, destination = 0;  // numbers in their layers
  std::size_t count = 0;
  std::array<std::uint64_t, 2> source{};  // numbers in the layer before
  std::array<std::uint32_t, 2> incoming{};
  std::uint32_t shift = no_slot, outgoing = no_slot;

  std::size_t coordinates() const { return count + (shift == no_slot ? 1 : 2); }
};

// Which unit to remove: with weight exp(-D / 2), where D is the log mass that the model gives its
// outgoing weight, with the prior's cost of all its coordinates. Needs death_request.
class UnitDeaths {
 public:
  void build(const LiveNetwork& network, const Point& point, const Prior& prior,
             const GainModel& model);
  const std::vector<RemovableUnit>& units() const { return units_; }
  std::size_t draw(RandomStream& stream) const;
  std::size_t find(std::size_t layer, std::uint64_t unit) const;  // units().size() if not there
  double log_probability(std::size_t k) const;                    // minus infinity beyond the list

 private:
  std::vector<RemovableUnit> units_;
  std::vector<double> weight_;
  double total_ = 0.0;
  std::vector<std::uint32_t> live_out_, out_slot_;  // per unit of a layer, scratch
  std::vector<std::uint64_t> out_unit_;
};

struct UnitScratch {
  Point proposal;
  UnitSignals signals;
  std::optional<Paths> paths;  // once the architecture is known
  UnitBirths births;
  UnitDeaths deaths;
  std::vector<UnitCandidate> candidates;
};

struct UnitKernel {
  using Scratch = UnitScratch;
  std::size_t candidates = 32;
};

// Values a plan at the point without it, which has `size` active coordinates.
UnitCandidate judge_unit(const UnitPlan& plan, const UnitBirths& births, const UnitSignals& signals,
                         const Prior& prior, const GainModel& model, std::uint64_t size);
// The position of one candidate, in proportion to worth; candidates.size() if none is worth
// anything.
std::size_t choose_unit(const std::vector<UnitCandidate>& candidates, RandomStream& stream);

// Switches a planned unit on, as number `unit` of its layer; `network` is that of theta before.
void add_unit(const UnitPlan& plan, std::uint64_t unit, double outgoing, const LiveNetwork& network,
              SparseTheta& theta);
void remove_unit(const RemovableUnit& unit, SparseTheta& theta);
// The plan by which a birth at the point without the unit makes it; `network` is that of the
// smaller point.
UnitPlan plan_of(const RemovableUnit& unit, const SparseTheta& larger, const LiveNetwork& network);

// log of the ratio for the birth of the candidate at `chosen` with this outgoing value, leading
// from `smaller` to `larger`, where its death is chosen with probability exp(log_death).
double log_unit_ratio(const GainModel& model, const Point& smaller, const Point& larger,
                      const std::vector<UnitCandidate>& candidates, std::size_t chosen,
                      double outgoing, double log_death);

// More candidates at a point that births were prepared for, up to the wanted number.
template <LayeredRisk R>
void draw_candidates(const GibbsPosterior<R>& target, const SparseTheta& theta, std::size_t wanted,
                     UnitScratch& scratch, RandomStream& stream) {
  const GainModel model(target.prior, target.lambda);
  while (scratch.candidates.size() < wanted) {
    scratch.candidates.push_back(judge_unit(scratch.births.draw(stream), scratch.births,
                                            scratch.signals, target.prior, model, theta.size()));
  }
}

// What births need to know of a point; no candidates yet.
template <LayeredRisk R>
void prepare_births(const GibbsPosterior<R>& target, const SparseTheta& theta,
                    UnitScratch& scratch) {
  if (!scratch.paths) scratch.paths.emplace(target.risk.architecture());
  scratch.paths->build(theta.index);
  scratch.births.build(target.risk.live_network(theta), *scratch.paths, target.prior.bound());
  scratch.candidates.clear();
  if (scratch.births.possible()) target.risk.unit_signals(theta, scratch.signals);
}

template <LayeredRisk R>
StepOutcome step(const UnitKernel& kernel, const GibbsPosterior<R>& target, Point& current,
                 UnitScratch& scratch, RandomStream& stream) {
  const GainModel model(target.prior, target.lambda);
  Point& proposal = scratch.proposal;
  proposal.theta = current.theta;
  if (stream.uniform() < 0.5) {
    prepare_births(target, current.theta, scratch);
    if (!scratch.births.possible()) return rejected(Move::add_unit);
    draw_candidates(target, current.theta, kernel.candidates, scratch, stream);
    const std::size_t chosen = choose_unit(scratch.candidates, stream);
    if (chosen == scratch.candidates.size()) return rejected(Move::add_unit);
    const UnitCandidate& candidate = scratch.candidates[chosen];
    const Paths& paths = *scratch.paths;
    const std::size_t layer = candidate.plan.layer;
    const std::uint64_t unit = paths.vacant_unit(layer, stream.below(paths.vacant_units(layer)));
    const double outgoing = candidate.law.draw(stream, model.bound);
    add_unit(candidate.plan, unit, outgoing, target.risk.live_network(current.theta),
             proposal.theta);
    if (!arrive(target, proposal, death_request)) return rejected(Move::add_unit);
    scratch.deaths.build(target.risk.live_network(proposal.theta), proposal, target.prior, model);
    const double log_death = scratch.deaths.log_probability(scratch.deaths.find(layer, unit));
    const double log_ratio =
        log_unit_ratio(model, current, proposal, scratch.candidates, chosen, outgoing, log_death);
    return settle(Move::add_unit, log_ratio, current, proposal, stream);
  }
  require(target, current, death_request);
  scratch.deaths.build(target.risk.live_network(current.theta), current, target.prior, model);
  if (scratch.deaths.units().empty()) return rejected(Move::remove_unit);
  const std::size_t k = scratch.deaths.draw(stream);
  const RemovableUnit& gone = scratch.deaths.units()[k];
  remove_unit(gone, proposal.theta);
  if (!arrive(target, proposal, death_request)) return rejected(Move::remove_unit);
  prepare_births(target, proposal.theta, scratch);
  scratch.candidates.push_back(
      judge_unit(plan_of(gone, current.theta, target.risk.live_network(proposal.theta)),
                 scratch.births, scratch.signals, target.prior, model, proposal.theta.size()));
  if (!scratch.candidates.front().possible()) return rejected(Move::remove_unit);
  draw_candidates(target, proposal.theta, kernel.candidates, scratch, stream);
  const double log_ratio =
      -log_unit_ratio(model, proposal, current, scratch.candidates, 0,
                      current.theta.value[gone.outgoing], scratch.deaths.log_probability(k));
  return settle(Move::remove_unit, log_ratio, current, proposal, stream);
}

static_assert(Kernel<UnitKernel>);

}  // namespace lacuna
