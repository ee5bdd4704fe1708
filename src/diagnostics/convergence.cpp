// How far the draws of one scalar quantity can be trusted: R-hat, effective sample sizes, Monte
// Carlo error.
#include "diagnostics/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "diagnostics/autocovariance.hpp"
#include "diagnostics/moments.hpp"
#include "diagnostics/normal_scores.hpp"

namespace lacuna {
namespace {

using diagnostics::mean_autocovariance;
using diagnostics::mean_of;
using diagnostics::median_of;
using diagnostics::normal_scores;
using diagnostics::quantile_of;
using diagnostics::variance_of;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFewestDraws = 4;

// Equally long chains, one after another.
struct Block {
  std::vector<double> values;
  std::size_t length = 0;

  std::size_t n_chains() const { return values.size() / length; }
  std::span<const double> chain(std::size_t c) const {
    return std::span(values).subspan(c * length, length);
  }
};

Block cut_to_shortest(const ChainDraws& chains) {
  Block block;
  if (chains.empty()) return block;
  block.length = chains.front().size();
  for (const auto& chain : chains) block.length = std::min(block.length, chain.size());
  block.values.reserve(chains.size() * block.length);
  for (const auto& chain : chains) {
    block.values.insert(block.values.end(), chain.begin(),
                        chain.begin() + static_cast<std::ptrdiff_t>(block.length));
  }
  return block;
}

bool all_finite(const Block& block) {
  return std::ranges::all_of(block.values, [](double value) { return std::isfinite(value); });
}

bool can_be_judged(const Block& block) { return block.length >= kFewestDraws && all_finite(block); }

Block split_in_halves(const Block& block) {
  Block halves;
  halves.length = block.length / 2;
  halves.values.reserve(2 * halves.length * block.n_chains());
  for (std::size_t c = 0; c < block.n_chains(); ++c) {
    const auto chain = block.chain(c);
    const auto first = chain.first(halves.length);
    const auto last = chain.last(halves.length);
    halves.values.insert(halves.values.end(), first.begin(), first.end());
    halves.values.insert(halves.values.end(), last.begin(), last.end());
  }
  return halves;
}

Block rank_normalised(const Block& block) { return {normal_scores(block.values), block.length}; }

Block folded(const Block& block) {
  Block result = block;
  const double median = median_of(result.values);
  std::ranges::transform(block.values, result.values.begin(),
                         [median](double value) { return std::abs(value - median); });
  return result;
}

double variance_of_chain_means(const Block& block) {
  std::vector<double> means;
  for (std::size_t c = 0; c < block.n_chains(); ++c) means.push_back(mean_of(block.chain(c)));
  return variance_of(means);
}

double plain_rhat(const Block& block) {
  const double n = static_cast<double>(block.length);
  double within = 0.0;
  for (std::size_t c = 0; c < block.n_chains(); ++c) within += variance_of(block.chain(c));
  within /= static_cast<double>(block.n_chains());
  return std::sqrt(variance_of_chain_means(block) / within + (n - 1.0) / n);
}

// Two values of equal weight fold onto one: the folded R-hat is then 0/0 and the bulk version alone
// decides.
double rank_rhat(const Block& halves, const Block& bulk) {
  const double rhat_bulk = plain_rhat(bulk);
  const double rhat_tail = plain_rhat(rank_normalised(folded(halves)));
  return rhat_tail > rhat_bulk ? rhat_tail : rhat_bulk;
}

// S / tau with tau = -1 + 2 sum_t rho_t cut off by Geyer's initial positive sequence, whose sums of
// neighbours rho_2k + rho_2k+1 are held to be non-increasing.
double plain_ess(const Block& block) {
  const double total = static_cast<double>(block.values.size());
  const auto [low, high] = std::ranges::minmax(block.values);
  if (low == high) return total;

  const double n = static_cast<double>(block.length);
  const std::vector<double> covariance = mean_autocovariance(block.values, block.length);
  const double within = covariance[0] * n / (n - 1.0);
  const double var_plus = covariance[0] + variance_of_chain_means(block);
  const auto rho = [&](std::size_t t) { return 1.0 - (within - covariance[t]) / var_plus; };

  double tau = -1.0;
  double even = 1.0;
  double odd = rho(1);
  double ceiling = std::numeric_limits<double>::infinity();
  for (std::size_t t = 1; t + 3 < block.length && even + odd > 0.0; t += 2) {
    ceiling = std::min(ceiling, even + odd);
    tau += 2.0 * ceiling;
    even = rho(t + 1);
    odd = rho(t + 2);
  }
  // The first term beyond the cut counts once: it lowers the variance of tau for antithetic chains.
  if (even > 0.0 || even + odd >= 0.0) tau += even;
  return total / std::max(tau, 1.0 / std::log10(total));
}

double quantile_ess(const Block& block, double quantile) {
  Block indicator = block;
  for (double& value : indicator.values) value = value <= quantile ? 1.0 : 0.0;
  return plain_ess(split_in_halves(indicator));
}

double tail_ess(const Block& block, double q05, double q95) {
  return std::min(quantile_ess(block, q05), quantile_ess(block, q95));
}

}  // namespace

double split_rhat(const ChainDraws& chains) {
  const Block block = cut_to_shortest(chains);
  if (!can_be_judged(block)) return kNaN;
  const Block halves = split_in_halves(block);
  return rank_rhat(halves, rank_normalised(halves));
}

double ess_bulk(const ChainDraws& chains) {
  const Block block = cut_to_shortest(chains);
  return can_be_judged(block) ? plain_ess(rank_normalised(split_in_halves(block))) : kNaN;
}

double ess_tail(const ChainDraws& chains) {
  const Block block = cut_to_shortest(chains);
  if (!can_be_judged(block)) return kNaN;
  std::vector<double> scratch = block.values;
  const double q05 = quantile_of(scratch, 0.05);
  return tail_ess(block, q05, quantile_of(scratch, 0.95));
}

double ess_mean(const ChainDraws& chains) {
  const Block block = cut_to_shortest(chains);
  return can_be_judged(block) ? plain_ess(split_in_halves(block)) : kNaN;
}

double mcse_mean(const ChainDraws& chains) {
  const Block block = cut_to_shortest(chains);
  if (!can_be_judged(block)) return kNaN;
  return std::sqrt(variance_of(block.values) / plain_ess(split_in_halves(block)));
}

Diagnosis diagnose(const ChainDraws& chains) {
  Diagnosis answer{kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
  const Block block = cut_to_shortest(chains);
  if (block.values.empty() || !all_finite(block)) return answer;

  answer.mean = mean_of(block.values);
  answer.sd = std::sqrt(variance_of(block.values));
  std::vector<double> scratch = block.values;
  answer.q05 = quantile_of(scratch, 0.05);
  answer.median = median_of(scratch);
  answer.q95 = quantile_of(scratch, 0.95);
  if (!can_be_judged(block)) return answer;

  const Block halves = split_in_halves(block);
  const Block bulk = rank_normalised(halves);
  answer.rhat = rank_rhat(halves, bulk);
  answer.ess_bulk = plain_ess(bulk);
  answer.ess_tail = tail_ess(block, answer.q05, answer.q95);
  answer.mcse_mean = answer.sd / std::sqrt(plain_ess(halves));
  return answer;
}

}  // namespace lacuna
