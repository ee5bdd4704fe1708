// Selection weights of a jump: removal by hand, addition against a double loop over all
// coordinates, and their draws.
#include "mcmc/jump_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::kFalseAlarm;

TEST(RemovalWeight, ByHand) {
  const SparseTheta theta{{3, 8, 9}, {0.0, -std::log(2.0), std::log(4.0)}};  // weights 1, 1/2, 1/4
  EXPECT_NEAR(log_removal_weight(theta, 0), std::log(4.0 / 7.0), 1e-15);
  EXPECT_NEAR(log_removal_weight(theta, 1), std::log(2.0 / 7.0), 1e-15);
  EXPECT_NEAR(log_removal_weight(theta, 2), std::log(1.0 / 7.0), 1e-15);
  EXPECT_EQ(log_removal_weight({{5}, {1.7}}, 0), 0.0);
}

TEST(RemovalWeight, LargeValuesKeepTheirProportions) {
  // exp(-|theta|) itself underflows past 745; the proportions must not.
  for (const double size : {30.0, 700.0, 800.0, 1e6}) {
    const SparseTheta theta{{0, 1}, {size, -(size + std::log(3.0))}};
    EXPECT_NEAR(log_removal_weight(theta, 0), std::log(0.75), 1e-9) << size;
    EXPECT_NEAR(log_removal_weight(theta, 1), std::log(0.25), 1e-9) << size;
  }
}

TEST(RemovalWeight, DrawsFollowTheWeights) {
  RandomStream stream = testing::test_stream(320);
  for (const double shift : {0.0, 50.0, 800.0}) {
    SparseTheta theta;
    std::vector<double> probabilities;
    for (std::uint64_t i = 0; i < 8; ++i)
      theta.insert(i, (i % 2 == 0 ? 1.0 : -1.0) * (shift + stream.uniform(0.0, 2.0)));
    for (const double v : theta.value) probabilities.push_back(std::exp(shift - std::abs(v)));
    const double total = std::reduce(probabilities.begin(), probabilities.end());
    for (double& p : probabilities) p /= total;
    std::vector<std::uint64_t> counts(8);
    for (int i = 0; i < 50000; ++i) ++counts.at(draw_removal(theta, stream));
    EXPECT_GT(testing::chi_square_p_value(counts, probabilities), kFalseAlarm)
        << "values about " << shift;
  }
}

// A point with `active` coordinates of `total` and gradients on some inactive ones.
struct Case {
  std::uint64_t total = 0;
  SparseTheta theta;
  Evaluation evaluation;

  // Normalised weights of all coordinates by the definition, zero for the active ones.
  std::vector<double> naive_weights() const {
    std::vector<double> gradient(total), weight(total);
    for (const InactiveDerivative& d : evaluation.inactive) gradient[d.index] = d.gradient;
    double sum = 0.0;
    for (std::uint64_t i = 0; i < total; ++i) {
      if (theta.contains(i)) continue;
      double rank = 0.0;
      for (std::uint64_t j = 0; j < total; ++j) {
        rank += !theta.contains(j) && std::abs(gradient[j]) <= std::abs(gradient[i]);
      }
      sum += weight[i] = rank * rank;
    }
    for (double& w : weight) w /= sum;
    return weight;
  }
};

enum class Gradients { distinct, tied, zero, all_listed };

Case random_case(Gradients gradients, RandomStream& stream) {
  Case c;
  c.total = 4 + stream.below(40);
  const double density = stream.uniform();
  for (std::uint64_t i = 0; i < c.total; ++i) {
    if (stream.uniform() < density) {
      c.theta.insert(i, stream.normal());
    } else if (gradients == Gradients::all_listed || stream.uniform() < 0.5) {
      const double tied =
          0.5 * static_cast<double>(stream.below(4)) * (stream.uniform() < 0.5 ? -1.0 : 1.0);
      const double value = gradients == Gradients::zero
                               ? 0.0
                               : (gradients == Gradients::tied ? tied : stream.normal());
      c.evaluation.inactive.push_back({i, value, 0.0});
    }
  }
  if (c.theta.size() == c.total) {
    c.theta.erase_position(0);
    c.evaluation.inactive.clear();
  }
  return c;
}

TEST(AdditionWeights, MatchTheDefinition) {
  RandomStream stream = testing::test_stream(321);
  AdditionWeights weights;  // one object for all: nothing of an earlier point may stay
  for (const Gradients kind :
       {Gradients::distinct, Gradients::tied, Gradients::zero, Gradients::all_listed}) {
    for (int repeat = 0; repeat < 500; ++repeat) {
      const Case c = random_case(kind, stream);
      weights.build(c.theta, c.evaluation, c.total);
      const std::vector<double> expected = c.naive_weights();
      double total = 0.0;
      for (std::uint64_t i = 0; i < c.total; ++i) {
        if (c.theta.contains(i)) continue;
        ASSERT_NEAR(std::exp(weights.log_weight(i)), expected[i], 1e-13);
        total += std::exp(weights.log_weight(i));
      }
      ASSERT_NEAR(total, 1.0, 1e-12);
    }
  }
}

TEST(AdditionWeights, ByHandWithTies) {
  // Inactive gradients 0, 0, -1, 1, 2: counts 2, 2, 4, 4, 5, weights 4, 4, 16, 16, 25 out of 65.
  const SparseTheta theta{{1}, {0.5}};
  Evaluation evaluation;
  evaluation.inactive = {{0, 0.0, 0.0}, {2, -1.0, 0.0}, {3, 1.0, 0.0}, {5, 2.0, 0.0}};
  AdditionWeights weights;
  weights.build(theta, evaluation, 6);
  EXPECT_NEAR(weights.log_weight(0), std::log(4.0 / 65.0), 1e-15);
  EXPECT_NEAR(weights.log_weight(4), std::log(4.0 / 65.0), 1e-15);
  EXPECT_NEAR(weights.log_weight(2), std::log(16.0 / 65.0), 1e-15);
  EXPECT_NEAR(weights.log_weight(3), std::log(16.0 / 65.0), 1e-15);
  EXPECT_NEAR(weights.log_weight(5), std::log(25.0 / 65.0), 1e-15);
}

TEST(AdditionWeights, TheOnlyInactiveCoordinateIsCertain) {
  RandomStream stream = testing::test_stream(322);
  for (const double gradient : {0.0, 0.7}) {
    const SparseTheta theta{{0, 1, 3}, {1.0, 1.0, 1.0}};
    Evaluation evaluation;
    evaluation.inactive = {{2, gradient, 0.0}};
    AdditionWeights weights;
    weights.build(theta, evaluation, 4);
    EXPECT_EQ(weights.log_weight(2), 0.0);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(weights.draw(stream), 2u);
  }
}

TEST(AdditionWeights, DrawsFollowTheWeights) {
  RandomStream stream = testing::test_stream(323);
  AdditionWeights weights;
  for (const Gradients kind :
       {Gradients::distinct, Gradients::tied, Gradients::zero, Gradients::all_listed}) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Case c = random_case(kind, stream);
      weights.build(c.theta, c.evaluation, c.total);
      std::vector<std::uint64_t> counts(c.total);
      for (int i = 0; i < 50000; ++i) ++counts.at(weights.draw(stream));
      for (const std::uint64_t active : c.theta.index) ASSERT_EQ(counts[active], 0u);
      EXPECT_GT(testing::chi_square_p_value(counts, c.naive_weights()), kFalseAlarm);
    }
  }
}

TEST(AdditionWeights, AnOverflowedGradientRanksLast) {
  Evaluation evaluation;
  evaluation.inactive = {
      {0, std::numeric_limits<double>::quiet_NaN(), 0.0}, {1, 5.0, 0.0}, {2, -7.0, 0.0}};
  AdditionWeights weights;
  weights.build({{3}, {1.0}}, evaluation, 4);
  EXPECT_NEAR(weights.log_weight(0), std::log(9.0 / 14.0), 1e-15);
  EXPECT_NEAR(weights.log_weight(2), std::log(4.0 / 14.0), 1e-15);
}

TEST(AdditionWeights, ABillionCoordinatesCostNoMoreThanTheListedOnes) {
  RandomStream stream = testing::test_stream(324);
  const std::uint64_t total = 1'000'000'000;
  SparseTheta theta;
  Evaluation evaluation;
  for (std::uint64_t i = 0; i < 50; ++i) theta.insert(20'000'000 * i, 1.0);
  for (std::uint64_t i = 0; i < 200; ++i)
    evaluation.inactive.push_back({5'000'000 * i + 1, stream.normal(), 0.0});
  AdditionWeights weights;
  weights.build(theta, evaluation, total);

  // With Z zeros: Z of them weigh Z^2 each and the k-th listed one (Z + k)^2.
  const double zeros = 1e9 - 250.0;
  double sum = zeros * zeros * zeros;
  for (int k = 1; k <= 200; ++k) sum += (zeros + k) * (zeros + k);
  EXPECT_NEAR(weights.log_weight(17), 2.0 * std::log(zeros) - std::log(sum), 1e-12);

  std::vector<double> positions(20000);
  // Were the cost to follow the total, this would not end.
  for (double& position : positions) {
    weights.build(theta, evaluation, total);
    const std::uint64_t drawn = weights.draw(stream);
    ASSERT_LT(drawn, total);
    ASSERT_FALSE(theta.contains(drawn));
    position = static_cast<double>(drawn);
  }
  EXPECT_GT(testing::kolmogorov_p_value(positions, [](double i) { return i / 1e9; }), kFalseAlarm);
}

}  // namespace
}  // namespace lacuna
