// Moments and quantiles on values small enough to check by hand.
#include "diagnostics/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lacuna::diagnostics {
namespace {

TEST(Moments, MeanAndVariance) {
  const std::vector<double> values = {1.0, 2.0, 4.0, 9.0};
  EXPECT_DOUBLE_EQ(mean_of(values), 4.0);
  EXPECT_DOUBLE_EQ(variance_of(values), 38.0 / 3.0);
  EXPECT_TRUE(std::isnan(mean_of({})));
  EXPECT_TRUE(std::isnan(variance_of(std::vector<double>{1.0})));
}

TEST(Moments, ConstantValuesHaveExactlyNoVariance) {
  const std::vector<double> tenths(1000, 0.1);
  EXPECT_EQ(mean_of(tenths), 0.1);
  EXPECT_EQ(variance_of(tenths), 0.0);
}

TEST(Moments, QuantilesInterpolateBetweenOrderStatistics) {
  std::vector<double> values = {40.0, 10.0, 30.0, 20.0, 50.0};
  EXPECT_DOUBLE_EQ(quantile_of(values, 0.0), 10.0);
  EXPECT_DOUBLE_EQ(quantile_of(values, 0.25), 20.0);
  EXPECT_DOUBLE_EQ(quantile_of(values, 0.3), 22.0);
  EXPECT_DOUBLE_EQ(quantile_of(values, 1.0), 50.0);
  std::vector<double> one = {7.0};
  EXPECT_EQ(quantile_of(one, 0.95), 7.0);
}

TEST(Moments, MedianLiesEquallyFarFromBothMiddleValues) {
  std::vector<double> even = {0.9, 0.1, 0.2, 0.7};
  EXPECT_EQ(median_of(even), 0.5 * (0.2 + 0.7));
  std::vector<double> odd = {3.0, 1.0, 2.0};
  EXPECT_EQ(median_of(odd), 2.0);
  std::vector<double> one = {5.0};
  EXPECT_EQ(median_of(one), 5.0);
}

TEST(Moments, QuantilesBetweenTiesAreTheTiedValueItself) {
  std::vector<double> tied(7, 0.1);
  for (double p = 0.0; p <= 1.0; p += 0.01) EXPECT_EQ(quantile_of(tied, p), 0.1);
}

}  // namespace
}  // namespace lacuna::diagnostics
