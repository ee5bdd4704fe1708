// Everything that defines a fit besides the data: model, sampler, length. The same names as on the
// command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lacuna {

enum class PriorKind { sparse, dense };
enum class LambdaRule { automatic, bayes, theory, number };
enum class SamplerKind { automatic, paper };
enum class StartKind { automatic, prior, file };
enum class NoiseKind { automatic, constant, varying };
enum class InputRule { automatic, all };

struct Config {
  // Data
  bool standardise = true;  // --scale auto; false: the data are used exactly as given

  // Model. Bound, clip and lambda refer to the data as the network sees them, that is after
  // scaling.
  PriorKind prior = PriorKind::sparse;
  double base = 2.0;  // a: a set of size k has prior weight a^-k
  // Hidden layers. Where neither widths nor both depth and width are given, the data choose (with
  // --lambda auto; 2 layers of 32 units otherwise), and a fit's own Config says what was taken.
  std::vector<std::size_t> widths;
  std::optional<std::size_t> depth, width;
  // Whether inputs that look useless may be left out before sampling (with --lambda auto).
  InputRule inputs = InputRule::automatic;
  double bound = 3.0;  // B: weights live in [-B, B]
  double clip = 5.0;   // C: predictions live in [-C, C]
  LambdaRule lambda_rule = LambdaRule::automatic;
  double lambda = 0.0;  // with LambdaRule::number
  NoiseKind noise = NoiseKind::automatic;
  std::optional<double> noise_sd;  // in the units of the target
  std::optional<double>
      noise_tail;  // Gamma of the theorem, in the units of the target; default: noise_sd

  // Sampler
  SamplerKind sampler = SamplerKind::automatic;
  std::optional<double> learning_rate;  // gamma; default: lambda s^2 / 2
  std::optional<double> proposal_sd;    // s; default: tuned in burn-in, then frozen
  std::size_t rungs = 1;  // of each chain: 1, or a ladder of values of lambda that exchange points
  StartKind start = StartKind::automatic;
  std::string start_file;  // with StartKind::file

  // Length: burn_in + gap * draws steps per chain, and on each of its rungs
  std::size_t chains = 4;
  // Networks that a chain moves side by side; its draws come from them in turn, and each takes
  // burn_in steps of its own. Where not given, see walkers_for; a fit's own Config says what was
  // taken.
  std::optional<std::size_t> walkers;
  std::optional<std::uint64_t> burn_in, gap, draws;
  std::optional<double> time_limit;  // seconds; alone, it plans burn-in, gap and draws
  double checkpoint_every = 30.0;    // seconds
  std::uint64_t seed = 1;
  std::size_t threads = 0;  // 0: one per core
};

struct RunLength {
  std::optional<std::uint64_t> burn_in, gap;
  std::uint64_t draws = 1;
};

// What is not given is filled in for the paper's kernel: 10,000 steps, 20 and 1,000. For the
// default sampler burn-in and gap stay open: they follow from the multiply-adds that its steps turn
// out to take, so that a seed means the same draws everywhere.
RunLength run_length(const Config& config);

// A time limit and no length: burn-in, gap and draws follow from the clock.
inline bool planned_by_time(const Config& config) {
  return config.time_limit && !config.burn_in && !config.draws;
}

// The paper's kernel is used when it is asked for, or when one of its settings is given.
bool uses_paper_kernel(const Config& config);

// Walkers per chain of a network with this many weights, on this many rows. Several where the
// default sampler plans its own length from trained starts and steps are cheap; one where a user
// says how many steps a chain takes, or from where.
std::size_t walkers_for(const Config& config, std::uint64_t parameters, std::size_t rows);

// Of all chains together, once their number is known.
inline std::size_t walkers_in_all(const Config& config) {
  return config.chains * config.walkers.value_or(1);
}

// Throws Error(usage) naming the first option that is out of range.
void check_config(const Config& config);

}  // namespace lacuna
