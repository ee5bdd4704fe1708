#include "lacuna/config.hpp"

#include <algorithm>

#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"
#include "support/check.hpp"

namespace lacuna {
namespace {

constexpr std::size_t usual_walkers = 4;
// Rows times weights. Beyond, a minute is too short for the burn-in of more networks: on airfoil
// (10^7) three walkers predicted 5% worse than one, on concrete (4 * 10^6) 3% better.
constexpr double most_work_to_multiply = 8e6, usual_seconds = 60.0;
constexpr double largest_level = 1e100;  // squares and volumes must stay inside a double

}  // namespace

void check_config(const Config& config) {
  if (!config.widths.empty() && (config.depth || config.width))
    throw Error(ErrorKind::usage, "give either widths or depth and width, not both");
  check_above("base a", config.base, 1.0);
  if (config.depth) check_at_least<std::size_t>("depth", *config.depth, 1);
  if (config.depth && *config.depth > 1000) refuse("depth", *config.depth, "must be <= 1000");
  if (config.width) check_at_least<std::size_t>("width", *config.width, 1);
  for (const std::size_t width : config.widths) check_at_least<std::size_t>("width", width, 1);
  check_between("bound B", config.bound, 1.0, largest_level);
  check_between("clip C", config.clip, 1.0, largest_level);
  if (config.lambda_rule == LambdaRule::number) check_at_least("lambda", config.lambda, 0.0);
  if (config.noise_sd) check_above("noise-sd", *config.noise_sd, 0.0);
  if (config.noise_tail) check_above("noise-tail", *config.noise_tail, 0.0);
  if (config.learning_rate) check_at_least("learning-rate gamma", *config.learning_rate, 0.0);
  if (config.proposal_sd) check_above("proposal-sd s", *config.proposal_sd, 0.0);
  check_at_least<std::size_t>("rungs", config.rungs, 1);
  if (config.rungs > 1'000) refuse("rungs", config.rungs, "must be <= 1000");
  check_at_least<std::size_t>("chains", config.chains, 1);
  if (config.chains > 10'000) refuse("chains", config.chains, "must be <= 10000");
  if (config.walkers) check_at_least<std::size_t>("walkers", *config.walkers, 1);
  if (config.walkers && *config.walkers > 10'000 / config.chains)
    refuse("walkers", *config.walkers, "must be <= 10000 over all chains");
  if (config.threads > 1'000) refuse("threads", config.threads, "must be <= 1000");
  if (config.gap) check_at_least<std::uint64_t>("gap", *config.gap, 1);
  if (config.draws) check_at_least<std::uint64_t>("draws", *config.draws, 1);
  if (config.time_limit) check_above("time-limit", *config.time_limit, 0.0);
  check_above("checkpoint-every", config.checkpoint_every, 0.0);
  std::uint64_t steps = 0;
  if (__builtin_mul_overflow(config.gap.value_or(1), config.draws.value_or(1), &steps) ||
      __builtin_add_overflow(steps, config.burn_in.value_or(0), &steps) || steps >> 62 != 0) {
    throw Error(ErrorKind::usage, "burn-in + gap * draws: must be below 2^62 steps");
  }
}

RunLength run_length(const Config& config) {
  RunLength length{config.burn_in, config.gap, config.draws.value_or(1'000)};
  if (uses_paper_kernel(config)) {
    length.burn_in = config.burn_in.value_or(10'000);
    length.gap = config.gap.value_or(20);
  }
  return length;
}

bool uses_paper_kernel(const Config& config) {
  return config.sampler == SamplerKind::paper || config.learning_rate || config.proposal_sd;
}

std::size_t walkers_for(const Config& config, std::uint64_t parameters, std::size_t rows) {
  if (config.walkers) return *config.walkers;
  const bool planned = !config.burn_in && !config.gap && !config.draws;
  const double longer =
      planned_by_time(config) ? std::max(1.0, *config.time_limit / usual_seconds) : 1.0;
  const bool several =
      planned && !uses_paper_kernel(config) && config.rungs == 1 &&
      config.start == StartKind::automatic &&
      static_cast<double>(parameters) * static_cast<double>(rows) <= longer * most_work_to_multiply;
  return several ? usual_walkers : 1;
}

const char* library_version() { return LACUNA_VERSION; }

}  // namespace lacuna
