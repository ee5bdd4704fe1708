// Ways to set lambda: hand values of the theorem's constant, inverses, and the noise level
// estimated from data.
#include "posterior/lambda.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

TEST(Lambda, TheoryConstantByHand) {
  EXPECT_DOUBLE_EQ(theory_constant(1.0, 0.0, 0.0), 48.0);  // 16 + 16 * 2
  EXPECT_DOUBLE_EQ(theory_constant(1.0, 0.0, 2.0), 48.0);  // Gamma at 2C
  EXPECT_DOUBLE_EQ(theory_constant(1.0, 0.0, 3.0), 64.0);  // Gamma beyond it: 16 + 48
  EXPECT_DOUBLE_EQ(theory_constant(1.0, 0.5, 0.0), 52.0);  // 16 * 1.25 + 32
  EXPECT_DOUBLE_EQ(theory_constant(2.0, 1.0, 10.0), 80.0 + 320.0);
}

TEST(Lambda, TheoryIsRowsOverItsConstant) {
  EXPECT_DOUBLE_EQ(theory_lambda(4800, 1.0, 0.0, 0.1), 100.0);
}

TEST(Lambda, BayesAndImpliedNoiseAreInverses) {
  EXPECT_DOUBLE_EQ(bayes_lambda(500, 0.1), 25000.0);
  for (const double sigma : {1e-4, 0.02, 0.5, 1.0, 37.0}) {
    for (const double rows : {1.0, 0.5, 500.0, 1e6}) {
      EXPECT_NEAR(implied_noise_sd(rows, bayes_lambda(rows, sigma)) / sigma, 1.0, 1e-14);
    }
  }
  for (const double lambda : {1e-6, 1.0, 1e9}) {
    EXPECT_NEAR(bayes_lambda(100, implied_noise_sd(100, lambda)) / lambda, 1.0, 1e-14);
  }
}

TEST(Lambda, TheoryIsHotterThanBayesForSmallNoise) {
  EXPECT_LT(theory_lambda(1000, 1.0, 0.1, 0.1), bayes_lambda(1000, 0.1));
}

TEST(Lambda, AtZeroTheImpliedNoiseIsInfinite) {
  EXPECT_EQ(implied_noise_sd(10, 0.0), std::numeric_limits<double>::infinity());
}

Dataset make_data(std::size_t rows, std::size_t inputs, double noise_sd, RandomStream& stream,
                  const std::function<double(const std::vector<double>&)>& f) {
  Dataset data;
  data.rows = rows;
  data.inputs = inputs;
  data.x.resize(rows * inputs);
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> x(inputs);
    for (std::size_t j = 0; j < inputs; ++j)
      data.x[j * rows + i] = x[j] = stream.uniform(-1.0, 1.0);
    data.y.push_back(f(x) + noise_sd * stream.normal());
  }
  return data;
}

double linear(const std::vector<double>& x) {
  double sum = 1.0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += static_cast<double>(j + 1) * x[j];
  return sum;
}

// The standard error of an estimated noise level is about 1 / sqrt(2 n); the factors below leave
// five of them and the bias of the method, so a false alarm is rarer than one in a million.
TEST(NoiseLevel, LinearData) {
  RandomStream stream = testing::test_stream(220);
  for (const double sd : {0.05, 0.3, 2.0}) {
    const double estimate = estimate_noise_sd(make_data(600, 5, sd, stream, linear));
    EXPECT_GT(estimate, sd / 1.3);
    EXPECT_LT(estimate, sd * 1.3);
  }
}

TEST(NoiseLevel, SmoothDataInOneDimension) {
  RandomStream stream = testing::test_stream(221);
  const auto wave = [](const std::vector<double>& x) { return std::sin(6.0 * x[0]); };
  for (const double sd : {0.05, 0.3}) {
    const double estimate = estimate_noise_sd(make_data(1000, 1, sd, stream, wave));
    EXPECT_GT(estimate, sd / 1.4);
    EXPECT_LT(estimate, sd * 1.4);
  }
}

TEST(NoiseLevel, ManyRowsUseAPartOfThem) {
  RandomStream stream = testing::test_stream(222);
  const auto wave = [](const std::vector<double>& x) { return std::sin(6.0 * x[0]); };
  const double estimate = estimate_noise_sd(make_data(20000, 1, 0.2, stream, wave));
  EXPECT_GT(estimate, 0.2 / 1.3);
  EXPECT_LT(estimate, 0.2 * 1.3);
}

TEST(NoiseLevel, DataWithoutNoiseGiveASmallPositiveLevel) {
  RandomStream stream = testing::test_stream(223);
  const Dataset data = make_data(500, 3, 0.0, stream, linear);
  const double spread = std::sqrt(14.0 / 3.0);
  EXPECT_GT(estimate_noise_sd(data), 0.005 * spread);
  EXPECT_LT(estimate_noise_sd(data), 0.02 * spread);
}

TEST(NoiseLevel, ConstantTargets) {
  RandomStream stream = testing::test_stream(224);
  for (const std::size_t rows : {3, 7, 100, 1000}) {
    for (const double value : {0.0, 1.0, 0.1, -1e6 / 3.0}) {
      const Dataset data = make_data(rows, 2, 0.0, stream, [&](const auto&) { return value; });
      EXPECT_EQ(estimate_noise_sd(data), 1.0) << rows << " rows of " << value;
    }
  }
}

TEST(NoiseLevel, MoreInputsThanRows) {
  RandomStream stream = testing::test_stream(225);
  for (const std::size_t rows : {2, 5, 12, 40}) {
    const Dataset data = make_data(rows, 100, 0.5, stream, [](const auto& x) { return x[0]; });
    const double estimate = estimate_noise_sd(data);
    EXPECT_TRUE(std::isfinite(estimate));
    EXPECT_GT(estimate, 0.0);
    EXPECT_LT(estimate, 3.0);
  }
}

TEST(NoiseLevel, RepeatedAndCollinearColumns) {
  RandomStream stream = testing::test_stream(226);
  Dataset data = make_data(500, 4, 0.3, stream, [](const auto& x) { return x[0] - x[1]; });
  for (std::size_t i = 0; i < 500; ++i) {
    data.x[2 * 500 + i] = data.x[i];  // a copy of the first column
    data.x[3 * 500 + i] = 7.0;        // a constant
  }
  EXPECT_GT(estimate_noise_sd(data), 0.3 / 1.3);
  EXPECT_LT(estimate_noise_sd(data), 0.3 * 1.3);
}

}  // namespace
}  // namespace lacuna
