// The ladder of a tempered fit in the text of `lacuna summary`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/summary_views.hpp"
#include "cli/terminal.hpp"

namespace lacuna::cli {
std::string tempering_as_text(const std::vector<ChainSummary>& chains) {
  std::string out;
  out += fmt::format("\n{:<15} {:>6} {:>14} {:>12} {:>9} {:>12}\n", "tempered chain", "rungs",
                     "hottest lambda", "exchanged", "barrier", "round trips");
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const TemperingSummary& t = chains[c].tempering;
    if (t.rungs.empty()) continue;
    std::vector<double> rates;
    for (const ExchangeSummary& e : t.exchanges) rates.push_back(100.0 * exchange_rate(e));
    const auto [least, most] = std::ranges::minmax(rates);
    const std::string shown =
        std::isnan(least) ? "-" : fmt::format("{:.0f} to {:.0f}%", least, most);
    out += fmt::format("{:<15} {:>6} {:>14.4g} {:>12} {:>9} {:>12}\n", c, t.rungs.size(),
                       t.rungs.back().lambda, shown,
                       std::isnan(t.barrier) ? "-" : fmt::format("{:.2f}", t.barrier),
                       grouped(round_trips(t)));
  }
  return out;
}

}  // namespace lacuna::cli
