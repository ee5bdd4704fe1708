// Shifts within a chain and the variance between chains, against numbers worked out by hand.
#include "diagnostics/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/diagnostics/draw_cases.hpp"

namespace lacuna {
namespace {

TEST(ShiftBetweenHalves, IsTheDifferenceOfTheirMeans) {
  EXPECT_DOUBLE_EQ(shift_between_halves(std::vector<double>{1, 3, 7, 9}), 6.0);
  EXPECT_DOUBLE_EQ(shift_between_halves(std::vector<double>{9, 7, 1000, 3, 1}), -6.0);
  EXPECT_EQ(shift_between_halves(std::vector<double>(7, 0.1)), 0.0);
  EXPECT_TRUE(std::isnan(shift_between_halves(std::vector<double>{1, 2, 3})));
  EXPECT_TRUE(std::isnan(shift_between_halves({})));
}

TEST(Separation, IsOneForChainsOfOneLawAndLargeForOthers) {
  // The square of the ratio is about chi-square(3) / 3: above 9 six times in a million, below 0.01
  // once in seven hundred.
  ChainDraws chains = draw_cases::autoregressive(31, 4, 2000, 0.5);
  const Separation same = separation_of(chains);
  EXPECT_LT(same.ratio, 3.0);
  EXPECT_GT(same.ratio, 0.1);
  EXPECT_NEAR(same.ess_within / (8000.0 / 3.0), 1.0, 0.3);
  for (double& value : chains[2]) value += 1.0;
  const Separation apart = separation_of(chains);
  EXPECT_GT(apart.ratio, 20.0);
  EXPECT_NEAR(apart.ess_within, same.ess_within, 1e-6 * same.ess_within);
}

TEST(Separation, OfChainsThatStandStillAndOfTooFew) {
  EXPECT_EQ(separation_of({{1, 1, 1, 1}, {1, 1, 1, 1}}).ratio, 0.0);
  EXPECT_EQ(separation_of({{1, 1, 1, 1}, {2, 2, 2, 2}}).ratio, HUGE_VAL);
  EXPECT_TRUE(std::isnan(separation_of({{1, 2, 3}, {1, 2, 4}}).ratio));
  EXPECT_TRUE(std::isnan(separation_of({{1, 2, 3, 5, 4}}).ratio));
}

TEST(SplitVariance, AddsUpToTheVarianceOfAllDraws) {
  // All eight values have mean 5 and variance 10: 1 within each chain, 9 between 2 and 8.
  const VarianceSplit split = split_variance({{1, 3, 1, 3}, {7, 9, 7, 9}});
  EXPECT_DOUBLE_EQ(split.mean[0], 2.0);
  EXPECT_DOUBLE_EQ(split.mean[1], 8.0);
  EXPECT_DOUBLE_EQ(split.sd[0], 1.0);
  EXPECT_DOUBLE_EQ(split.within_sd, 1.0);
  EXPECT_DOUBLE_EQ(split.range, 6.0);
  EXPECT_DOUBLE_EQ(split.total_sd, std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(split.between_share, 0.9);
}

TEST(SplitVariance, OfEqualChainsAndOfConstants) {
  EXPECT_EQ(split_variance({{1, 2}, {2, 1}}).between_share, 0.0);
  const VarianceSplit constant = split_variance({{0.1, 0.1, 0.1}, {0.1, 0.1}});
  EXPECT_EQ(constant.between_share, 0.0);
  EXPECT_EQ(constant.total_sd, 0.0);
  EXPECT_EQ(split_variance({{1, 1}, {2, 2}}).between_share, 1.0);
}

TEST(SplitVariance, LeavesOutChainsWithoutDraws) {
  const VarianceSplit split = split_variance({{}, {1, 3}, {2, 4}});
  EXPECT_TRUE(std::isnan(split.mean[0]) && std::isnan(split.sd[0]));
  EXPECT_DOUBLE_EQ(split.range, 1.0);
  EXPECT_DOUBLE_EQ(split.between_share, 0.2);
  EXPECT_EQ(split_variance({}).total_sd, 0.0);
}

}  // namespace
}  // namespace lacuna
