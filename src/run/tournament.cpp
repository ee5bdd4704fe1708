#include "run/tournament.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "run/setup.hpp"
#include "support/parallel.hpp"
#include "warmup/start.hpp"

namespace lacuna {
namespace {

// Training a large network is dear, and two of its kind differ little in mass: there every
// candidate goes on. So it does where a chain has several walkers, whose mean over many modes is
// worth more than fewer modes of larger mass.
constexpr std::size_t candidates_per_chain = 3;
constexpr std::uint64_t most_parameters_to_compare = 3000;
constexpr std::uint64_t most_qualifying_steps = 2500;
constexpr std::uint64_t looks =
    20;  // at the mass of a candidate, over the second half of its steps

double play(Chain& chain, const Target& target, std::uint64_t steps,
            const std::function<bool()>& stop) {
  EmpiricalRisk risk(target.samples, target.architecture, target.clip);
  Evaluation evaluation;
  const auto mass = [&] {
    risk.evaluate(chain.state().theta, death_request, evaluation);
    return approximate_log_mass(target.prior, target.lambda, chain.state().theta, evaluation.risk,
                                evaluation.curvature);
  };
  std::uint64_t left = steps;
  for (; left > steps / 2 && !stop(); left -= std::min<std::uint64_t>(left - steps / 2, 100)) {
    chain.burn_in(std::min<std::uint64_t>(left - steps / 2, 100));
  }
  double sum = mass(), count = 1.0;
  for (std::uint64_t look = looks; look > 0 && left > 0 && !stop(); --look) {
    const std::uint64_t part = left / look;
    chain.burn_in(part);
    left -= part;
    sum += mass();
    count += 1.0;
  }
  return sum / count;
}

}  // namespace

std::vector<Chain> tournament(const Target& target, const Config& config, std::uint64_t most_steps,
                              std::size_t threads, const std::function<bool()>& stop) {
  const std::size_t walkers = walkers_in_all(config);
  const bool compare = walkers == config.chains &&
                       target.architecture.parameter_count() <= most_parameters_to_compare;
  const std::size_t candidates = (compare ? candidates_per_chain : 1) * walkers;
  const std::uint64_t steps = compare ? std::min(most_steps, most_qualifying_steps) : 0;
  std::vector<std::optional<Chain>> field(candidates);
  std::vector<double> mass(candidates);
  parallel_for(candidates, threads, [&](std::size_t c) {
    const auto number = static_cast<std::uint32_t>(c);
    field[c].emplace(number, target, MixtureEngine(target),
                     first_point(target, config, number, 1, stop));
    mass[c] = play(*field[c], target, steps, stop);
  });
  std::vector<std::size_t> order(candidates);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t c) { return mass[c]; });
  order.resize(walkers);
  std::ranges::sort(order);
  std::vector<Chain> chains;
  for (const std::size_t c : order) {
    chains.push_back(std::move(*field[c]));
    chains.back().renumber(static_cast<std::uint32_t>(chains.size() - 1));
  }
  return chains;
}

}  // namespace lacuna
