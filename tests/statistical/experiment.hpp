// What a statistical experiment returns, and the list of all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lacuna::statistical {

// `fast` suits a test tier of about a minute for everything together; `full` reaches the figures
// that the test catalogue asks for (10^5 pairs, total variation 0.01, 10^5 Geweke cycles).
enum class Budget { fast, full };

// Statistics are arranged so that large is bad: alarm = statistic > threshold.
struct Result {
  double statistic = 0.0;
  double threshold = 0.0;
  bool alarm = false;
  std::string details;
};

inline Result judge(double statistic, double threshold, std::string details) {
  return {statistic, threshold, !(statistic <= threshold), std::move(details)};
}

struct Experiment {
  std::string_view name;
  Result (*run)(std::uint64_t seed, Budget budget);
};

// Cheapest first. Each definition states its false-alarm rate.
std::span<const Experiment> all_experiments();

Result acceptance_ratio(std::uint64_t seed, Budget budget);
Result exchange_ratio(std::uint64_t seed, Budget budget);
Result cache_consistency(std::uint64_t seed, Budget budget);
Result prior_recovery(std::uint64_t seed, Budget budget);
Result unit_prior_recovery(std::uint64_t seed, Budget budget);
Result dead_prior_recovery(std::uint64_t seed, Budget budget);
Result mixture_prior_recovery(std::uint64_t seed, Budget budget);
Result dense_prior_recovery(std::uint64_t seed, Budget budget);
Result geweke(std::uint64_t seed, Budget budget);
Result dense_mala(std::uint64_t seed, Budget budget);
Result four_prior(std::uint64_t seed, Budget budget);
Result four_warm(std::uint64_t seed, Budget budget);
Result four_cold(std::uint64_t seed, Budget budget);
Result seven_wide_warm(std::uint64_t seed, Budget budget);
Result seven_wide_cold(std::uint64_t seed, Budget budget);
Result seven_deep_warm(std::uint64_t seed, Budget budget);
Result seven_deep_cold(std::uint64_t seed, Budget budget);
Result birth_death_four(std::uint64_t seed, Budget budget);
Result birth_death_wide(std::uint64_t seed, Budget budget);
Result swap_four(std::uint64_t seed, Budget budget);
Result swap_deep(std::uint64_t seed, Budget budget);
Result trajectory_four(std::uint64_t seed, Budget budget);
Result langevin_four(std::uint64_t seed, Budget budget);
Result output_four(std::uint64_t seed, Budget budget);
Result output_wide(std::uint64_t seed, Budget budget);
Result rescale_wide(std::uint64_t seed, Budget budget);
Result rescale_deep(std::uint64_t seed, Budget budget);
Result unit_four(std::uint64_t seed, Budget budget);
Result unit_wide(std::uint64_t seed, Budget budget);
Result unit_deep(std::uint64_t seed, Budget budget);
Result dead_four(std::uint64_t seed, Budget budget);
Result dead_wide(std::uint64_t seed, Budget budget);
Result dead_deep(std::uint64_t seed, Budget budget);
Result mixture_four(std::uint64_t seed, Budget budget);
Result mixture_wide(std::uint64_t seed, Budget budget);
Result mixture_deep(std::uint64_t seed, Budget budget);
Result prior_draw_four(std::uint64_t seed, Budget budget);
Result birth_death_thirteen(std::uint64_t seed, Budget budget);
Result swap_thirteen(std::uint64_t seed, Budget budget);
Result trajectory_thirteen(std::uint64_t seed, Budget budget);
Result langevin_thirteen(std::uint64_t seed, Budget budget);
Result output_thirteen(std::uint64_t seed, Budget budget);
Result rescale_thirteen(std::uint64_t seed, Budget budget);
Result mixture_thirteen(std::uint64_t seed, Budget budget);
Result sbc_mixture(std::uint64_t seed, Budget budget);
Result geweke_mixture(std::uint64_t seed, Budget budget);
Result agreement(std::uint64_t seed, Budget budget);
Result exchange_ladder(std::uint64_t seed, Budget budget);
Result tempered_paper(std::uint64_t seed, Budget budget);
Result tempered_mixture(std::uint64_t seed, Budget budget);
Result annealed_weights(std::uint64_t seed, Budget budget);
Result thermodynamic_sums(std::uint64_t seed, Budget budget);
Result markov_lower_bounds(std::uint64_t seed, Budget budget);

}  // namespace lacuna::statistical
