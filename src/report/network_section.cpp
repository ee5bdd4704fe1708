// What the network looks like: what the draws have in common, and the single best one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

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

using Places = std::vector<std::map<std::size_t, std::size_t>>;  // of units, layer by layer

std::vector<FoundEdge> strongest(std::vector<FoundEdge> found) {
  if (found.size() <= most_edges) return found;
  std::ranges::stable_sort(found, std::greater<>(), &FoundEdge::strength);
  found.resize(most_edges);
  return found;
}

// All units that an edge of one of the pictures touches, so that both show the same ones.
Places places_of(const Naming& naming, const std::vector<FoundEdge>& one,
                 const std::vector<FoundEdge>& two) {
  Places places(naming.last() + 1);
  places.back()[0] = 0;
  for (const auto* edges : {&one, &two}) {
    for (const FoundEdge& found : *edges) {
      for (const UnitName unit : {found.edge.from, found.edge.to})
        places[unit.layer][unit.unit] = 0;
    }
  }
  for (auto& layer : places) {
    std::size_t position = 0;
    for (auto& [unit, place] : layer) place = position++;
  }
  return places;
}

std::vector<NetworkEdge> edges_of(const std::vector<FoundEdge>& found, const Places& places) {
  std::vector<NetworkEdge> edges;
  for (const FoundEdge& one : found) {
    const auto& [from, to] = one.edge;
    edges.push_back({from.layer, places[from.layer].at(from.unit), places[to.layer].at(to.unit),
                     one.strength, one.positive, one.tip});
  }
  return edges;
}

// `tip_of` and `shifted` speak of units.
template <class Tip, class Shifted>
std::vector<std::vector<NetworkUnit>> units_of(const Places& places, const Naming& naming,
                                               const Tip& tip_of, const Shifted& shifted) {
  std::vector<std::vector<NetworkUnit>> layers(places.size());
  for (std::size_t layer = 0; layer < places.size(); ++layer) {
    const bool named = layer == 0 || layer == naming.last();
    for (const auto& [unit, place] : places[layer]) {
      const UnitName name{layer, unit};
      layers[layer].push_back({named ? naming(name) : "", tip_of(name), shifted(name)});
    }
  }
  return layers;
}

std::string edges_note(std::size_t all) {
  return all <= most_edges ? ""
                           : fmt::format("Showing the {} strongest of {} edges. ", most_edges,
                                         with_separators(all));
}

std::string inputs_note(const Places& places, const Material& m) {
  const std::size_t left = m.info.input_names.size() - places.front().size();
  return left == 0 ? ""
                   : fmt::format("{} of {} inputs have no edge here and are not drawn. ", left,
                                 m.info.input_names.size());
}

// What the draws have in common with the best network.
class PosteriorView {
 public:
  PosteriorView(const Material& m, const MatchedNetworks& matched)
      : m_(m), matched_(matched), naming_(m) {
    for (const auto& [edge, seen] : matched.edges) {
      if (seen.share < least_share) {
        ++rare_;
        continue;
      }
      found_.push_back({edge, seen.share, seen.positive >= 0.5,
                        fmt::format("{}: in {:.0f}% of the draws, positive in {:.0f}% of those",
                                    naming_(edge), 100.0 * seen.share, 100.0 * seen.positive)});
    }
    shown_ = strongest(found_);
  }

  const std::vector<FoundEdge>& shown() const { return shown_; }

  Figure figure(const Places& places, const std::vector<NetworkEdge>& arrangement) const {
    NetworkPicture picture;
    picture.layers = units_of(
        places, naming_, [&](UnitName unit) { return tip_of(unit); },
        [&](UnitName unit) { return share_in(matched_.shifts, unit) > 0.5; });
    picture.edges = edges_of(shown_, places);
    picture.arrangement = arrangement;
    picture.title = "What the draws have in common";
    picture.strength_label = "share of draws";
    picture.description = fmt::format(
        "Graph of {} inputs, the units of the best network and the output, with {} edges whose "
        "width is the share of draws in which they are there.",
        picture.layers.front().size(), picture.edges.size());
    Figure figure;
    figure.heading = picture.title;
    figure.reading = "An edge is as wide as it is probable: at full width it is in every draw.";
    figure.svg = draw_network(picture);
    figure.note = edges_note(found_.size()) + inputs_note(places, m_);
    if (rare_ > 0)
      figure.note += fmt::format("Edges in fewer than 5% of the draws ({}) are not drawn.", rare_);
    figure.table = table();
    return figure;
  }

 private:
  static double share_in(const std::map<UnitName, double>& shares, UnitName unit) {
    const auto at = shares.find(unit);
    return at == shares.end() ? 0.0 : at->second;
  }

  std::string tip_of(UnitName unit) const {
    if (unit.layer == 0) {
      return fmt::format("{}: connected in {:.0f}% of the draws", naming_(unit),
                         100.0 * m_.summary.inclusion[unit.unit].probability);
    }
    const double shift = 100.0 * share_in(matched_.shifts, unit);
    if (unit.layer == naming_.last()) {
      return fmt::format("{}, the output: with a shift in {:.0f}% of the draws", naming_(unit),
                         shift);
    }
    return fmt::format("unit {}: found in {:.0f}% of the draws, with a shift in {:.0f}%",
                       naming_(unit), 100.0 * share_in(matched_.units, unit), shift);
  }

  Table table() const {
    std::map<Edge, double> best;
    for (const WeightView& w : matched_.best.weights) {
      if (w.live && !w.shift) best[{{w.layer - 1, w.source}, {w.layer, w.destination}}] = w.value;
    }
    Table table{{"edge", "in draws", "positive", "in the best network"}, {}, {}};
    for (const FoundEdge& one : found_) {
      if (table.rows.size() == most_rows) break;
      const Presence& seen = matched_.edges.at(one.edge);
      const auto in_best = best.find(one.edge);
      table.rows.push_back({naming_(one.edge), fmt::format("{:.0f}%", 100.0 * seen.share),
                            fmt::format("{:.0f}%", 100.0 * seen.positive),
                            in_best == best.end() ? "not there" : number(in_best->second)});
    }
    table.note =
        "h1.3 is unit 3 of hidden layer 1, as the best network has it. Units can be rescaled, so "
        "only signs are compared between draws.";
    return table;
  }

  const Material& m_;
  const MatchedNetworks& matched_;
  Naming naming_;
  std::vector<FoundEdge> found_, shown_;
  std::size_t rare_ = 0;
};

// The draw of largest posterior density.
class BestView {
 public:
  BestView(const Material& m, const NetworkView& best) : m_(m), naming_(m) {
    double largest = 0.0;
    for (const WeightView& w : best.weights) {
      if (w.live && !w.shift) largest = std::max(largest, std::abs(w.value));
    }
    for (const WeightView& w : best.weights) {
      if (!w.live) continue;
      ++live_;
      const UnitName to{w.layer, w.destination};
      const Edge edge{{w.layer - 1, w.source}, to};
      if (w.shift) {
        shifts_[to] = w.value;
      } else {
        found_.push_back({edge, std::abs(w.value) / largest, w.value > 0.0,
                          fmt::format("{}: weight {}", naming_(edge), number(w.value))});
      }
      if (table_.rows.size() == most_rows) continue;
      table_.rows.push_back({w.shift ? "shift of " + naming_(to) : naming_(edge), number(w.value)});
    }
    shown_ = strongest(found_);
  }

  const std::vector<FoundEdge>& shown() const { return shown_; }

  Figure figure(const Places& places, const std::vector<NetworkEdge>& arrangement) const {
    const auto tip_of = [&](UnitName unit) {
      const auto shift = shifts_.find(unit);
      return shift == shifts_.end()
                 ? naming_(unit)
                 : fmt::format("{}: shift {}", naming_(unit), number(shift->second));
    };
    NetworkPicture picture;
    picture.layers =
        units_of(places, naming_, tip_of, [&](UnitName unit) { return shifts_.contains(unit); });
    picture.edges = edges_of(shown_, places);
    picture.arrangement = arrangement;
    picture.title = "The single best network";
    picture.strength_label = "|weight|";
    picture.description =
        fmt::format("Graph of the draw of largest posterior density: {} live weights.", live_);
    Figure figure;
    figure.heading = picture.title;
    figure.reading = fmt::format(
        "The draw of largest posterior density, {} live weights: an edge is as wide as its weight "
        "is large.",
        live_);
    figure.svg = draw_network(picture);
    figure.note = edges_note(found_.size()) + inputs_note(places, m_);
    figure.table = table_;
    return figure;
  }

 private:
  const Material& m_;
  Naming naming_;
  std::vector<FoundEdge> found_, shown_;
  std::map<UnitName, double> shifts_;
  Table table_{{"weight", "value"},
               {},
               "In scaled units: inputs and target have mean 0 and standard deviation 1 unless the "
               "fit was told otherwise."};
  std::size_t live_ = 0;
};

std::string method_note(const Material& m, const MatchedNetworks& matched) {
  std::string words = fmt::format(
      "Units have no names that last from draw to draw: a network stays the same function when its "
      "units change places. So the live units of {} draws, of all chains, are matched to those of "
      "the best network, layer by layer, by the correlation of their outputs at {} points (at "
      "least {}). {:.0f}% of the units of the draws have such a counterpart; edges of the others "
      "are not counted, so thin edges everywhere mean that draws differ in structure even where "
      "they agree on f. Inputs do not change places: which of them are connected is known exactly.",
      with_separators(matched.draws), points_compared, least_similarity,
      100.0 * matched.known_share);
  if (m.info.config.prior == PriorKind::dense)
    words += " Under the dense prior every weight is active in every draw.";
  return words;
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
  const PosteriorView common(m, matched);
  const BestView best(m, matched.best);
  const Places places = places_of(Naming(m), common.shown(), best.shown());
  std::vector<NetworkEdge> arrangement = edges_of(best.shown(), places);
  for (NetworkEdge& edge : edges_of(common.shown(), places)) arrangement.push_back(std::move(edge));
  section.html =
      figures_html({common.figure(places, arrangement), best.figure(places, arrangement)}) +
      paragraph_html(method_note(m, matched), "note");
  return section;
}

}  // namespace lacuna::report
