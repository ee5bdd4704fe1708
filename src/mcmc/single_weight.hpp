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
// are close to detailed balance before any correction. Coordinates whose h is zero (dead ones,
// mostly) form a class of their own, in which choice and value are uniform.
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

// Which inactive coordinate to add; needs an evaluation with curvature and inactive derivatives.
class BirthChoice {
 public:
  void build(const Point& point, const GainModel& model);
  std::uint64_t draw(RandomStream& stream) const;
  double log_probability(std::uint64_t index) const;
  ValueLaw value_law(std::uint64_t index) const;

 private:
  struct Curved {
    std::uint64_t index;
    double weight;  // exp(G/2), relative to the largest
    ValueLaw law;
  };
  const Curved* find(std::uint64_t index) const;

  std::vector<Curved> curved_;           // h > 0, increasing index
  std::vector<double> gains_;            // G/2, scratch
  std::vector<std::uint64_t> excluded_;  // active or curved, increasing
  std::uint64_t flat_count_ = 0;
  double total_ = 0.0, curved_share_ = 0.0;
};

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

// Death of one weight, then birth of another, as one proposal through the point between them.
struct SwapKernel {
  using Scratch = SingleWeightScratch;
};

// What choices of an addition and of a removal need to know of a point.
inline constexpr Request birth_request{.gradient = true, .curvature = true, .inactive = true};
inline constexpr Request death_request{.gradient = true, .curvature = true, .inactive = false};

// The probability of trying a birth rather than a death.
double birth_probability(std::uint64_t size, std::uint64_t parameter_count);

// log of the ratio for adding the coordinate at `position` of `larger` to `smaller`; the removal
// has minus this. Needs birth_request at the smaller point and death_request at the larger one, and
// both choices built there.
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
  target.risk.evaluate(point.theta,
                       {need.gradient || have.gradient, need.curvature || have.curvature,
                        need.inactive || have.inactive},
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

template <Risk R>
StepOutcome step(const BirthDeathKernel&, const GibbsPosterior<R>& target, Point& current,
                 SingleWeightScratch& scratch, RandomStream& stream) {
  const GainModel model(target.prior, target.lambda);
  const std::uint64_t size = current.theta.size();
  Point& proposal = scratch.proposal;
  proposal.theta = current.theta;
  if (stream.uniform() < birth_probability(size, model.parameter_count)) {
    require(target, current, birth_request);
    scratch.births.build(current, model);
    const std::uint64_t added = scratch.births.draw(stream);
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
  proposal.theta.erase_position(position);
  if (!arrive(target, proposal, birth_request)) return rejected(Move::remove);
  scratch.births.build(proposal, model);
  const double log_ratio =
      proposal.log_posterior(target.lambda) - current.log_posterior(target.lambda) -
      log_birth_ratio(model, proposal, current, position, scratch.births, scratch.deaths);
  return settle(Move::remove, log_ratio, current, proposal, stream);
}

template <Risk R>
StepOutcome step(const SwapKernel&, const GibbsPosterior<R>& target, Point& current,
                 SingleWeightScratch& scratch, RandomStream& stream) {
  const GainModel model(target.prior, target.lambda);
  require(target, current, death_request);
  scratch.deaths.build(current, model);
  const std::size_t gone = scratch.deaths.draw(stream);
  Point& between = scratch.between;
  between.theta = current.theta;
  between.theta.erase_position(gone);
  // The point between may be empty, where the prior has no mass; it only has to be evaluated.
  target.risk.evaluate(between.theta, birth_request, between.evaluation);
  scratch.births.build(between, model);
  const std::uint64_t added = scratch.births.draw(stream);
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
