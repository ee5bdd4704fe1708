// Simulation-based calibration: a truth drawn from the prior ranks uniformly among posterior draws
// given data simulated from it.
//
// The truth is itself a draw from the posterior given its data, so it may stand anywhere in a
// chain: it is put at a random place of it, and the chain is continued from there to both sides.
// For a reversible kernel (each kernel of the mixture is one, so the mixture is) the rank of the
// truth is then uniform exactly, without burn-in and however slowly the chain mixes (Besag and
// Clifford 1989). A kernel whose law is not the posterior drifts away from the truth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "statistical/default_kernels.hpp"
#include "statistical/experiment.hpp"
#include "statistical/inference.hpp"
#include "statistical/model.hpp"

namespace lacuna::statistical {
namespace {

constexpr double lambda = 25.0;
constexpr std::size_t draws = 31;  // beside the truth: 32 ranks
constexpr std::uint64_t gap = 60;  // steps between draws
constexpr std::array<std::string_view, 6> quantities = {"risk", "|I|",  "live |I|",
                                                        "f(a)", "f(b)", "sum of squares"};

// Twenty rows in the square (-1.5, 1.5)^2 in a low-discrepancy order.
Problem design() {
  Problem problem;
  problem.widths = {3};
  problem.base = 1.1;
  problem.bound = 2.0;
  problem.clip = 2.0;
  for (int i = 1; i <= 20; ++i) {
    const double a = 0.7548776662466927 * i, b = 0.5698402909980532 * i;
    problem.x.push_back({3.0 * (a - std::floor(a)) - 1.5, 3.0 * (b - std::floor(b)) - 1.5});
  }
  problem.y.assign(problem.x.size(), 0.0);
  return problem;
}

std::array<double, quantities.size()> quantities_of(const Model& model, const Point& point,
                                                    EmpiricalRisk& risk) {
  const std::vector<double> theta = model.all_weights(point.theta);
  double squares = 0.0;
  for (const double v : theta) squares += v * v;
  return {point.evaluation.risk,
          static_cast<double>(point.theta.size()),
          static_cast<double>(risk.live_network(point.theta).live_count()),
          model.f(theta, {0.9, 0.4}),
          model.f(theta, {-0.8, -0.7}),
          squares};
}

using Ranks = std::array<std::size_t, quantities.size()>;

// Ties, of counts and of draws where nothing moved, are broken at random.
Ranks ranks_of_truth(const Model& model, const MixtureKernel& kernel, std::uint64_t seed,
                     std::uint64_t replicate) {
  RandomStream stream({seed, 0, 0, replicate, Purpose::simulation});
  const Prior prior = model.problem().prior(PriorKind::sparse);
  const std::vector<double> truth = model.draw_prior(stream);
  EmpiricalRisk risk = model.problem().risk_for(model.draw_targets(truth, lambda, stream));
  const GibbsPosterior<EmpiricalRisk> target{prior, risk, lambda};
  Point start;
  start.theta = sparse(truth);
  evaluate_point(target, start);
  const auto of_truth = quantities_of(model, start, risk);
  Ranks below{}, equal{};
  MixtureScratch scratch;
  const std::size_t before = stream.below(draws + 1);
  for (const std::size_t length : {before, draws - before}) {
    Point current = start;
    for (std::size_t i = 0; i < length; ++i) {
      for (std::uint64_t k = 0; k < gap; ++k) step(kernel, target, current, scratch, stream);
      const auto of_draw = quantities_of(model, current, risk);
      for (std::size_t q = 0; q < quantities.size(); ++q) {
        below[q] += of_draw[q] < of_truth[q];
        equal[q] += of_draw[q] == of_truth[q];
      }
    }
  }
  for (std::size_t q = 0; q < quantities.size(); ++q) below[q] += stream.below(equal[q] + 1);
  return below;
}

}  // namespace

// False-alarm rate 0.001: a chi-square and a Kolmogorov test per quantity, with Bonferroni.
Result sbc_mixture(std::uint64_t seed, Budget budget) {
  const Model model(design());
  const MixtureKernel kernel = mixture_for(model.problem());
  const std::uint64_t replicates = budget == Budget::fast ? 1000 : 5000;
  std::array<std::vector<double>, quantities.size()> counts, places;
  for (auto& c : counts) c.assign(draws + 1, 0.0);
  for (std::uint64_t r = 0; r < replicates; ++r) {
    const Ranks ranks = ranks_of_truth(model, kernel, seed, r);
    RandomStream inside({seed, 0, 0, r, Purpose::test});
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      counts[q][ranks[q]] += 1.0;
      // Uniform inside its cell, so that the limit law of the continuous case holds.
      places[q].push_back((static_cast<double>(ranks[q]) + inside.uniform()) / (draws + 1.0));
    }
  }
  const std::vector<double> uniform(draws + 1, 1.0 / (draws + 1.0));
  Verdicts verdicts;
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    verdicts.add(fmt::format("{} cells", quantities[q]), chi_square_test(counts[q], uniform));
    verdicts.add(fmt::format("{} distance", quantities[q]), uniform_test(places[q]));
  }
  return verdicts.result();
}

}  // namespace lacuna::statistical
