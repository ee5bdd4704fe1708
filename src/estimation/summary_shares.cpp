// Shares and sums that every view of a summary shows.
#include <limits>
#include <numeric>

#include "lacuna/fit.hpp"

namespace lacuna {
namespace {

double share_of(const Summary& summary, const MoveSummary& move,
                std::optional<std::uint64_t> MoveSummary::*cost) {
  double sum = 0.0;
  for (const MoveSummary& one : summary.moves) sum += static_cast<double>((one.*cost).value_or(0));
  return move.*cost && sum > 0.0 ? static_cast<double>(*(move.*cost)) / sum
                                 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double acceptance(const MoveSummary& move) {
  return move.proposed > 0 ? static_cast<double>(move.accepted) / static_cast<double>(move.proposed)
                           : 0.0;
}

double passes_share(const Summary& summary, const MoveSummary& move) {
  return share_of(summary, move, &MoveSummary::passes);
}

double work_share(const Summary& summary, const MoveSummary& move) {
  return share_of(summary, move, &MoveSummary::work);
}

double exchange_rate(const ExchangeSummary& e) {
  return e.proposed > 0 ? static_cast<double>(e.accepted) / static_cast<double>(e.proposed)
                        : std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t round_trips(const TemperingSummary& t) {
  return std::accumulate(t.round_trips.begin(), t.round_trips.end(), std::uint64_t{0});
}

}  // namespace lacuna
