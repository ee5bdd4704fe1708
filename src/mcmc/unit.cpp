#include "mcmc/unit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

// A shift costs as much prior mass as a weight; units without one have their kink at the origin.
constexpr double shift_probability = 0.75;

// A second source, where there is one, is as likely as not.
double probability_of_two(std::size_t sources) { return sources > 1 ? 0.5 : 0.0; }

std::uint32_t position_of(const std::vector<LiveUnit>& units, std::uint64_t unit) {
  const auto found =
      std::lower_bound(units.begin(), units.end(), unit,
                       [](const LiveUnit& a, std::uint64_t b) { return a.unit < b; });
  return static_cast<std::uint32_t>(found - units.begin());
}

std::uint64_t number_of(const LiveNetwork& network, std::size_t layer, std::uint32_t position) {
  return layer == 0 ? position : network.layer(layer).units[position].unit;
}

}  // namespace

void UnitBirths::build(const LiveNetwork& network, const Paths& paths, double bound) {
  bound_ = bound;
  used_ = 0;
  if (layers_.size() < network.layers()) layers_.resize(network.layers());
  for (std::size_t l = 1; l < network.layers(); ++l) {
    const std::size_t sources =
        l == 1 ? network.architecture().inputs() : network.layer(l - 1).units.size();
    Layer& layer = layers_[used_];
    layer.number = l;
    layer.vacant = paths.vacant_units(l);
    layer.destinations.clear();
    const LiveLayer& next = network.layer(l + 1);
    for (std::uint32_t d = 0; d < next.units.size(); ++d) {
      if (next.units[d].live) layer.destinations.push_back(d);
    }
    if (layer.vacant == 0 || sources == 0 || layer.destinations.empty()) continue;
    // Half of the probability is uniform, half goes by how many live weights use a source already:
    // where most inputs are noise, a new unit had better try those that have proved useful.
    layer.share.assign(sources, 0.0);
    double uses = 0.0;
    for (const LiveUnit& unit : network.layer(l).units) {
      for (std::uint32_t e = unit.first_edge; unit.live && e < unit.last_edge; ++e) {
        layer.share[network.layer(l).edges[e].neighbour] += 1.0;
        uses += 1.0;
      }
    }
    const double even = (uses > 0.0 ? 0.5 : 1.0) / static_cast<double>(sources);
    for (double& share : layer.share) share = even + (uses > 0.0 ? 0.5 * share / uses : 0.0);
    ++used_;
  }
}

std::uint32_t UnitBirths::draw_source(const Layer& layer, RandomStream& stream) const {
  double left = stream.uniform();
  std::uint32_t s = 0;
  for (; s + 1 < layer.share.size(); ++s) {
    left -= layer.share[s];
    if (left < 0.0) break;
  }
  return s;
}

UnitPlan UnitBirths::draw(RandomStream& stream) const {
  const Layer& layer = layers_[stream.below(used_)];
  UnitPlan plan;
  plan.layer = layer.number;
  plan.destination = layer.destinations[stream.below(layer.destinations.size())];
  UnitInput& input = plan.input;
  input.count = stream.uniform() < probability_of_two(layer.share.size()) ? 2 : 1;
  input.source[0] = draw_source(layer, stream);
  if (input.count == 2) {
    do {
      input.source[1] = draw_source(layer, stream);
    } while (input.source[1] == input.source[0]);
    if (input.source[1] < input.source[0]) std::swap(input.source[0], input.source[1]);
  }
  for (std::size_t j = 0; j < input.count; ++j) input.weight[j] = stream.uniform(-bound_, bound_);
  plan.has_shift = stream.uniform() < shift_probability;
  if (plan.has_shift) input.shift = stream.uniform(-bound_, bound_);
  return plan;
}

double UnitBirths::log_density(const UnitPlan& plan) const {
  const Layer& layer = *std::ranges::find(possible_layers(), plan.layer, &Layer::number);
  const UnitInput& input = plan.input;
  const double two = probability_of_two(layer.share.size());
  const double first = layer.share[input.source[0]];
  double sources = (1.0 - two) * first;
  if (input.count == 2) {
    // Either may have been drawn first.
    const double second = layer.share[input.source[1]];
    sources = two * first * second * (1.0 / (1.0 - first) + 1.0 / (1.0 - second));
  }
  const double vacant =
      has_bug(PlantedBug::vacant_units_not_counted) ? 1.0 : static_cast<double>(layer.vacant);
  const double places =
      static_cast<double>(used_) * vacant * static_cast<double>(layer.destinations.size());
  return std::log(sources / places) +
         std::log(plan.has_shift ? shift_probability : 1.0 - shift_probability) -
         static_cast<double>(plan.coordinates() - 1) * std::log(2.0 * bound_);
}

void UnitDeaths::build(const LiveNetwork& network, const Point& point, const Prior& prior,
                       const GainModel& model) {
  units_.clear();
  for (std::size_t l = 1; l < network.layers(); ++l) {
    const LiveLayer& here = network.layer(l);
    const LiveLayer& next = network.layer(l + 1);
    live_out_.assign(here.units.size(), 0);
    out_slot_.assign(here.units.size(), no_slot);
    out_unit_.assign(here.units.size(), 0);
    for (const LiveUnit& to : next.units) {
      if (!to.live) continue;
      // A unit that nothing else reaches would not be there as a destination after the death.
      const bool stays =
          l + 1 == network.layers() || to.shift_slot != no_slot || to.last_edge - to.first_edge > 1;
      for (std::uint32_t e = to.first_edge; e < to.last_edge; ++e) {
        const std::uint32_t from = next.edges[e].neighbour;
        ++live_out_[from];
        out_slot_[from] = stays ? next.edges[e].slot : no_slot;
        out_unit_[from] = to.unit;
      }
    }
    for (std::uint32_t u = 0; u < here.units.size(); ++u) {
      const LiveUnit& unit = here.units[u];
      const std::size_t count = unit.last_edge - unit.first_edge;
      if (live_out_[u] != 1 || out_slot_[u] == no_slot || count < 1 || count > 2) continue;
      if (!(point.evaluation.curvature[out_slot_[u]] > 0.0)) continue;  // no birth is worth it
      RemovableUnit found{l, unit.unit, out_unit_[u], count, {}, {}, unit.shift_slot, out_slot_[u]};
      for (std::uint32_t j = 0; j < count; ++j) {
        const Link edge = here.edges[unit.first_edge + j];
        found.source[j] = number_of(network, l - 1, edge.neighbour);
        found.incoming[j] = edge.slot;
      }
      units_.push_back(found);
    }
  }
  const std::size_t size = point.theta.size();
  weight_.clear();
  for (const RemovableUnit& unit : units_) {
    const std::size_t k = unit.outgoing;
    const double h = point.evaluation.curvature[k];
    const ValueLaw law = law_at(point.evaluation.gradient[k] - h * point.theta.value[k], h, model);
    const double cost =
        prior.log_density_of_size(size) -
        prior.log_density_of_size(std::max<std::size_t>(size - unit.coordinates(), 1));
    weight_.push_back(-0.5 * (gain(law, model) + cost));
  }
  if (units_.empty()) return;
  const double largest = *std::ranges::max_element(weight_);
  total_ = 0.0;
  for (double& w : weight_) {
    w = std::exp(w - largest);
    total_ += w;
  }
}

std::size_t UnitDeaths::draw(RandomStream& stream) const {
  double left = stream.uniform() * total_;
  std::size_t k = 0;
  for (; k + 1 < weight_.size(); ++k) {
    left -= weight_[k];
    if (left < 0.0) break;
  }
  return k;
}

std::size_t UnitDeaths::find(std::size_t layer, std::uint64_t unit) const {
  const auto found = std::ranges::find_if(
      units_, [&](const RemovableUnit& u) { return u.layer == layer && u.unit == unit; });
  return static_cast<std::size_t>(found - units_.begin());
}

double UnitDeaths::log_probability(std::size_t k) const {
  return k < weight_.size() ? std::log(weight_[k] / total_)
                            : -std::numeric_limits<double>::infinity();
}

UnitCandidate judge_unit(const UnitPlan& plan, const UnitBirths& births, const UnitSignals& signals,
                         const Prior& prior, const GainModel& model, std::uint64_t size) {
  const OutgoingDerivative d = signals.outgoing(plan.layer, plan.destination, plan.input);
  UnitCandidate candidate{plan, births.log_density(plan), law_at(d.gradient, d.curvature, model),
                          0.0};
  // gain() has the prior density 1 / (2B) of the outgoing value, which pi(k + c) has too.
  candidate.log_worth = prior.log_density_of_size(size + plan.coordinates()) -
                        prior.log_density_of_size(size) + gain(candidate.law, model) +
                        std::log(2.0 * model.bound) - candidate.log_density;
  // A unit that is zero at every row would be added for nothing, and such units outnumber useful
  // ones: they are left to moves of one weight. An overflow is never taken either.
  if (!(d.curvature > 0.0) || std::isnan(candidate.log_worth))
    candidate.log_worth = -std::numeric_limits<double>::infinity();
  return candidate;
}

std::size_t choose_unit(const std::vector<UnitCandidate>& candidates, RandomStream& stream) {
  const double largest =
      std::ranges::max_element(candidates, {}, &UnitCandidate::log_worth)->log_worth;
  double total = 0.0;
  for (const UnitCandidate& c : candidates) total += std::exp(c.log_worth - largest);
  if (!(total > 0.0)) return candidates.size();
  double left = stream.uniform() * total;
  std::size_t k = 0;
  for (; k + 1 < candidates.size(); ++k) {
    left -= std::exp(candidates[k].log_worth - largest);
    if (left < 0.0) break;
  }
  return k;
}

void add_unit(const UnitPlan& plan, std::uint64_t unit, double outgoing, const LiveNetwork& network,
              SparseTheta& theta) {
  const Architecture& shape = network.architecture();
  for (std::size_t j = 0; j < plan.input.count; ++j) {
    theta.insert(shape.weight_index(plan.layer, unit,
                                    number_of(network, plan.layer - 1, plan.input.source[j])),
                 plan.input.weight[j]);
  }
  if (plan.has_shift) theta.insert(shape.shift_index(plan.layer, unit), plan.input.shift);
  theta.insert(shape.weight_index(plan.layer + 1,
                                  number_of(network, plan.layer + 1, plan.destination), unit),
               outgoing);
}

void remove_unit(const RemovableUnit& unit, SparseTheta& theta) {
  // Slots increase from incoming weights to shift to outgoing weight: the last goes first.
  theta.erase_position(unit.outgoing);
  if (unit.shift != no_slot) theta.erase_position(unit.shift);
  for (std::size_t j = unit.count; j-- > 0;) theta.erase_position(unit.incoming[j]);
}

UnitPlan plan_of(const RemovableUnit& unit, const SparseTheta& larger, const LiveNetwork& network) {
  UnitPlan plan;
  plan.layer = unit.layer;
  plan.destination = position_of(network.layer(unit.layer + 1).units, unit.destination);
  plan.has_shift = unit.shift != no_slot;
  plan.input.count = unit.count;
  for (std::size_t j = 0; j < unit.count; ++j) {
    plan.input.source[j] = unit.layer == 1
                               ? static_cast<std::uint32_t>(unit.source[j])
                               : position_of(network.layer(unit.layer - 1).units, unit.source[j]);
    plan.input.weight[j] = larger.value[unit.incoming[j]];
  }
  if (plan.has_shift) plan.input.shift = larger.value[unit.shift];
  return plan;
}

double log_unit_ratio(const GainModel& model, const Point& smaller, const Point& larger,
                      const std::vector<UnitCandidate>& candidates, std::size_t chosen,
                      double outgoing, double log_death) {
  const double largest =
      std::ranges::max_element(candidates, {}, &UnitCandidate::log_worth)->log_worth;
  double total = 0.0;
  for (const UnitCandidate& c : candidates) total += std::exp(c.log_worth - largest);
  const double log_mean = largest + std::log(total / static_cast<double>(candidates.size()));
  const UnitCandidate& born = candidates[chosen];
  return larger.log_posterior(model.lambda) - smaller.log_posterior(model.lambda) + log_death -
         (born.log_density + born.log_worth + born.law.log_density(outgoing, model.bound)) +
         log_mean;
}

}  // namespace lacuna
