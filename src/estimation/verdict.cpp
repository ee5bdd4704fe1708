#include "estimation/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lacuna {
namespace {

// Vehtari et al. (2021) recommend R-hat below 1.01 for one quantity, and 400 effective draws. Here
// the largest of ten R-hats and more is compared, so that a fit passes up to 1.05, with a word
// about it above 1.01.
constexpr double ideal_rhat = 1.01, good_rhat = 1.05, good_ess = 400.0;
// Halves of fewer draws say nothing about each other.
constexpr std::uint64_t fewest_draws = 50;
// Of the log posterior in standard deviations of the chain, of f in posterior standard deviations.
// A straight trend without noise has 1.7, a trend as large as the noise 1.2; a chain worth ten
// independent draws that drifts nowhere has 0.6 on average.
constexpr double largest_shift = 1.0;
// In Monte Carlo errors. The square for four equal chains is chi-square(3) / 3 and practically
// never above 9 if the errors are right; those of short chains tend to be too small.
constexpr double largest_separation = 3.0;

struct Worst {
  std::string name;
  double value;
};

// The quantities that decide: those that f depends on. Dead weights and the total do not change f.
struct Decisive {
  Worst rhat{"", 1.0}, ess{"", std::numeric_limits<double>::infinity()};
  bool anything = false;  // that changes at all
  bool apart = false;     // chains differ by more than chance explains

  explicit Decisive(const Summary& summary) {
    for (const QuantitySummary& q : summary.quantities) {
      if (q.name == "risk" || q.name == "live weights") look_at(q);
    }
    for (const ProbeSummary& p : summary.probes) look_at(p.f);
  }

  bool agree() const { return rhat.value <= good_rhat; }

 private:
  void look_at(const QuantitySummary& q) {
    if (q.constant) return;
    anything = true;
    // A quantity whose R-hat is no number has not been seen to agree.
    const double r = std::isnan(q.rhat) ? std::numeric_limits<double>::infinity() : q.rhat;
    if (r > rhat.value) rhat = {q.name, r};
    const double size = std::min(q.ess_bulk, q.ess_tail);
    if (!(size >= ess.value)) ess = {q.name, std::isnan(size) ? 0.0 : size};
    apart = apart || (r > good_rhat && q.separation > largest_separation);
  }
};

// 1234 as 1300: rounded up to two digits, for a number that a user is to type.
std::uint64_t rounded_up(double number) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(number)) - 1.0));
  return static_cast<std::uint64_t>(std::ceil(number / unit) * unit);
}

std::uint64_t shortest_chain(const Summary& summary) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const ChainSummary& chain : summary.chains) least = std::min(least, chain.draws);
  return summary.chains.empty() ? 0 : least;
}

// What R-hat compares: chains, or their walkers where they have several.
std::string all_of_them(const Summary& summary) {
  return fmt::format("{} {}", summary.chains.size(), summary.walkers > 1 ? "walkers" : "chains");
}

// Walker 2 of chain 1 is "walker 1.2", as in the tables of a summary.
std::string name_of(const Summary& summary, std::size_t number) {
  if (summary.walkers == 1) return fmt::format("chain {}", number);
  return fmt::format("walker {}.{}", number / summary.walkers, number % summary.walkers);
}

// Chains with several walkers plan their own length, so that time is what a user can give them.
// Without a limit such a run takes about a minute.
std::string longer(const Summary& summary, double times, const std::string& option) {
  if (summary.walkers == 1) return option;
  const double seconds = times * summary.time_limit.value_or(60.0);
  return fmt::format("--time-limit {}", rounded_up(std::max(1.0, seconds)));
}

std::string shown_rhat(double rhat) {
  return rhat > 99.0 ? "above 99" : fmt::format("{:.2f}", rhat);
}

Judgement unusable(const std::string& sentence, const std::string& meaning,
                   const std::string& advice) {
  return {Trust::not_usable, "not usable: " + sentence, meaning, advice};
}

Judgement too_few(const Summary& summary, std::uint64_t draws) {
  if (summary.draws == 0) {
    return unusable(
        "there are no draws",
        "The run stopped before the end of burn-in, and only what comes after it counts.",
        "Run it longer, or with a smaller --burn-in.");
  }
  return unusable(
      fmt::format("{} draws per {} are too few to judge ({} are the least)", draws,
                  summary.walkers > 1 ? "walker" : "chain", fewest_draws),
      "With so few draws even chains that agree look different, and chains that differ alike.",
      "Take more of them: --draws 1000.");
}

Judgement stuck(const std::string& name, const ChainSummary& which) {
  const bool never = which.changed_share == 0.0;
  return unusable(
      never ? fmt::format("{} never moved", name)
            : fmt::format("{} stood still for half of its length", name),
      "Every proposal was rejected, so its draws are one point over and over. The point says "
      "nothing about the posterior, and it is in every average.",
      "Leave --proposal-sd and --learning-rate out, so that they are tuned, or make them smaller; "
      "the default sampler does not need them.");
}

Judgement drifting(const Summary& summary, std::size_t chain, const char* what, double shift) {
  const std::uint64_t whole = summary.burn_in + summary.gap * shortest_chain(summary);
  return unusable(
      fmt::format("{} still drifts ({} by {:.1f} sd between halves)", name_of(summary, chain), what,
                  std::abs(shift)),
      "Its draws were taken on the way, so they describe the way and not the posterior.",
      fmt::format("Let burn-in be as long as this whole run was: {}.",
                  longer(summary, 3.0,
                         fmt::format("--burn-in {}", rounded_up(static_cast<double>(whole))))));
}

// One of many walkers may still be on its way without spoiling the mean over all; a quarter may
// not.
std::optional<Judgement> drift(const Summary& summary) {
  std::optional<Judgement> first;
  std::size_t count = 0;
  for (std::size_t c = 0; c < summary.chains.size(); ++c) {
    const ChainSummary& chain = summary.chains[c];
    const bool posterior = std::abs(chain.log_posterior_shift) > largest_shift;
    if (!posterior && !(chain.f_shift > largest_shift)) continue;
    ++count;
    if (!first) {
      first = posterior ? drifting(summary, c, "log posterior", chain.log_posterior_shift)
                        : drifting(summary, c, "f", chain.f_shift);
    }
  }
  return 4 * count >= summary.chains.size() ? first : std::nullopt;
}

Judgement one_chain() {
  return unusable("one chain alone cannot be judged",
                  "A chain can look steady and yet know only one of several kinds of network that "
                  "explain the data. Only other chains, started elsewhere, can show that.",
                  "Run it with --chains 4.");
}

// Inputs that come and go rarely can be unsettled while f is not.
std::string inclusions_to_except(const Summary& summary) {
  const InputInclusion* worst = nullptr;
  for (const InputInclusion& input : summary.inclusion) {
    if (input.rhat > good_rhat && (worst == nullptr || input.rhat > worst->rhat)) worst = &input;
  }
  return worst == nullptr ? ""
                          : fmt::format("; not so the inclusion of '{}' (R-hat {})", worst->name,
                                        shown_rhat(worst->rhat));
}

Judgement converged(const Summary& summary, const Decisive& decisive, std::uint64_t draws) {
  const double ess = std::min(std::floor(decisive.ess.value), static_cast<double>(summary.draws));
  const std::string on_f =
      summary.probes.empty() ? "; f was not compared, because the file has no probe rows"
                             : fmt::format(" and on f at {} training rows", summary.probes.size());
  Judgement out{
      Trust::converged,
      fmt::format("converged: R-hat at most {:.3f}, at least {:.0f} effective draws",
                  decisive.rhat.value, ess),
      fmt::format("The {} agree on the risk, on the number of live weights{}. "
                  "Means, intervals and inclusions can be read as those of the posterior{}.",
                  all_of_them(summary), on_f, inclusions_to_except(summary)),
      ""};
  if (decisive.rhat.value > ideal_rhat) {
    out.advice = fmt::format(
        "R-hat of {} is above {}: for firm second digits of the intervals take twice the draws "
        "({}).",
        decisive.rhat.name, ideal_rhat, longer(summary, 2.0, fmt::format("--draws {}", 2 * draws)));
  }
  return out;
}

// More draws at the rate at which effective ones came.
std::string draws_for(const Summary& summary, std::uint64_t draws, double ess) {
  const double times = good_ess / std::max(ess, 1.0);
  if (summary.walkers > 1)
    return fmt::format("At this rate it would take about {}.", longer(summary, times, ""));
  const std::uint64_t wanted = rounded_up(static_cast<double>(draws) * times);
  return fmt::format(
      "At this rate {} steps per chain after burn-in would do: --draws {} with --gap {}.",
      summary.gap * wanted, wanted, summary.gap);
}

Judgement too_short(const Summary& summary, const Decisive& decisive, std::uint64_t draws) {
  const double ess = std::floor(decisive.ess.value);
  return {
      Trust::not_usable,
      fmt::format("not usable yet: the chains agree, but are worth only {:.0f} independent draws",
                  ess),
      fmt::format("{:.0f} effective draws of {} are too few for the ends of an interval; {:.0f} "
                  "are wanted.",
                  ess, decisive.ess.name, good_ess),
      draws_for(summary, draws, decisive.ess.value)};
}

Judgement too_short_to_tell(const Summary& summary, const Decisive& decisive, std::uint64_t draws) {
  return {
      Trust::not_usable,
      fmt::format("not usable yet: too short to tell whether the chains agree (R-hat {})",
                  shown_rhat(decisive.rhat.value)),
      fmt::format("The chains differ in {}, but chance can explain that: what is slow has changed "
                  "only a few times. Together they are worth {:.0f} independent draws of {}.",
                  decisive.rhat.name, std::floor(decisive.ess.value), decisive.ess.name),
      draws_for(summary, draws, decisive.ess.value)};
}

Judgement nothing_happened() {
  return unusable(
      "f never changed in any chain",
      "Every draw predicts the same. Either the chains found no network that beats a "
      "constant in the time they had, or there is none for these data.",
      "Run longer and leave --start and --lambda out; if f stays constant, it may be so.");
}

Judgement mixed(const Summary& summary, const Decisive& decisive, std::uint64_t draws) {
  std::string spread;
  if (!summary.probes.empty()) {
    spread = fmt::format(" ({:.0f}% of the variance of f)",
                         100.0 * summary.disagreement.f_between_share);
  }
  return {Trust::mixed_over_modes,
          fmt::format("mixed over modes: each {0} is steady, but {0}s differ (R-hat {1})",
                      summary.walkers > 1 ? "walker" : "chain", shown_rhat(decisive.rhat.value)),
          fmt::format(
              "Each of the {} found a kind of network (a mode) that explains the data and "
              "stayed with it; they differ most in {}. The mean gives every one the same weight "
              "and not its "
              "posterior mass; it usually predicts better than any of them alone. The intervals "
              "include the differences between them{}, but their level is not guaranteed. Of an "
              "input no probability can be given, only how many of them use it.",
              all_of_them(summary), decisive.rhat.name, spread),
          fmt::format("To predict better: --chains {}. To come closer to the posterior: tempering "
                      "(--rungs) or longer chains ({}).",
                      3 * summary.chains.size() / summary.walkers,
                      longer(summary, 10.0, fmt::format("--draws {}", 10 * draws)))};
}

}  // namespace

Judgement judge(const Summary& summary) {
  const std::uint64_t draws = shortest_chain(summary);
  if (draws < fewest_draws) return too_few(summary, draws);
  for (std::size_t c = 0; c < summary.chains.size(); ++c) {
    if (summary.chains[c].stuck) return stuck(name_of(summary, c), summary.chains[c]);
  }
  if (summary.chains.size() == 1) return one_chain();
  const Decisive decisive(summary);
  if (!decisive.anything) return nothing_happened();
  if (decisive.agree() && decisive.ess.value >= good_ess) {
    return converged(summary, decisive, draws);
  }
  if (const std::optional<Judgement> verdict = drift(summary)) return *verdict;
  if (decisive.agree()) return too_short(summary, decisive, draws);
  return decisive.apart ? mixed(summary, decisive, draws)
                        : too_short_to_tell(summary, decisive, draws);
}

}  // namespace lacuna
