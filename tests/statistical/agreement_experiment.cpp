// The mixture against the paper's kernel on a problem too large for enumeration.
#include <fmt/format.h>

#include <cmath>

#include "statistical/chain_means.hpp"
#include "statistical/default_kernels.hpp"
#include "statistical/experiment.hpp"
#include "statistical/model.hpp"

namespace lacuna::statistical {
namespace {

constexpr std::size_t inputs = 3, probe_count = 5, functional_count = 3 + probe_count + inputs;
constexpr std::array<std::string_view, functional_count> functional_names = {
    "risk", "|I|",  "live |I|", "f(a)",    "f(b)",   "f(c)",
    "f(d)", "f(e)", "input 1",  "input 2", "input 3"};
const std::array<std::vector<double>, probe_count> probes = {
    {{0.0, 0.0, 0.0}, {1.0, 0.5, -0.5}, {-1.0, 0.8, 0.3}, {0.6, -1.2, 1.0}, {-0.7, -0.9, -1.1}}};

// Sixty rows of a function of the first two inputs, the first of which matters more. Cold enough
// to bring the first input in, warm enough for the paper's kernel to mix.
constexpr double lambda = 22.0;
Problem design() {
  Problem problem;
  problem.widths = {4, 4};
  problem.base = 1.1;
  problem.bound = 2.0;
  problem.clip = 2.0;
  RandomStream stream({1, 0, 0, 0, Purpose::simulation});
  for (int i = 0; i < 60; ++i) {
    std::vector<double> x;
    for (std::size_t j = 0; j < inputs; ++j) x.push_back(stream.uniform(-1.5, 1.5));
    problem.y.push_back(std::max(0.0, 1.2 * x[0]) - 0.4 * std::abs(x[1]) + 0.3 * stream.normal());
    problem.x.push_back(std::move(x));
  }
  return problem;
}

constexpr std::uint64_t batches_per_chain = 6;

// Means of the functionals and then of their squares.
template <Kernel K>
Batches means_of(const Model& model, const K& kernel, double steps, ChainId streams) {
  const auto add = [&](Chain<K>& chain, double* sums) {
    const Point& point = chain.current();
    const std::vector<double> theta = model.all_weights(point.theta);
    const LiveNetwork& network = chain.risk().live_network(point.theta);
    std::array<double, functional_count> value = {point.evaluation.risk,
                                                  static_cast<double>(point.theta.size()),
                                                  static_cast<double>(network.live_count())};
    for (std::size_t k = 0; k < probe_count; ++k) value[3 + k] = model.f(theta, probes[k]);
    for (std::size_t slot = 0; slot < point.theta.size(); ++slot) {
      const std::uint64_t i = point.theta.index[slot];  // W1 comes first, row by row
      if (i < inputs * model.problem().widths[0] && network.slot_is_live(slot)) {
        value[3 + probe_count + i % inputs] = 1.0;
      }
    }
    for (std::size_t k = 0; k < functional_count; ++k) {
      sums[k] += value[k];
      sums[functional_count + k] += value[k] * value[k];
    }
  };
  const ChainRun<K> run{
      model.problem(),   lambda,      kernel, static_cast<std::uint64_t>(steps), PriorKind::sparse,
      batches_per_chain, streams.rung};
  return chain_means(run, 2 * functional_count, streams.seed, add);
}

// The fewest independent draws that would give the standard errors of the functionals.
double effective_draws(const Batches& means) {
  double fewest = HUGE_VAL;
  for (std::size_t k = 0; k < functional_count; ++k) {
    const double mean = means.mean()[k], error = means.standard_error(k);
    fewest = std::min(fewest, (means.mean()[functional_count + k] - mean * mean) / (error * error));
  }
  return fewest;
}

}  // namespace

// The worst |z| of eleven means and eleven mean squares; false-alarm rate 22 * P(|t| > 4.4) = 1e-3
// with 48 batches on either side. As in thirteen_experiment.cpp, batches that hold fewer than ten
// effective draws are an alarm.
Result agreement(std::uint64_t seed, Budget budget) {
  const Model model(design());
  const bool fast = budget == Budget::fast;
  const Batches paper = means_of(model, PaperKernel{0.15, 0.2}, fast ? 3e6 : 12e6, {seed, 0, 0});
  const Batches mixture =
      means_of(model, mixture_for(model.problem()), fast ? 1.5e6 : 4e6, {seed, 0, 1});
  const WorstScore worst = worst_score(mixture, paper);
  const double of_paper = effective_draws(paper), of_mixture = effective_draws(mixture);
  const bool stuck = !(std::min(of_paper, of_mixture) >= 10.0 * static_cast<double>(paper.count()));
  const std::size_t k = worst.where % functional_count;
  return judge(
      stuck ? HUGE_VAL : worst.z, 4.4,
      fmt::format("worst |z| {:.2f} at {}{}: {:.4f}, paper's kernel {:.4f}; at least "
                  "{:.0f} and {:.0f} effective draws",
                  worst.z, functional_names[k], k == worst.where ? "" : " squared",
                  mixture.mean()[worst.where], paper.mean()[worst.where], of_mixture, of_paper));
}

}  // namespace lacuna::statistical
