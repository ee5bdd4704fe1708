#include "mcmc/single_weight.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

// Probability of choosing among coordinates with h > 0 when there are others too. Dead weights have
// a move of their own; what is left are live ones that matter at no row.
constexpr double curved_probability = 0.95;
const double log_sqrt_two_pi = 0.5 * std::log(2.0 * std::numbers::pi);

double share_of_curved(bool any_curved, bool any_flat) {
  if (!any_flat) return 1.0;
  return any_curved ? curved_probability : 0.0;
}

}  // namespace

ValueLaw law_at(double gradient, double curvature, const GainModel& model) {
  const double variance = 1.0 / (model.lambda * curvature + model.kappa);
  return {false, -model.lambda * gradient * variance, std::sqrt(variance)};
}

// mean^2 / (2 sd^2) equals (lambda g s)^2 / 2.
double gain(const ValueLaw& law, const GainModel& model) {
  return 0.5 * law.mean * law.mean / (law.sd * law.sd) + std::log(law.sd / (2.0 * model.bound)) +
         log_sqrt_two_pi;
}

double ValueLaw::draw(RandomStream& stream, double bound) const {
  return uniform ? stream.uniform(-bound, bound) : mean + sd * stream.normal();
}

double ValueLaw::log_density(double value, double bound) const {
  if (uniform) return -std::log(2.0 * bound);
  const double z = (value - mean) / sd;
  return -0.5 * z * z - std::log(sd) - log_sqrt_two_pi;
}

void BirthChoice::build(const Point& point, const GainModel& model) {
  curved_.clear();
  gains_.clear();
  excluded_.clear();
  double largest = -std::numeric_limits<double>::infinity();
  for (const InactiveDerivative& d : point.evaluation.inactive) {
    if (!(d.curvature > 0.0)) continue;
    const ValueLaw law = law_at(d.gradient, d.curvature, model);
    const double half = 0.5 * gain(law, model);
    if (std::isnan(half)) continue;  // an overflow: the coordinate counts as flat
    curved_.push_back({d.index, 0.0, law});
    gains_.push_back(half);
    largest = std::max(largest, half);
    excluded_.push_back(d.index);
  }
  total_ = 0.0;
  for (std::size_t k = 0; k < curved_.size(); ++k) {
    curved_[k].weight = std::exp(gains_[k] - largest);
    total_ += curved_[k].weight;
  }
  const auto curved_end = static_cast<std::ptrdiff_t>(excluded_.size());
  excluded_.insert(excluded_.end(), point.theta.index.begin(), point.theta.index.end());
  std::inplace_merge(excluded_.begin(), excluded_.begin() + curved_end, excluded_.end());
  flat_count_ = model.parameter_count - excluded_.size();
  curved_share_ = share_of_curved(!curved_.empty(), flat_count_ > 0);
}

const BirthChoice::Curved* BirthChoice::find(std::uint64_t index) const {
  const auto found = std::lower_bound(curved_.begin(), curved_.end(), index,
                                      [](const Curved& c, std::uint64_t i) { return c.index < i; });
  return found != curved_.end() && found->index == index ? &*found : nullptr;
}

std::uint64_t BirthChoice::draw(RandomStream& stream) const {
  if (stream.uniform() < curved_share_) {
    double left = stream.uniform() * total_;
    for (const Curved& c : curved_) {
      left -= c.weight;
      if (left < 0.0) return c.index;
    }
    return curved_.back().index;
  }
  // The k-th coordinate in no exclusion: each excluded one at or below shifts it by one.
  std::uint64_t k = stream.below(flat_count_);
  for (const std::uint64_t index : excluded_) {
    if (index > k) break;
    ++k;
  }
  return k;
}

double BirthChoice::log_probability(std::uint64_t index) const {
  if (const Curved* c = find(index)) return std::log(curved_share_) + std::log(c->weight / total_);
  return std::log1p(-curved_share_) - std::log(static_cast<double>(flat_count_));
}

ValueLaw BirthChoice::value_law(std::uint64_t index) const {
  const Curved* c = find(index);
  return c != nullptr ? c->law : ValueLaw{};
}

void DeathChoice::build(const Point& point, const GainModel& model) {
  const std::size_t size = point.theta.size();
  weight_.assign(size, 0.0);
  flat_count_ = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < size; ++k) {
    const double h = point.evaluation.curvature[k];
    const double half =
        h > 0.0
            ? 0.5 * gain(law_at(point.evaluation.gradient[k] - h * point.theta.value[k], h, model),
                         model)
            : std::numeric_limits<double>::quiet_NaN();
    weight_[k] = half;  // NaN marks a flat coordinate until the weights are in place
    if (std::isnan(half)) {
      ++flat_count_;
    } else {
      least = std::min(least, half);
    }
  }
  total_ = 0.0;
  for (double& w : weight_) {
    w = std::isnan(w) ? 0.0 : std::exp(least - w);
    total_ += w;
  }
  curved_share_ = share_of_curved(flat_count_<size, flat_count_> 0);
}

std::size_t DeathChoice::draw(RandomStream& stream) const {
  if (stream.uniform() < curved_share_) {
    double left = stream.uniform() * total_;
    std::size_t last = 0;
    for (std::size_t k = 0; k < weight_.size(); ++k) {
      if (weight_[k] == 0.0) continue;
      left -= weight_[k];
      last = k;
      if (left < 0.0) break;
    }
    return last;
  }
  std::uint64_t wanted = stream.below(flat_count_);
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    if (weight_[k] == 0.0 && wanted-- == 0) return k;
  }
  return weight_.size() - 1;
}

double DeathChoice::log_probability(std::size_t position) const {
  if (weight_[position] > 0.0)
    return std::log(curved_share_) + std::log(weight_[position] / total_);
  return std::log1p(-curved_share_) - std::log(static_cast<double>(flat_count_));
}

double birth_probability(std::uint64_t size, std::uint64_t parameter_count) {
  if (size <= 1) return 1.0;
  return size >= parameter_count ? 0.0 : 0.5;
}

double log_birth_ratio(const GainModel& model, const Point& smaller, const Point& larger,
                       std::size_t position, const BirthChoice& births_at_smaller,
                       const DeathChoice& deaths_at_larger) {
  const std::uint64_t index = larger.theta.index[position];
  const double forward =
      std::log(birth_probability(smaller.theta.size(), model.parameter_count)) +
      births_at_smaller.log_probability(index) +
      births_at_smaller.value_law(index).log_density(larger.theta.value[position], model.bound);
  const double backward =
      std::log1p(-birth_probability(larger.theta.size(), model.parameter_count)) +
      deaths_at_larger.log_probability(position);
  return backward - forward;
}

double log_swap_ratio(const GainModel& model, const Point& current, std::size_t gone,
                      const DeathChoice& deaths, const Point& proposal, std::size_t come,
                      const DeathChoice& deaths_back, const BirthChoice& births_between) {
  const auto birth = [&](const Point& point, std::size_t position) {
    const std::uint64_t index = point.theta.index[position];
    return births_between.log_probability(index) +
           births_between.value_law(index).log_density(point.theta.value[position], model.bound);
  };
  const double forward = deaths.log_probability(gone) + birth(proposal, come);
  const double backward = deaths_back.log_probability(come) + birth(current, gone);
  return has_bug(PlantedBug::swap_sign) ? forward - backward : backward - forward;
}

}  // namespace lacuna
