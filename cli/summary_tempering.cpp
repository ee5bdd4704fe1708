// The ladder of a tempered fit in both faces of `lacuna summary`.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cli/summary_views.hpp"
#include "cli/terminal.hpp"

namespace lacuna::cli {
namespace {

using nlohmann::ordered_json;

double rate(const ExchangeSummary& e) {
  return e.proposed > 0 ? static_cast<double>(e.accepted) / static_cast<double>(e.proposed)
                        : std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t trips(const TemperingSummary& t) {
  return std::accumulate(t.round_trips.begin(), t.round_trips.end(), std::uint64_t{0});
}

}  // namespace

ordered_json tempering_as_json(const Config& config, const std::vector<ChainSummary>& chains) {
  ordered_json j = {{"rungs", config.rungs}, {"chains", ordered_json::array()}};
  for (const ChainSummary& c : chains) {
    const TemperingSummary& t = c.tempering;
    ordered_json rungs = ordered_json::array(), rates = ordered_json::array();
    for (const RungSummary& r : t.rungs) {
      rungs.push_back({{"lambda", r.lambda}, {"mean_risk", r.mean_risk}, {"mcse", r.mcse_risk}});
    }
    for (const ExchangeSummary& e : t.exchanges) rates.push_back(rate(e));
    j["chains"].push_back({{"ladder", rungs},
                           {"exchange_rate", rates},
                           {"barrier", t.barrier},
                           {"round_trips", trips(t)},
                           {"round_trips_of_replicas", t.round_trips}});
  }
  return j;
}

std::string tempering_as_text(const std::vector<ChainSummary>& chains) {
  std::string out;
  out += fmt::format("\n{:<15} {:>6} {:>14} {:>12} {:>9} {:>12}\n", "tempered chain", "rungs",
                     "hottest lambda", "exchanged", "barrier", "round trips");
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const TemperingSummary& t = chains[c].tempering;
    if (t.rungs.empty()) continue;
    std::vector<double> rates;
    for (const ExchangeSummary& e : t.exchanges) rates.push_back(100.0 * rate(e));
    const auto [least, most] = std::ranges::minmax(rates);
    const std::string shown =
        std::isnan(least) ? "-" : fmt::format("{:.0f} to {:.0f}%", least, most);
    out += fmt::format(
        "{:<15} {:>6} {:>14.4g} {:>12} {:>9} {:>12}\n", c, t.rungs.size(), t.rungs.back().lambda,
        shown, std::isnan(t.barrier) ? "-" : fmt::format("{:.2f}", t.barrier), grouped(trips(t)));
  }
  return out;
}

}  // namespace lacuna::cli
