// Normal quantiles over the whole open interval, and ranks with ties.
#include "diagnostics/normal_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace lacuna::diagnostics {
namespace {

TEST(NormalQuantile, KnownValues) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.025), -1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.84134474606854293), 1.0, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  for (double z = -30.0; z <= 0.0; z += 0.013) {
    const double p = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    EXPECT_NEAR(normal_quantile(p), z, 1e-13 * (1.0 - z)) << z;
  }
}

TEST(NormalScores, FollowRanksAndShareThemAmongTies) {
  const std::vector<double> values = {30.0, -5.0, 7.0, 7.0, 1e300};
  const auto scores = normal_scores(values);
  const auto expected = [](double rank) { return normal_quantile((rank - 0.375) / 5.25); };
  EXPECT_EQ(scores[0], expected(4.0));
  EXPECT_EQ(scores[1], expected(1.0));
  EXPECT_EQ(scores[2], expected(2.5));
  EXPECT_EQ(scores[3], expected(2.5));
  EXPECT_EQ(scores[4], expected(5.0));
  EXPECT_NEAR(scores[1], -scores[4], 1e-15);
}

TEST(NormalScores, EqualValuesAreAllZero) {
  for (const double score : normal_scores(std::vector<double>(17, 3.0))) EXPECT_EQ(score, 0.0);
  EXPECT_TRUE(normal_scores({}).empty());
}

}  // namespace
}  // namespace lacuna::diagnostics
