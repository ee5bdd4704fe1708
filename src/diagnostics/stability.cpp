#include "diagnostics/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnostics/moments.hpp"

namespace lacuna {
namespace {

using diagnostics::mean_of;
using diagnostics::variance_of;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewestDraws = 4;

double mean_square_around(std::span<const double> values, double centre) {
  double sum = 0.0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum / static_cast<double>(values.size());
}

}  // namespace

double shift_between_halves(std::span<const double> chain) {
  if (chain.size() < kFewestDraws) return kNaN;
  const std::size_t half = chain.size() / 2;
  return mean_of(chain.last(half)) - mean_of(chain.first(half));
}

Separation separation_of(const ChainDraws& chains) {
  Separation out;
  std::vector<double> means;
  double squared_error = 0.0;
  for (const std::vector<double>& chain : chains) {
    means.push_back(mean_of(chain));
    const double error = mcse_mean({chain});
    squared_error += error * error / static_cast<double>(chains.size());
    out.ess_within += ess_mean({chain});
  }
  const double variance = variance_of(means);
  out.ratio =
      variance == 0.0 && !std::isnan(squared_error) ? 0.0 : std::sqrt(variance / squared_error);
  return out;
}

VarianceSplit split_variance(const ChainDraws& chains) {
  VarianceSplit split;
  std::vector<double> means;
  double within = 0.0;
  for (const std::vector<double>& chain : chains) {
    const double mean = mean_of(chain);
    const double variance = chain.empty() ? kNaN : mean_square_around(chain, mean);
    split.mean.push_back(mean);
    split.sd.push_back(std::sqrt(variance));
    if (chain.empty()) continue;
    means.push_back(mean);
    within += variance;
  }
  if (means.empty()) return split;
  within /= static_cast<double>(means.size());
  const auto [low, high] = std::ranges::minmax(means);
  const double between = mean_square_around(means, mean_of(means)), total = within + between;
  split.total_sd = std::sqrt(total);
  split.within_sd = std::sqrt(within);
  split.range = high - low;
  split.between_share = total > 0.0 ? between / total : 0.0;
  return split;
}

}  // namespace lacuna
