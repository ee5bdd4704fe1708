// Quantiles of draws against values worked out by hand.
#include "estimation/intervals.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lacuna {
namespace {

// numpy.quantile(values, q), whose default is the same rule.
TEST(SortedQuantile, AgreesWithNumpy) {
  const std::vector<double> values = {1.0, 2.0, 4.0, 8.0, 16.0};
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.05), 1.2);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.25), 2.0);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.3), 2.4);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.5), 4.0);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 0.9), 12.8);
  EXPECT_DOUBLE_EQ(sorted_quantile(values, 1.0), 16.0);
}

TEST(SortedQuantile, OfOneOrTwoValues) {
  const std::vector<double> one = {3.5}, two = {-1.0, 1.0}, same = {2.0, 2.0, 2.0};
  for (const double q : {0.0, 0.3, 0.5, 1.0}) {
    EXPECT_EQ(sorted_quantile(one, q), 3.5);
    EXPECT_DOUBLE_EQ(sorted_quantile(two, q), 2.0 * q - 1.0);
    EXPECT_EQ(sorted_quantile(same, q), 2.0);
  }
}

}  // namespace
}  // namespace lacuna
