// Estimates of D_lambda: their bookkeeping. Whether they are unbiased is asked by the statistical
// tests.
#include "run/evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

Target small_target(double lambda, PriorKind kind = PriorKind::sparse) {
  const Architecture shape(1, {3});
  const std::vector<double> x = {-1.0, -0.5, 0.0, 0.5, 1.0}, y = {0.1, 0.0, 0.1, 0.4, 0.9};
  return {shape,
          Prior(kind, shape.parameter_count(), 2.0, 2.0),
          std::make_shared<const Samples>(5, 1, x, y),
          1.0,
          lambda,
          1};
}

EvidenceEffort small_effort(std::size_t threads) {
  EvidenceEffort effort;
  effort.runs = 5;
  effort.rungs = 12;
  effort.steps_per_rung = 4;
  effort.points = 64;
  effort.threads = threads;
  return effort;
}

TEST(Evidence, LogMeanExp) {
  EXPECT_NEAR(log_mean_exp(std::array{0.0, std::log(3.0)}), std::log(2.0), 1e-15);
  EXPECT_NEAR(log_mean_exp(std::array{-5000.0, -5000.0}), -5000.0, 1e-12);
  const double none = -std::numeric_limits<double>::infinity();
  EXPECT_NEAR(log_mean_exp(std::array{none, 0.0}), -std::log(2.0), 1e-15);
  EXPECT_EQ(log_mean_exp(std::array{none, none}), none);
}

TEST(Evidence, LadderClimbsFromZeroToLambda) {
  const std::vector<double> ladder = annealing_ladder(250.0, 0.5, 40);
  ASSERT_EQ(ladder.size(), 41u);
  EXPECT_EQ(ladder.front(), 0.0);
  EXPECT_EQ(ladder.back(), 250.0);
  for (std::size_t t = 1; t < ladder.size(); ++t) EXPECT_GT(ladder[t], ladder[t - 1]);
}

TEST(Evidence, DoesNotDependOnThreads) {
  const Target target = small_target(30.0);
  for (const Engine& engine : {Engine(MixtureEngine(target)), Engine(PaperEngine(target, {}, 1))}) {
    const Evidence one = estimate_evidence(target, engine, small_effort(1));
    const Evidence three = estimate_evidence(target, engine, small_effort(3));
    for (std::size_t run = 0; run < 5; ++run) {
      EXPECT_EQ(one.sweeps[run].log_weight, three.sweeps[run].log_weight);
      EXPECT_EQ(one.sweeps[run].left_sum, three.sweeps[run].left_sum);
    }
    // Sweeps that never leave f = 0 have the same weight; that all five do would be odd.
    EXPECT_TRUE(std::ranges::any_of(one.sweeps, [&](const Sweep& sweep) {
      return sweep.log_weight != one.sweeps[0].log_weight;
    }));
    EXPECT_EQ(local_log_evidence(target, SparseTheta{{0, 6}, {0.5, 1.0}}, small_effort(1)),
              local_log_evidence(target, SparseTheta{{0, 6}, {0.5, 1.0}}, small_effort(3)));
  }
}

TEST(Evidence, AsksAfterEveryRungWhetherToGoOn) {
  const Target target = small_target(30.0);
  const MixtureEngine engine(target);
  for (const std::size_t threads : {1, 3}) {
    const EvidenceEffort effort = small_effort(threads);
    std::atomic<std::uint64_t> asked = 0;
    const Evidence found = estimate_evidence(target, engine, effort, [&] { return ++asked > 0; });
    EXPECT_EQ(asked, rungs_in_all(effort));
    EXPECT_EQ(found.log_annealed(), estimate_evidence(target, engine, effort).log_annealed());
    asked = 0;
    EXPECT_THROW(estimate_evidence(target, engine, effort, [&] { return ++asked < 30; }), Error);
    EXPECT_LE(asked, 30 + effort.runs);  // the rung at which a sweep learns that it is over
  }
}

TEST(Evidence, AtLambdaZeroItIsOne) {
  const Target target = small_target(0.0);
  const Evidence found = estimate_evidence(target, MixtureEngine(target), small_effort(1));
  EXPECT_EQ(found.log_annealed(), 0.0);
  EXPECT_EQ(found.annealed_error(), 0.0);
  EXPECT_EQ(found.left_sum(), 0.0);
  EXPECT_EQ(found.log_estimate(), 0.0);
}

TEST(Evidence, HalfAndHalf) {
  Evidence found{
      1.0, {{-1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}}, -std::numeric_limits<double>::infinity()};
  EXPECT_DOUBLE_EQ(found.log_estimate(), -1.0);
  found.log_local = 3.0;
  EXPECT_NEAR(found.log_estimate(), std::log(0.5 * (std::exp(-1.0) + std::exp(3.0))), 1e-14);
}

// At lambda = 0 every term is the prior mass of the cubes around the point: volume times density.
// Two of three units are in use, so three sets are the same but for names.
TEST(Evidence, LocalMassAtLambdaZero) {
  const Target target = small_target(0.0);
  // W1 of units 0 and 2, their output weights, and a dead shift of unit 1. P = 10.
  const SparseTheta centre{{0, 2, 4, 6, 8}, {0.2, -0.4, 1.0, 0.3, -0.1}};
  double sum = 0.0;
  for (const double size : {0.25, 0.5, 1.0, 2.0}) {
    double volume = 1.0;
    for (const double v : {0.2, -0.4, 0.3, -0.1}) {
      const double half = size / std::sqrt(3.0 / 4.0);
      volume *= std::min(v + half, 2.0) - std::max(v - half, -2.0);
    }
    sum += volume / 4.0;
  }
  const double expected = std::log(3.0 * sum) + target.prior.log_density_of_size(4);
  EXPECT_NEAR(local_log_evidence(target, centre, small_effort(2)), expected, 1e-12);
}

TEST(Evidence, LocalMassUnderTheDensePriorKeepsAllWeights) {
  const Target target = small_target(2.0, PriorKind::dense);
  SparseTheta centre;
  for (std::uint64_t i = 0; i < 10; ++i) centre.insert(i, i < 9 ? 0.0 : 0.3);
  const double found = local_log_evidence(target, centre, small_effort(1));
  EXPECT_TRUE(std::isfinite(found));
  EXPECT_LT(found, 0.0);
}

}  // namespace
}  // namespace lacuna
