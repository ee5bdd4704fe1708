#include "report/unit_matching.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>

#include "network/live_network.hpp"
#include "report/picture_support.hpp"
#include "support/random.hpp"

namespace lacuna::report {
namespace {

constexpr std::size_t most_draws = 1000;
constexpr double most_products = 2e9;  // of outputs, over all draws

using Values = std::vector<double>;

// Coordinates of the points in scaled units: points[j][i].
std::vector<Values> points_in_box(const FitInfo& info) {
  const std::size_t inputs = info.input_names.size(), probes = info.probes.rows.size();
  std::vector<Values> points(inputs, Values(points_compared));
  RandomStream stream({info.config.seed, 0, 0, 0, Purpose::report});
  for (std::size_t j = 0; j < inputs; ++j) {
    // Standardised inputs of files that kept no probe points.
    double low = -std::sqrt(3.0), high = std::sqrt(3.0);
    if (probes > 0) {
      const auto ends = std::ranges::minmax(std::span(info.probes.x).subspan(j * probes, probes));
      low = ends.min;
      high = ends.max;
    }
    for (double& value : points[j]) value = low + (high - low) * stream.uniform();
  }
  return points;
}

struct Unit {
  Values output;                           // at the points
  Values shape;                            // output less its mean, of length one; empty: constant
  std::map<std::size_t, double> incoming;  // by source; the shift comes last
};

struct Weight {
  Edge edge;
  double value;
};

// The live part of one network, unit by unit.
class Snapshot {
 public:
  Snapshot(const Architecture& architecture, const std::vector<Values>& points)
      : architecture_(architecture), points_(points), live_(architecture) {}

  void take(const DrawView& draw) {
    live_.build(draw.index);
    layers_.assign(architecture_.hidden_layers() + 1, {});
    weights_.clear();
    shifts_.clear();
    for (std::size_t k = 0; k < draw.index.size(); ++k) {
      if (!live_.slot_is_live(k)) continue;
      const Place at = architecture_.place(draw.index[k]);
      const UnitName to{at.layer, at.destination};
      if (at.shift) {
        shifts_[to] = draw.value[k];
      } else {
        weights_.push_back({{{at.layer - 1, at.source}, to}, draw.value[k]});
      }
      if (at.layer < layers_.size())
        layers_[at.layer][at.destination].incoming[at.shift ? shift_key : at.source] =
            draw.value[k];
    }
    for (std::size_t layer = 1; layer < layers_.size(); ++layer) compute(layer);
  }

  // Hidden layers from 1; layer 0 is empty.
  const std::map<std::size_t, Unit>& layer(std::size_t l) const { return layers_[l]; }
  std::size_t hidden_layers() const { return layers_.size() - 1; }
  const std::vector<Weight>& weights() const { return weights_; }
  const std::map<UnitName, double>& shifts() const { return shifts_; }

  static constexpr std::size_t shift_key = static_cast<std::size_t>(-1);

 private:
  void compute(std::size_t layer) {
    for (auto& [name, unit] : layers_[layer]) {
      unit.output.assign(points_compared, 0.0);
      for (const auto& [source, weight] : unit.incoming) {
        for (std::size_t i = 0; i < points_compared; ++i) {
          unit.output[i] += weight * (source == shift_key ? 1.0
                                      : layer == 1        ? points_[source][i]
                                                          : layers_[layer - 1][source].output[i]);
        }
      }
      double mean = 0.0, squares = 0.0;
      for (double& value : unit.output) mean += value = std::max(value, 0.0);
      mean /= static_cast<double>(points_compared);
      for (const double value : unit.output) squares += (value - mean) * (value - mean);
      if (!(squares > 1e-20)) continue;
      for (const double value : unit.output)
        unit.shape.push_back((value - mean) / std::sqrt(squares));
    }
  }

  Architecture architecture_;
  const std::vector<Values>& points_;
  LiveNetwork live_;
  std::vector<std::map<std::size_t, Unit>> layers_;
  std::vector<Weight> weights_;
  std::map<UnitName, double> shifts_;
};

using Counterparts = std::map<UnitName, UnitName>;  // of a draw's units in the best network

// Sources of the draw by the names that they have in the best network.
double cosine(const Unit& best, const Unit& unit, std::size_t layer, const Counterparts& known) {
  double product = 0.0, one = 0.0, two = 0.0;
  for (const auto& [source, weight] : best.incoming) one += weight * weight;
  for (const auto& [source, weight] : unit.incoming) {
    two += weight * weight;
    std::size_t name = source;
    if (layer > 1 && source != Snapshot::shift_key) {
      const auto found = known.find({layer - 1, source});
      if (found == known.end()) continue;
      name = found->second.unit;
    }
    const auto same = best.incoming.find(name);
    if (same != best.incoming.end()) product += weight * same->second;
  }
  return product / std::sqrt(one * two);
}

double similarity(const Unit& best, const Unit& unit, std::size_t layer,
                  const Counterparts& known) {
  if (best.shape.empty() || unit.shape.empty()) {
    return best.shape.empty() && unit.shape.empty() ? cosine(best, unit, layer, known) : 0.0;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < points_compared; ++i) sum += best.shape[i] * unit.shape[i];
  return sum;
}

Counterparts counterparts(const Snapshot& best, const Snapshot& draw) {
  Counterparts known;
  for (std::size_t layer = 1; layer <= best.hidden_layers(); ++layer) {
    std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
    for (const auto& [a, best_unit] : best.layer(layer)) {
      for (const auto& [b, unit] : draw.layer(layer)) {
        const double alike = similarity(best_unit, unit, layer, known);
        // Of pairs that are equally alike, those that kept their place come first.
        if (alike >= least_similarity) pairs.emplace_back(-alike - (a == b ? 1e-9 : 0.0), a, b);
      }
    }
    std::ranges::sort(pairs);
    std::map<std::size_t, std::size_t> taken;
    for (const auto& [order, a, b] : pairs) {
      if (taken.contains(a) || known.contains({layer, b})) continue;
      taken[a] = b;
      known[{layer, b}] = {layer, a};
    }
  }
  return known;
}

std::size_t draws_affordable(const Snapshot& best) {
  double products = 1.0;
  for (std::size_t layer = 1; layer <= best.hidden_layers(); ++layer) {
    const auto units = static_cast<double>(best.layer(layer).size());
    products += units * units * static_cast<double>(points_compared);
  }
  return static_cast<std::size_t>(
      std::clamp(most_products / products, 20.0, static_cast<double>(most_draws)));
}

// Adds up what one draw has in common with the best network.
class Counter {
 public:
  Counter(MatchedNetworks& out, std::size_t output_layer) : out_(out), output_(output_layer) {}

  void add(const Snapshot& best, const Snapshot& draw) {
    ++out_.draws;
    const Counterparts known = counterparts(best, draw);
    for (const auto& [unit, name] : known) out_.units[name] += 1.0;
    for (std::size_t layer = 1; layer <= draw.hidden_layers(); ++layer)
      live_ += static_cast<double>(draw.layer(layer).size());
    known_ += static_cast<double>(known.size());
    const auto name_of = [&](UnitName unit) -> std::optional<UnitName> {
      if (unit.layer == 0 || unit.layer == output_) return unit;
      const auto found = known.find(unit);
      return found == known.end() ? std::nullopt : std::optional(found->second);
    };
    for (const Weight& weight : draw.weights()) {
      const auto from = name_of(weight.edge.from), to = name_of(weight.edge.to);
      if (!from || !to) continue;
      Presence& seen = out_.edges[{*from, *to}];
      seen.share += 1.0;
      seen.positive += weight.value > 0.0;
    }
    for (const auto& [unit, value] : draw.shifts()) {
      if (const auto name = name_of(unit)) out_.shifts[*name] += 1.0;
    }
  }

  void finish() {
    const double n = static_cast<double>(std::max<std::size_t>(out_.draws, 1));
    for (auto& [unit, times] : out_.units) times /= n;
    for (auto& [unit, times] : out_.shifts) times /= n;
    for (auto& [edge, seen] : out_.edges) {
      seen.positive /= seen.share;
      seen.share /= n;
    }
    out_.known_share = live_ > 0.0 ? known_ / live_ : 1.0;
  }

 private:
  MatchedNetworks& out_;
  std::size_t output_;
  double live_ = 0.0, known_ = 0.0;
};

}  // namespace

MatchedNetworks match_units(const Fit& fit) {
  MatchedNetworks out;
  out.best = fit.best_network();
  const FitInfo& info = fit.info();
  const Architecture architecture(info.input_names.size(), info.config.widths);
  const std::vector<Values> points = points_in_box(info);
  Snapshot best(architecture, points), draw(architecture, points);
  std::vector<std::uint64_t> index;
  std::vector<double> value;
  for (const WeightView& w : out.best.weights) {
    index.push_back(w.shift ? architecture.shift_index(w.layer, w.destination)
                            : architecture.weight_index(w.layer, w.destination, w.source));
    value.push_back(w.value);
  }
  best.take({0, 0, 0.0, 0.0, index, value});
  for (std::size_t layer = 1; layer <= best.hidden_layers(); ++layer)
    for (const auto& [unit, content] : best.layer(layer)) out.units[{layer, unit}] = 0.0;

  const std::vector<std::size_t> looked_at =
      evenly_chosen(static_cast<std::size_t>(fit.draws()), draws_affordable(best));
  Counter counter(out, architecture.layers());
  auto next = looked_at.begin();
  std::size_t k = 0;
  fit.for_each_draw([&](const DrawView& view) {
    if (next == looked_at.end() || *next != k++) return;
    ++next;
    draw.take(view);
    counter.add(best, draw);
  });
  counter.finish();
  return out;
}

}  // namespace lacuna::report
