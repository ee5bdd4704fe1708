// The top of a report: the verdict in words, the numbers that matter most, and what was judged.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "report/picture_support.hpp"
#include "report/sections.hpp"

namespace lacuna::report {
namespace {

struct Tile {
  std::string name, value, remark;
};

std::string tiles_html(const std::vector<Tile>& tiles) {
  std::string html = "<dl class=\"tiles\">\n";
  for (const Tile& tile : tiles) {
    fmt::format_to(std::back_inserter(html), "<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n",
                   escape(tile.name), escape(tile.value), escape(tile.remark));
  }
  return html + "</dl>\n";
}

const char* kind_of(Trust trust) {
  switch (trust) {
    case Trust::converged:
      return "converged";
    case Trust::mixed_over_modes:
      return "modes";
    case Trust::not_usable:
      break;
  }
  return "unusable";
}

std::string capitalised(std::string sentence) {
  if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
    sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return sentence;
}

// What the verdict looks at: f, risk and live weights.
std::vector<QuantitySummary> decisive(const Summary& s) {
  std::vector<QuantitySummary> found;
  for (const QuantitySummary& q : s.quantities) {
    if (!q.constant && (q.name == "risk" || q.name == "live weights")) found.push_back(q);
  }
  for (const ProbeSummary& p : s.probes) {
    if (!p.f.constant) found.push_back(p.f);
  }
  return found;
}

// A number that is not there counts as the worst.
Tile worst_tile(const std::vector<QuantitySummary>& all, const std::string& name,
                double QuantitySummary::*field, bool largest, const std::string& ideal) {
  const QuantitySummary* worst = nullptr;
  for (const QuantitySummary& q : all) {
    if (worst == nullptr || std::isnan(q.*field) ||
        (largest ? q.*field > worst->*field : q.*field < worst->*field))
      worst = &q;
    if (std::isnan(worst->*field)) break;
  }
  if (worst == nullptr) return {name, "–", "nothing changes between draws"};
  const double value = worst->*field;
  if (std::isnan(value)) return {name, "–", "too few draws to tell"};
  return {name, largest ? fmt::format("{:.3f}", value) : fmt::format("{:.0f}", value),
          fmt::format("{}; {}", worst->name, ideal)};
}

std::vector<Tile> tiles(const Material& m) {
  const Summary& s = m.summary;
  std::vector<Tile> tiles;
  const auto worst = decisive(s);
  tiles.push_back(
      worst_tile(worst, "Largest R-hat", &QuantitySummary::rhat, true, "ideal: 1.01 or less"));
  tiles.push_back(worst_tile(worst, "Fewest effective draws, bulk", &QuantitySummary::ess_bulk,
                             false, "good: 400 or more"));
  tiles.push_back(worst_tile(worst, "Fewest effective draws, tails", &QuantitySummary::ess_tail,
                             false, "good: 400 or more"));
  tiles.push_back({"Draws", with_separators(s.draws),
                   fmt::format("{} chains{}", m.info.config.chains,
                               s.walkers > 1 ? fmt::format(" of {} walkers", s.walkers) : "")});
  if (m.rows) {
    tiles.push_back({"Typical error on the training rows", number(m.rows->scores.rmse),
                     fmt::format("root mean square, units of {}", m.target())});
  }
  for (const QuantitySummary& q : s.quantities) {
    if (q.name != "live weights") continue;
    tiles.push_back({"Weights that matter", fmt::format("{:.0f}", q.mean),
                     fmt::format("of {} possible", with_separators(m.info.parameter_count))});
  }
  const auto used = std::ranges::count_if(
      s.inclusion, [](const InputInclusion& input) { return input.probability > 0.5; });
  tiles.push_back({"Inputs used in most draws", fmt::format("{}", used),
                   fmt::format("of {}", s.inclusion.size())});
  return tiles;
}

std::vector<std::string> row_of(const std::string& name, const QuantitySummary& q) {
  if (q.constant)
    return {name, number(q.mean), "0", number(q.q05), number(q.q95), "same in all draws", "–", "–"};
  const auto count = [](double value) {
    return std::isnan(value) ? std::string("–") : fmt::format("{:.0f}", value);
  };
  return {name,
          number(q.mean),
          number(q.sd),
          number(q.q05),
          number(q.q95),
          std::isnan(q.rhat) ? "–" : fmt::format("{:.3f}", q.rhat),
          count(q.ess_bulk),
          count(q.ess_tail)};
}

std::string judged_table(const Material& m) {
  Table table{{"Quantity", "mean", "sd", "5%", "95%", "R-hat", "bulk", "tail"}, {}, {}};
  for (const QuantitySummary& q : m.summary.quantities) table.rows.push_back(row_of(q.name, q));
  for (const ProbeSummary& p : m.summary.probes)
    table.rows.push_back(row_of(fmt::format("{} ({})", p.f.name, m.target()), p.f));
  table.note =
      "R-hat compares chains: 1 where they agree. Bulk and tail: how many independent draws would "
      "be worth as much, for the middle and for the 5% and 95% points. Risk is the mean squared "
      "error on the training rows in scaled units; rows count from 0.";
  return fmt::format("<details><summary>Everything that was judged</summary>\n{}</details>\n",
                     table_html(table));
}

std::string acceptance_sentence(const Summary& s) {
  std::vector<std::string> moves;
  for (const MoveSummary& move : s.moves)
    moves.push_back(fmt::format("{} {:.0f}%", move.name, 100.0 * acceptance(move)));
  return moves.empty() ? ""
                       : fmt::format("Proposals accepted, by move: {}.", fmt::join(moves, ", "));
}

}  // namespace

std::string verdict_html(const Material& m) {
  const Judgement& verdict = m.summary.verdict;
  std::string html =
      fmt::format("<div class=\"verdict {}\" id=\"verdict\">\n<strong>{}</strong>\n{}{}</div>\n",
                  kind_of(verdict.trust), escape(capitalised(verdict.sentence)),
                  paragraph_html(verdict.meaning),
                  verdict.advice.empty() ? "" : paragraph_html("What to do: " + verdict.advice));
  for (const std::string& note : m.summary.notes)
    html += paragraph_html("Note: " + note + ".", "note");
  if (m.summary.draws == 0) return html;
  html += tiles_html(tiles(m));
  const std::string accepted = acceptance_sentence(m.summary);
  if (!accepted.empty()) html += paragraph_html(accepted, "note");
  return html + judged_table(m);
}

}  // namespace lacuna::report
