// Moves that switch one weight on or off, or one on and another off, chosen and valued by expected
// gain.
//
// Along one coordinate the log posterior is modelled with the gradient g and the Gauss-Newton
// diagonal h of the risk:
//   -lambda R_n(theta + v e_i)  ~  const - lambda (g v + h v^2 / 2).
// With 1/s^2 = lambda h + kappa, a new value is drawn from N(-lambda g s^2, s^2), and the log of
// the mass that the coordinate would add, its gain, is
//   G = (lambda g s)^2 / 2 + log(s sqrt(2 pi) / (2B)).
// A coordinate is added with weight exp(G / 2) and removed with weight exp(-G / 2), G then taken at
// the point without it, where the model has gradient g - h theta_i: locally balanced choices, which
// are close to detailed balance before any correction. Where h is zero the value is uniform on the
// box and G = 0.
//
// Derivatives on all inactive coordinates would cost many times a plain pass. So a live unit is
// chosen first, uniformly, and the weights compete that lead into this unit. Coordinates that no
// live unit could feel (see Candidate) form a class of their own, in which choice and value are
// uniform.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mcmc/kernel.hpp"
#include "mcmc/outcome.hpp"
#include "posterior/gibbs.hpp"

namespace lacuna {

// What the choices depend on besides the point.
struct GainModel {
  double lambda;
  double bound;
  double kappa;  // keeps s finite where the data say little: the precision of the uniform law on
                 // the box
  std::uint64_t parameter_count;

  GainModel(const Prior& prior, double inverse_temperature)
      : lambda(inverse_temperature),
        bound(prior.bound()),
        kappa(3.0 / (prior.bound() * prior.bound())),
        parameter_count(prior.parameter_count()) {}
};

// How the value of a new coordinate is drawn: normal, or uniform on the box for a coordinate with h
// = 0.
struct ValueLaw {
  bool uniform = true;
  double mean = 0.0, sd = 0.0;
  double draw(RandomStream& stream, double bound) const;
  double log_density(double value, double bound) const;
};

// The law of a new value at gradient g and curvature h, and G.
ValueLaw law_at(double gradient, double curvature, const GainModel& model);
double gain(const ValueLaw& law, const GainModel& model);

// Which inactive coordinate to add.
class BirthChoice {
 public:
  // `network` is the live network of the point. With a unit in `into` the point's evaluation must
  // have birth_request(into), and the choice among the weights into that unit is prepared.
  void build(const Point& point, const GainModel& model, const LiveNetwork& network,
             UnitPlace into);

  bool any_into_unit() const { return !rivals_.empty(); }
  std::uint64_t draw_into_unit(RandomStream& stream) const;
  double log_probability_into_unit(std::uint64_t index) const;  // given the unit
  // Of all coordinates: classes, units and rivals; for one that the chosen unit or no unit feels.
  double log_probability(std::uint64_t index) const;
  ValueLaw value_law(std::uint64_t index) const;

 private:
  struct Rival {
    std::uint64_t index;
    double weight;  // exp(G/2), relative to the largest
    ValueLaw law;
  };
  const Rival* find(std::uint64_t index) const;

  std::vector<Rival> rivals_;  // increasing index
  double total_ = 0.0;
  double felt_share_ = 0.0;  // probability of choosing a unit rather than an unfelt coordinate
  std::uint64_t live_units_ = 1, unfelt_count_ = 0;
};

// How births are divided at a point with this live network.
struct BirthClasses {
  std::uint64_t live_units, unfelt_count;
  double felt_share;
};
BirthClasses birth_classes(const LiveNetwork& network, std::uint64_t parameter_count);

// An inactive coordinate that no live unit feels, uniformly.
std::uint64_t draw_unfelt(const LiveNetwork& network, const SparseTheta& theta,
                          RandomStream& stream);

// Which active coordinate to remove; needs an evaluation with curvature.
class DeathChoice {
 public:
  void build(const Point& point, const GainModel& model);
  std::size_t draw(RandomStream& stream) const;  // a position among the active coordinates
  double log_probability(std::size_t position) const;

 private:
  // -G/2 relative to the largest, minus infinity for coordinates with h = 0. The logarithms are
  // kept because exp(-G/2) of a weight that matters much underflows, and zero must not be taken for
  // the mark of a flat coordinate.
  std::vector<double> log_weight_;
  std::size_t flat_count_ = 0;
  double total_ = 0.0, curved_share_ = 0.0;
};

struct SingleWeightScratch {
  Point proposal, between;
  BirthChoice births;
  DeathChoice deaths, deaths_back;
};

// Birth or death of one weight, each tried with probability 1/2 (certainly, where the other is
// impossible).
struct BirthDeathKernel {
  using Scratch = SingleWeightScratch;
};

// Death of one weight, then birth of another into the same unit, as one proposal through the point
// between them.
struct SwapKernel {
  using Scratch = SingleWeightScratch;
};

// What choices of an addition and of a removal need to know of a point.
inline constexpr Request death_request{.gradient = true, .curvature = true};
inline Request birth_request(UnitPlace into) {
  return {.gradient = true, .curvature = true, .inactive = into.layer != 0, .into = into};
}

// The unit that a coordinate leads into if that unit would feel it, none otherwise.
inline UnitPlace feeling_unit(const LiveNetwork& network, std::uint64_t index) {
  if (!network.is_candidate(index)) return {};
  const Place place = network.architecture().place(index);
  return {place.layer, place.destination};
}

// The probability of trying a birth rather than a death.
double birth_probability(std::uint64_t size, std::uint64_t parameter_count);

// log of the ratio for adding the coordinate at `position` of `larger` to `smaller`; the removal
// has minus this. Both choices must have been built at these points.
double log_birth_ratio(const GainModel& model, const Point& smaller, const Point& larger,
                       std::size_t position, const BirthChoice& births_at_smaller,
                       const DeathChoice& deaths_at_larger);

// log of the ratio for a swap from `current`, whose coordinate at `gone` was removed, to
// `proposal`, whose coordinate at `come` was added; births are chosen at the point between them.
double log_swap_ratio(const GainModel& model, const Point& current, std::size_t gone,
                      const DeathChoice& deaths, const Point& proposal, std::size_t come,
                      const DeathChoice& deaths_back, const BirthChoice& births_between);

// Makes sure that a point's evaluation has what a move needs. Evaluation depends on theta alone, so
// this changes no law.
template <Risk R>
void require(const GibbsPosterior<R>& target, Point& point, Request need) {
  const Request have = point.evaluation.have;
  if (have.covers(need)) return;
  target.risk.evaluate(
      point.theta,
      {need.gradient || have.gradient, need.curvature || have.curvature, need.inactive, need.into},
      point.evaluation);
}

// Completes a point whose theta is new. False, with nothing evaluated, if the prior gives it no
// mass.
template <Risk R>
bool arrive(const GibbsPosterior<R>& target, Point& point, Request need) {
  point.log_prior = target.prior.log_density(point.theta);
  if (point.log_prior == -std::numeric_limits<double>::infinity()) return false;
  target.risk.evaluate(point.theta, need, point.evaluation);
  return true;
}

// Accepts or rejects `proposal` and leaves the outcome in `current`.
inline StepOutcome settle(Move move, double log_ratio, Point& current, Point& proposal,
                          RandomStream& stream) {
  const StepOutcome outcome{move, accept_or_reject(log_ratio, stream), log_ratio};
  if (outcome.verdict == Verdict::accepted) std::swap(current, proposal);
  return outcome;
}

inline StepOutcome rejected(Move move) {
  return {move, Verdict::rejected, -std::numeric_limits<double>::infinity()};
}

template <LayeredRisk R>
StepOutcome step(const BirthDeathKernel&, const GibbsPosterior<R>& target, Point& current,
                 SingleWeightScratch& scratch, RandomStream& stream) {
  const GainModel model(target.prior, target.lambda);
  const std::uint64_t size = current.theta.size();
  Point& proposal = scratch.proposal;
  proposal.theta = current.theta;
  if (stream.uniform() < birth_probability(size, model.parameter_count)) {
    const LiveNetwork& network = target.risk.live_network(current.theta);
    const BirthClasses classes = birth_classes(network, model.parameter_count);
    const bool felt = stream.uniform() < classes.felt_share;
    const UnitPlace into = felt ? network.live_unit(stream.below(classes.live_units)) : UnitPlace{};
    require(target, current, birth_request(into));
    scratch.births.build(current, model, target.risk.live_network(current.theta), into);
    if (felt && !scratch.births.any_into_unit()) return rejected(Move::add);
    const std::uint64_t added =
        felt ? scratch.births.draw_into_unit(stream) : draw_unfelt(network, current.theta, stream);
    proposal.theta.insert(added, scratch.births.value_law(added).draw(stream, model.bound));
    if (!arrive(target, proposal, death_request)) return rejected(Move::add);
    scratch.deaths.build(proposal, model);
    const double log_ratio =
        proposal.log_posterior(target.lambda) - current.log_posterior(target.lambda) +
        log_birth_ratio(model, current, proposal, proposal.theta.position(added), scratch.births,
                        scratch.deaths);
    return settle(Move::add, log_ratio, current, proposal, stream);
  }
  require(target, current, death_request);
  scratch.deaths.build(current, model);
  const std::size_t position = scratch.deaths.draw(stream);
  const std::uint64_t gone = current.theta.index[position];
  proposal.theta.erase_position(position);
  const UnitPlace into = feeling_unit(target.risk.live_network(proposal.theta), gone);
  if (!arrive(target, proposal, birth_request(into))) return rejected(Move::remove);
  scratch.births.build(proposal, model, target.risk.live_network(proposal.theta), into);
  const double log_ratio =
      proposal.log_posterior(target.lambda) - current.log_posterior(target.lambda) -
      log_birth_ratio(model, proposal, current, position, scratch.births, scratch.deaths);
  return settle(Move::remove, log_ratio, current, proposal, stream);
}

template <LayeredRisk R>
StepOutcome step(const SwapKernel&, const GibbsPosterior<R>& target, Point& current,
                 SingleWeightScratch& scratch, RandomStream& stream) {
  const GainModel model(target.prior, target.lambda);
  require(target, current, death_request);
  scratch.deaths.build(current, model);
  const std::size_t gone = scratch.deaths.draw(stream);
  Point& between = scratch.between;
  between.theta = current.theta;
  between.theta.erase_position(gone);
  const UnitPlace into =
      feeling_unit(target.risk.live_network(between.theta), current.theta.index[gone]);
  if (into.layer == 0) return rejected(Move::swap);  // on the way back it would be the same
  // The point between may be empty, where the prior has no mass; it only has to be evaluated.
  target.risk.evaluate(between.theta, birth_request(into), between.evaluation);
  scratch.births.build(between, model, target.risk.live_network(between.theta), into);
  const std::uint64_t added = scratch.births.draw_into_unit(stream);
  Point& proposal = scratch.proposal;
  proposal.theta = between.theta;
  proposal.theta.insert(added, scratch.births.value_law(added).draw(stream, model.bound));
  if (!arrive(target, proposal, death_request)) return rejected(Move::swap);
  scratch.deaths_back.build(proposal, model);
  const double log_ratio =
      proposal.log_posterior(target.lambda) - current.log_posterior(target.lambda) +
      log_swap_ratio(model, current, gone, scratch.deaths, proposal, proposal.theta.position(added),
                     scratch.deaths_back, scratch.births);
  return settle(Move::swap, log_ratio, current, proposal, stream);
}

static_assert(Kernel<BirthDeathKernel> && Kernel<SwapKernel>);

}  // namespace lacuna
