// What the network looks like: what the draws have in common, and the single best one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/network_picture.hpp"
#include "report/picture_support.hpp"
#include "report/sections.hpp"
#include "report/unit_matching.hpp"

namespace lacuna::report {
namespace {

constexpr std::size_t most_edges = 400;
constexpr std::size_t most_rows = 1000;
constexpr double least_share = 0.05;

// An edge with its numbers, before it is known which units are drawn.
struct FoundEdge {
  Edge edge;
  double strength;
  bool positive;
  std::string tip;
};

class Naming {
 public:
  explicit Naming(const Material& m) : info_(m.info), last_(m.info.config.widths.size() + 1) {}

  std::string operator()(UnitName unit) const {
    if (unit.layer == 0) return info_.input_names[unit.unit];
    if (unit.layer == last_) return info_.target_name;
    return fmt::format("h{}.{}", unit.layer, unit.unit);
  }
  std::string operator()(const Edge& edge) const {
    return fmt::format("{} → {}", (*this)(edge.from), (*this)(edge.to));
  }
  std::size_t last() const { return last_; }

 private:
  const FitInfo& info_;
  std::size_t last_;
};

// Keeps the strongest edges and the units that they touch; `tip_of` and `shifted` speak of units.
template <class Tip, class Shifted>
NetworkPicture picture_of(std::vector<FoundEdge> found, const Naming& naming, const Tip& tip_of,
                          const Shifted& shifted) {
  if (found.size() > most_edges) {
    std::ranges::stable_sort(found, std::greater<>(), &FoundEdge::strength);
    found.resize(most_edges);
  }
  std::vector<std::map<std::size_t, std::size_t>> place(naming.last() + 1);
  place.back()[0] = 0;
  for (const FoundEdge& edge : found) {
    for (const UnitName unit : {edge.edge.from, edge.edge.to}) place[unit.layer][unit.unit] = 0;
  }
  NetworkPicture picture;
  picture.layers.resize(place.size());
  for (std::size_t layer = 0; layer < place.size(); ++layer) {
    for (auto& [unit, position] : place[layer]) {
      const UnitName name{layer, unit};
      const bool named = layer == 0 || layer == naming.last();
      position = picture.layers[layer].size();
      picture.layers[layer].push_back({named ? naming(name) : "", tip_of(name), shifted(name)});
    }
  }
  for (FoundEdge& edge : found) {
    const auto& [from, to] = edge.edge;
    picture.edges.push_back({from.layer, place[from.layer][from.unit], place[to.layer][to.unit],
                             edge.strength, edge.positive, std::move(edge.tip)});
  }
  return picture;
}

std::string edges_note(std::size_t all) {
  return all <= most_edges ? ""
                           : fmt::format("Showing the {} strongest of {} edges. ", most_edges,
                                         with_separators(all));
}

std::string inputs_note(const NetworkPicture& picture, const Material& m) {
  const std::size_t left = m.info.input_names.size() - picture.layers.front().size();
  return left == 0 ? ""
                   : fmt::format("{} of {} inputs have no edge here and are not drawn. ", left,
                                 m.info.input_names.size());
}

Figure posterior_figure(const Material& m, const MatchedNetworks& matched) {
  const Naming naming(m);
  std::vector<FoundEdge> found;
  Table table{{"edge", "in draws", "positive", "in the best network"}, {}, {}};
  std::map<Edge, double> best;
  for (const WeightView& w : matched.best.weights) {
    if (w.live && !w.shift) best[{{w.layer - 1, w.source}, {w.layer, w.destination}}] = w.value;
  }
  std::size_t rare = 0;
  for (const auto& [edge, seen] : matched.edges) {
    if (seen.share < least_share) {
      ++rare;
      continue;
    }
    const std::string share = fmt::format("{:.0f}%", 100.0 * seen.share);
    const std::string positive = fmt::format("{:.0f}%", 100.0 * seen.positive);
    found.push_back({edge, seen.share, seen.positive >= 0.5,
                     fmt::format("{}: in {} of the draws, positive in {} of those", naming(edge),
                                 share, positive)});
    if (table.rows.size() < most_rows)
      table.rows.push_back(
          {naming(edge), share, positive, best.contains(edge) ? number(best[edge]) : "not there"});
  }
  const auto share_in = [](const std::map<UnitName, double>& shares, UnitName unit) {
    const auto at = shares.find(unit);
    return at == shares.end() ? 0.0 : at->second;
  };
  const auto tip_of = [&](UnitName unit) {
    if (unit.layer == 0) {
      return fmt::format("{}: connected in {:.0f}% of the draws", naming(unit),
                         100.0 * m.summary.inclusion[unit.unit].probability);
    }
    const double shift = 100.0 * share_in(matched.shifts, unit);
    if (unit.layer == naming.last())
      return fmt::format("{}, the output: with a shift in {:.0f}% of the draws", naming(unit),
                         shift);
    return fmt::format("unit {}: found in {:.0f}% of the draws, with a shift in {:.0f}%",
                       naming(unit), 100.0 * share_in(matched.units, unit), shift);
  };
  NetworkPicture picture = picture_of(
      found, naming, tip_of, [&](UnitName unit) { return share_in(matched.shifts, unit) > 0.5; });
  picture.title = "What the draws have in common";
  picture.strength_label = "share of draws";
  picture.description = fmt::format(
      "Graph of {} inputs, the units of the best network and the output, with {} edges whose width "
      "is the share of draws in which they are there.",
      picture.layers.front().size(), picture.edges.size());
  Figure figure;
  figure.heading = picture.title;
  figure.reading = "An edge is as wide as it is probable: full width, it is in every draw.";
  figure.svg = draw_network(picture);
  figure.note = edges_note(found.size()) + inputs_note(picture, m);
  if (rare > 0)
    figure.note += fmt::format("{} edges in fewer than 5% of the draws are not drawn. ", rare);
  figure.table = table;
  figure.table.note =
      "h1.3 is unit 3 of hidden layer 1, as the best network has it. Units can be "
      "rescaled, so only signs are compared between draws.";
  return figure;
}

Figure best_figure(const Material& m, const NetworkView& best) {
  const Naming naming(m);
  std::vector<FoundEdge> found;
  std::map<UnitName, double> shifts;
  Table table{{"weight", "value"},
              {},
              "In scaled units: inputs and target have mean 0 and standard "
              "deviation 1 unless the fit was told otherwise."};
  double largest = 0.0;
  for (const WeightView& w : best.weights) {
    if (w.live && !w.shift) largest = std::max(largest, std::abs(w.value));
  }
  std::size_t live = 0;
  for (const WeightView& w : best.weights) {
    if (!w.live) continue;
    ++live;
    const UnitName to{w.layer, w.destination};
    if (w.shift) {
      shifts[to] = w.value;
      if (table.rows.size() < most_rows)
        table.rows.push_back({fmt::format("shift of {}", naming(to)), number(w.value)});
      continue;
    }
    const Edge edge{{w.layer - 1, w.source}, to};
    found.push_back({edge, std::abs(w.value) / largest, w.value > 0.0,
                     fmt::format("{}: weight {}", naming(edge), number(w.value))});
    if (table.rows.size() < most_rows) table.rows.push_back({naming(edge), number(w.value)});
  }
  const auto tip_of = [&](UnitName unit) {
    const auto shift = shifts.find(unit);
    return shift == shifts.end() ? naming(unit)
                                 : fmt::format("{}: shift {}", naming(unit), number(shift->second));
  };
  NetworkPicture picture =
      picture_of(found, naming, tip_of, [&](UnitName unit) { return shifts.contains(unit); });
  picture.title = "The single best network";
  picture.strength_label = "|weight|";
  picture.description =
      fmt::format("Graph of the draw of largest posterior density: {} live weights.", live);
  Figure figure;
  figure.heading = picture.title;
  figure.reading = fmt::format(
      "The draw with the largest posterior density: {} live weights. An edge is as wide as its "
      "weight is large.",
      live);
  figure.svg = draw_network(picture);
  figure.note = edges_note(found.size()) + inputs_note(picture, m);
  figure.table = table;
  return figure;
}

std::string method_note(const MatchedNetworks& matched) {
  return fmt::format(
      "Units have no names that last from draw to draw: a network stays the same function when its "
      "units change places. So the live units of {} draws, of all chains, are matched to those of "
      "the best network, layer by layer, by the correlation of their outputs at {} points (at "
      "least "
      "{}). {:.0f}% of the units of the draws have such a counterpart; edges of the others are not "
      "counted, so thin edges everywhere mean that draws differ in structure even where they agree "
      "on f. Inputs are not permutable: their inclusion above is exact.",
      with_separators(matched.draws), points_compared, least_similarity,
      100.0 * matched.known_share);
}

}  // namespace

Section network_section(const Material& m) {
  Section section{"network", "Network", "What does the network look like?", ""};
  if (m.summary.draws == 0) return section;
  const MatchedNetworks matched = match_units(m.fit);
  const bool any = std::ranges::any_of(matched.best.weights,
                                       [](const WeightView& w) { return w.live && !w.shift; });
  if (!any) {
    section.html = paragraph_html(
        "The best network has no live edge: it predicts the same value for every row. The data say "
        "nothing that is worth a weight, or the run is too short to have found it.");
    return section;
  }
  section.html = figures_html({posterior_figure(m, matched), best_figure(m, matched.best)}) +
                 paragraph_html(method_note(matched), "note");
  return section;
}

}  // namespace lacuna::report
