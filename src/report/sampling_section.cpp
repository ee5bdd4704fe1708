// Can the sampler be trusted? Traces and ranks by chain, moves, and temperatures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "diagnostics/moments.hpp"
#include "report/bar_picture.hpp"
#include "report/picture_support.hpp"
#include "report/sections.hpp"
#include "report/series_picture.hpp"

namespace lacuna::report {
namespace {

std::string walker_name(std::size_t w, const Material& m) {
  const std::size_t walkers = m.summary.walkers;
  return walkers > 1 ? fmt::format("{}.{}", w / walkers, w % walkers) : std::to_string(w);
}

std::string unit_of(const Material& m) { return m.summary.walkers > 1 ? "walker" : "chain"; }

Table table_by_walker(const WalkerSeries& series, const Material& m) {
  Table table{{unit_of(m), "draws", "first", "mean", "sd", "least", "largest", "last"}, {}, {}};
  for (std::size_t w = 0; w < series.of_walker.size(); ++w) {
    const std::vector<double>& values = series.of_walker[w];
    if (values.empty()) continue;
    const auto [low, high] = std::ranges::minmax(values);
    table.rows.push_back({walker_name(w, m), with_separators(values.size()), number(values.front()),
                          number(diagnostics::mean_of(values)),
                          number(std::sqrt(diagnostics::variance_of(values))), number(low),
                          number(high), number(values.back())});
  }
  table.note = "Every draw as CSV: lacuna draws FILE --out DRAWS.csv.";
  return table;
}

Table table_of_ranks(const WalkerSeries& series, const Material& m) {
  const RankHistogram ranks = rank_histogram(series.of_walker);
  Table table{{unit_of(m)}, {}, "Share of the draws in each stretch of ranks; 1 is expected."};
  for (std::size_t b = 0; b < ranks.bins; ++b) {
    table.header.push_back(fmt::format(
        "to {:.0f}%", 100.0 * static_cast<double>(b + 1) / static_cast<double>(ranks.bins)));
  }
  for (std::size_t w = 0; w < ranks.heights.size(); ++w) {
    std::vector<std::string> row = {walker_name(w, m)};
    for (const double height : ranks.heights[w]) row.push_back(fmt::format("{:.2f}", height));
    table.rows.push_back(std::move(row));
  }
  return table;
}

bool same_throughout(const WalkerSeries& series) {
  std::set<double> values;
  for (const auto& one : series.of_walker) values.insert(one.begin(), one.end());
  return values.size() < 2;
}

void add_figures(const WalkerSeries& series, const Material& m, bool ranks,
                 std::vector<Figure>& figures) {
  const bool constant = same_throughout(series);
  SeriesPicture picture;
  picture.title = fmt::format("Trace of {}", series.name);
  picture.label = series.label;
  picture.series = series.of_walker;
  picture.walkers = m.summary.walkers;
  Figure trace;
  trace.heading = picture.title;
  trace.reading = constant ? "The same in every draw: there is nothing to compare."
                           : "Good: all chains wander over the same level, without a trend and "
                             "without long flat stretches.";
  trace.svg = draw_trace(picture);
  trace.table = table_by_walker(series, m);
  std::size_t longest = 0;
  for (const auto& values : series.of_walker) longest = std::max(longest, values.size());
  if (const std::size_t shown = shown_draws(picture); shown < longest) {
    trace.note = fmt::format("Showing {} of {} draws of each {}.", with_separators(shown),
                             with_separators(longest), unit_of(m));
  }
  figures.push_back(std::move(trace));
  if (!ranks || constant) return;
  picture.title = fmt::format("Ranks of {}", series.name);
  Figure rank;
  rank.heading = picture.title;
  rank.reading =
      "Good: every line stays near 1. The band is for independent draws; a chain that stays high "
      "or low on one side has been elsewhere than the others.";
  rank.svg = draw_ranks(picture);
  rank.table = table_of_ranks(series, m);
  figures.push_back(std::move(rank));
}

Figure moves_figure(const Material& m) {
  const Summary& s = m.summary;
  BarPicture picture;
  picture.title = "Acceptance by move";
  picture.x_label = "share of proposals accepted, after burn-in";
  picture.sheet = page_sheet;
  Table table{{"move", "proposed", "accepted", "share", "invalid", "share of the work"}, {}, {}};
  for (const MoveSummary& move : s.moves) {
    picture.labels.push_back(move.name);
    picture.values.push_back(acceptance(move));
    const double work = work_share(s, move);
    table.rows.push_back({move.name, with_separators(move.proposed), with_separators(move.accepted),
                          fmt::format("{:.2f}%", 100.0 * acceptance(move)),
                          with_separators(move.invalid),
                          std::isnan(work) ? "–" : fmt::format("{:.1f}%", 100.0 * work)});
  }
  Figure figure;
  figure.heading = picture.title;
  figure.reading =
      "Moves within a network should be accepted often; those that add or remove weights are "
      "accepted rarely, and that is fine as long as they are accepted at all.";
  figure.svg = draw_bars(picture);
  figure.table = table;
  return figure;
}

Figure exchange_figure(const Material& m) {
  const std::vector<ChainSummary>& chains = m.summary.chains;
  const std::size_t rungs = chains.front().tempering.rungs.size();
  BarPicture picture;
  picture.title = "Exchanges between temperatures";
  picture.x_label = "share of exchanges accepted";
  picture.sheet = page_sheet;
  Table table{
      {"rungs", "chain", "colder lambda", "hotter lambda", "tried", "accepted", "share"}, {}, {}};
  for (std::size_t r = 0; r + 1 < rungs; ++r) {
    ExchangeSummary all;
    const std::string name = fmt::format("{} and {}", r, r + 1);
    for (std::size_t c = 0; c < chains.size(); ++c) {
      const TemperingSummary& tempering = chains[c].tempering;
      if (tempering.exchanges.size() <= r) continue;
      const ExchangeSummary& one = tempering.exchanges[r];
      all.proposed += one.proposed;
      all.accepted += one.accepted;
      table.rows.push_back({name, walker_name(c, m), number(tempering.rungs[r].lambda),
                            number(tempering.rungs[r + 1].lambda), with_separators(one.proposed),
                            with_separators(one.accepted),
                            fmt::format("{:.1f}%", 100.0 * exchange_rate(one))});
    }
    picture.labels.push_back("rungs " + name);
    picture.values.push_back(exchange_rate(all));
  }
  std::uint64_t trips = 0, fewest = round_trips(chains.front().tempering);
  for (const ChainSummary& chain : chains) {
    trips += round_trips(chain.tempering);
    fewest = std::min(fewest, round_trips(chain.tempering));
  }
  Figure figure;
  figure.heading = picture.title;
  figure.reading =
      "Rung 0 is the posterior itself, higher rungs are flatter. Every pair should exchange in a "
      "fair share of the tries, or networks cannot travel.";
  figure.svg = draw_bars(picture);
  figure.note = fmt::format(
      "Round trips from the coldest to the hottest rung and back: {} over all chains, {} in the "
      "chain with the fewest.",
      with_separators(trips), with_separators(fewest));
  figure.table = table;
  return figure;
}

}  // namespace

Section sampling_section(const Material& m) {
  Section section{"sampling", "Sampling", "Can the sampler be trusted?", ""};
  if (m.summary.draws == 0) return section;
  std::size_t shortest = m.risk.of_walker.front().size();
  for (const auto& values : m.risk.of_walker) shortest = std::min(shortest, values.size());
  const bool ranks = shortest >= fewest_for_ranks && m.walkers > 1;
  std::vector<Figure> figures;
  add_figures(m.risk, m, ranks, figures);
  add_figures(m.active, m, ranks, figures);
  for (const WalkerSeries& probe : m.probes) add_figures(probe, m, ranks, figures);
  if (!m.summary.moves.empty()) figures.push_back(moves_figure(m));
  if (m.info.config.rungs > 1 && !m.summary.chains.front().tempering.rungs.empty())
    figures.push_back(exchange_figure(m));
  std::string words =
      "Quantities that mean the same in every chain: the risk, the number of active weights, and f "
      "at three training rows with a low, a middle and a high target.";
  if (m.summary.walkers > 1) {
    words += fmt::format(" Each chain moves {} walkers side by side; each is a line of its own.",
                         m.summary.walkers);
  }
  if (!ranks && m.walkers > 1)
    words += fmt::format(" Ranks are left out: that takes {} draws of each {}.", fewest_for_ranks,
                         unit_of(m));
  section.html = paragraph_html(words);
  if (m.info.config.chains > 1)
    section.html += fmt::format("<p data-chains=\"{}\"></p>\n", m.info.config.chains);
  section.html += figures_html(figures);
  return section;
}

}  // namespace lacuna::report
