// Training and the starting points it gives.
#include "warmup/start.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "posterior/lambda.hpp"
#include "warmup/adam.hpp"

namespace lacuna {
namespace {

// y = |x1| on standard normal inputs, centred and scaled; further inputs do not matter.
Samples easy_samples(std::size_t rows, std::size_t inputs, double noise = 0.05) {
  RandomStream stream({5, 0, 0, 0, Purpose::test});
  std::vector<double> x(rows * inputs), y(rows);
  for (double& value : x) value = stream.normal();
  for (std::size_t i = 0; i < rows; ++i) {
    y[i] = (std::abs(x[i]) - 0.8) / 0.6 + noise * stream.normal();
  }
  return Samples(rows, inputs, x, y);
}

double risk_of(const Samples& samples, const Architecture& architecture, const SparseTheta& theta,
               double clip = 5.0) {
  Evaluator evaluator(architecture, clip);
  Evaluation evaluation;
  evaluator.evaluate(theta, samples, samples.all(), {}, evaluation);
  return evaluation.risk;
}

double risk_of_the_mean(const Samples& samples) {
  const auto n = static_cast<double>(samples.rows());
  double mean = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < samples.rows(); ++i) mean += samples.target()[i] / n;
  for (std::size_t i = 0; i < samples.rows(); ++i) {
    squares += (samples.target()[i] - mean) * (samples.target()[i] - mean) / n;
  }
  return squares;
}

struct Start {
  SparseTheta theta;
  double risk;
};

Start start_on(const Samples& samples, const Architecture& architecture, PriorKind kind,
               double lambda, double bound = 3.0, std::uint32_t chain = 0) {
  const Prior prior(kind, architecture.parameter_count(), 2.0, bound);
  RandomStream stream({1, chain, 0, 0, Purpose::start});
  const auto path = trained_path({samples, architecture, prior, 5.0, lambda}, {}, stream);
  const SparseTheta theta = heaviest(path, prior, lambda).theta;
  EXPECT_GE(theta.size(), 1u);
  EXPECT_EQ(std::ranges::adjacent_find(theta.index, std::greater_equal<>()), theta.index.end());
  EXPECT_LT(theta.index.back(), architecture.parameter_count());
  EXPECT_TRUE(std::isfinite(prior.log_density(theta)))
      << "outside the box or of an impossible size";
  return {theta, risk_of(samples, architecture, theta)};
}

TEST(Train, LowersTheRiskInsideTheBox) {
  const Samples samples = easy_samples(200, 2);
  const Architecture architecture(2, {6});
  RandomStream stream({1, 0, 0, 0, Purpose::test});
  SparseTheta theta;
  for (std::uint64_t i = 0; i < architecture.parameter_count(); ++i) {
    theta.insert(i, stream.uniform(-0.7, 0.7));
  }
  const double before = risk_of(samples, architecture, theta);
  Evaluator evaluator(architecture, 5.0);
  Training training;
  training.steps = 1500;
  training.bound = 0.8;
  const std::vector<std::uint64_t> active = theta.index;
  train(theta, evaluator, samples, training);
  EXPECT_LT(risk_of(samples, architecture, theta), 0.5 * before);
  EXPECT_EQ(theta.index, active);
  for (const double value : theta.value) EXPECT_LE(std::abs(value), 0.8);
}

TEST(Train, WorksOnFewerRowsThanABatch) {
  const Samples samples = easy_samples(3, 1);
  const Architecture architecture(1, {2});
  SparseTheta theta{{0, 2, 4, 6}, {0.5, 0.1, 0.5, 0.0}};
  Evaluator evaluator(architecture, 5.0);
  const double before = risk_of(samples, architecture, theta);
  train(theta, evaluator, samples, {});
  EXPECT_LT(risk_of(samples, architecture, theta), before);
}

TEST(TrainedStart, FitsEasyDataWithFewWeights) {
  const Samples samples = easy_samples(200, 5, 0.1);
  const Architecture architecture(5, {16, 16});
  const double noise = 0.1, lambda = bayes_lambda(200, noise);
  for (std::uint32_t chain = 0; chain < 2; ++chain) {
    const Start start = start_on(samples, architecture, PriorKind::sparse, lambda, 3.0, chain);
    EXPECT_LT(start.risk, 0.1 * risk_of_the_mean(samples));
    EXPECT_GE(start.theta.size(), 5u);   // |x| takes two units with an edge in and out each
    EXPECT_LE(start.theta.size(), 80u);  // of P = 385
  }
}

TEST(TrainedStart, IsAlmostEmptyWhereTheDataSayNothing) {
  const Samples samples = easy_samples(40, 2);
  const Architecture architecture(2, {8});
  const Start start = start_on(samples, architecture, PriorKind::sparse, 0.0);
  EXPECT_EQ(start.theta.size(), 1u);
  EXPECT_TRUE(std::isfinite(start.risk));
}

TEST(TrainedStart, WorksOnTwoRows) {
  const std::vector<double> x = {-1.0, 1.0}, y = {-1.0, 1.0};
  const Samples samples(2, 1, x, y);
  for (const PriorKind kind : {PriorKind::sparse, PriorKind::dense}) {
    const Start start = start_on(samples, Architecture(1, {4}), kind, bayes_lambda(2, 0.1));
    EXPECT_LT(start.risk, 0.2);
  }
}

TEST(TrainedStart, WorksInDeepNetworks) {
  const Samples samples = easy_samples(150, 1);
  const Architecture architecture(1, {6, 6, 6, 6, 6});
  const Start start = start_on(samples, architecture, PriorKind::sparse, bayes_lambda(150, 0.1));
  EXPECT_LT(start.risk, 0.5 * risk_of_the_mean(samples));
}

TEST(TrainedStart, KeepsEveryWeightUnderTheDensePrior) {
  const Samples samples = easy_samples(100, 2);
  const Architecture architecture(2, {20});  // wider than a sparse start would use
  const Start start = start_on(samples, architecture, PriorKind::dense, bayes_lambda(100, 0.1));
  EXPECT_EQ(start.theta.size(), architecture.parameter_count());
  EXPECT_LT(start.risk, 0.2 * risk_of_the_mean(samples));
}

TEST(TrainedStart, StaysInTheSmallestBox) {
  const Samples samples = easy_samples(60, 1);
  for (const PriorKind kind : {PriorKind::sparse, PriorKind::dense}) {
    const Start start =
        start_on(samples, Architecture(1, {4, 4}), kind, bayes_lambda(60, 0.1), 1.0);
    for (const double value : start.theta.value) EXPECT_LT(std::abs(value), 1.0);
  }
}

TEST(TrainedStart, TouchesOnlyACornerOfAHugeNetwork) {
  const Samples samples = easy_samples(80, 1);
  const Architecture architecture(1, {1'000'000, 1'000'000});
  const Start start = start_on(samples, architecture, PriorKind::sparse, bayes_lambda(80, 0.1));
  EXPECT_LT(start.theta.size(), 400u);
}

TEST(TrainedStart, IsNamedByItsStream) {
  const Samples samples = easy_samples(50, 1);
  const Architecture architecture(1, {4});
  const auto theta = [&](std::uint32_t chain) {
    return start_on(samples, architecture, PriorKind::sparse, 500.0, 3.0, chain).theta;
  };
  EXPECT_EQ(theta(0), theta(0));
  EXPECT_NE(theta(0), theta(1));
}

}  // namespace
}  // namespace lacuna
