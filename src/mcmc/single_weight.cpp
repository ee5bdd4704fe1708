#include "mcmc/single_weight.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

// Probability of choosing among coordinates that f can feel when there are others too. Dead weights
// have a move of their own.
constexpr double felt_probability = 0.95;
// Marks a coordinate with h = 0 among logarithms of weights.
constexpr double flat = -std::numeric_limits<double>::infinity();
const double log_sqrt_two_pi = 0.5 * std::log(2.0 * std::numbers::pi);

double share_of_first(bool any_felt, bool any_other) {
  if (!any_other) return 1.0;
  return any_felt ? felt_probability : 0.0;
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

BirthClasses birth_classes(const LiveNetwork& network, std::uint64_t parameter_count) {
  const std::uint64_t felt = network.count_candidates();
  const std::uint64_t unfelt = parameter_count - network.active_count() - felt;
  return {network.live_hidden_units() + 1, unfelt, share_of_first(felt > 0, unfelt > 0)};
}

std::uint64_t draw_unfelt(const LiveNetwork& network, const SparseTheta& theta,
                          RandomStream& stream) {
  const std::uint64_t count = network.architecture().parameter_count();
  while (true) {  // most coordinates of a sparse network qualify
    const std::uint64_t index = stream.below(count);
    if (!theta.contains(index) && !network.is_candidate(index)) return index;
  }
}

void BirthChoice::build(const Point& point, const GainModel& model, const LiveNetwork& network,
                        UnitPlace into) {
  const BirthClasses classes = birth_classes(network, model.parameter_count);
  live_units_ = classes.live_units;
  unfelt_count_ = classes.unfelt_count;
  felt_share_ = classes.felt_share;
  rivals_.clear();
  total_ = 0.0;
  if (into.layer == 0) return;
  double largest = -std::numeric_limits<double>::infinity();
  for (const InactiveDerivative& d : point.evaluation.inactive) {
    const Place place = network.architecture().place(d.index);
    if (place.layer != into.layer || place.destination != into.unit) continue;
    ValueLaw law;
    double half = 0.0;
    if (d.curvature > 0.0) {
      law = law_at(d.gradient, d.curvature, model);
      half = 0.5 * gain(law, model);
    }
    if (std::isnan(half)) {  // an overflow: nothing is known of this coordinate
      law = {};
      half = 0.0;
    }
    rivals_.push_back({d.index, half, law});
    largest = std::max(largest, half);
  }
  for (Rival& rival : rivals_) {
    rival.weight = std::exp(rival.weight - largest);
    total_ += rival.weight;
  }
}

const BirthChoice::Rival* BirthChoice::find(std::uint64_t index) const {
  const auto found = std::lower_bound(rivals_.begin(), rivals_.end(), index,
                                      [](const Rival& r, std::uint64_t i) { return r.index < i; });
  return found != rivals_.end() && found->index == index ? &*found : nullptr;
}

std::uint64_t BirthChoice::draw_into_unit(RandomStream& stream) const {
  double left = stream.uniform() * total_;
  for (const Rival& rival : rivals_) {
    left -= rival.weight;
    if (left < 0.0) return rival.index;
  }
  return rivals_.back().index;
}

double BirthChoice::log_probability_into_unit(std::uint64_t index) const {
  const Rival* rival = find(index);
  return rival != nullptr ? std::log(rival->weight / total_)
                          : -std::numeric_limits<double>::infinity();
}

double BirthChoice::log_probability(std::uint64_t index) const {
  const bool without_class = has_bug(PlantedBug::class_probability_missing);
  if (find(index) != nullptr) {
    const double units = static_cast<double>(live_units_);
    return (without_class ? 0.0 : std::log(felt_share_)) -
           (has_bug(PlantedBug::unit_probability_missing) ? 0.0 : std::log(units)) +
           log_probability_into_unit(index);
  }
  return (without_class ? 0.0 : std::log1p(-felt_share_)) -
         std::log(static_cast<double>(unfelt_count_));
}

ValueLaw BirthChoice::value_law(std::uint64_t index) const {
  const Rival* rival = find(index);
  return rival != nullptr ? rival->law : ValueLaw{};
}

void DeathChoice::build(const Point& point, const GainModel& model) {
  const std::size_t size = point.theta.size();
  log_weight_.assign(size, flat);
  flat_count_ = 0;
  double largest = flat;
  for (std::size_t k = 0; k < size; ++k) {
    const double h = point.evaluation.curvature[k];
    const double g = point.evaluation.gradient[k] - h * point.theta.value[k];
    const double half =
        h > 0.0 ? 0.5 * gain(law_at(g, h, model), model) : std::numeric_limits<double>::quiet_NaN();
    if (std::isfinite(half)) {
      log_weight_[k] = -half;
      largest = std::max(largest, -half);
    } else {
      ++flat_count_;  // also after an overflow
    }
  }
  total_ = 0.0;
  for (double& w : log_weight_) {
    if (w == flat) continue;
    w -= largest;
    total_ += std::exp(w);
  }
  curved_share_ = share_of_first(flat_count_<size, flat_count_> 0);
}

std::size_t DeathChoice::draw(RandomStream& stream) const {
  if (stream.uniform() < curved_share_) {
    double left = stream.uniform() * total_;
    std::size_t last = 0;
    for (std::size_t k = 0; k < log_weight_.size(); ++k) {
      if (log_weight_[k] == flat) continue;
      left -= std::exp(log_weight_[k]);
      last = k;
      if (left < 0.0) break;
    }
    return last;
  }
  std::uint64_t wanted = stream.below(flat_count_);
  for (std::size_t k = 0; k < log_weight_.size(); ++k) {
    if (log_weight_[k] == flat && wanted-- == 0) return k;
  }
  return log_weight_.size() - 1;
}

double DeathChoice::log_probability(std::size_t position) const {
  if (log_weight_[position] != flat)
    return std::log(curved_share_) + log_weight_[position] - std::log(total_);
  const std::size_t count =
      has_bug(PlantedBug::count_of_all_active) ? log_weight_.size() : flat_count_;
  return std::log1p(-curved_share_) - std::log(static_cast<double>(count));
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
    return births_between.log_probability_into_unit(index) +
           births_between.value_law(index).log_density(point.theta.value[position], model.bound);
  };
  const double forward = deaths.log_probability(gone) + birth(proposal, come);
  const double backward = deaths_back.log_probability(come) + birth(current, gone);
  return has_bug(PlantedBug::swap_sign) ? forward - backward : backward - forward;
}

}  // namespace lacuna
