// Running sums with batches that double: what they keep, and the error they tell.
#include "run/batch_means.hpp"

#include <gtest/gtest.h>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

TEST(BatchMeans, KeepSumsAndWholeBatches) {
  BatchMeans means;
  for (int k = 0; k < 1000; ++k) means.add(static_cast<double>(k));
  EXPECT_EQ(means.count, 1000u);
  EXPECT_DOUBLE_EQ(means.mean(), 499.5);
  EXPECT_DOUBLE_EQ(means.squares, 999.0 * 1000.0 * 1999.0 / 6.0);
  EXPECT_EQ(means.batch_length, 16u);
  ASSERT_EQ(means.batches.size(), 62u);  // the last 8 values are not a whole batch
  for (std::size_t b = 0; b < means.batches.size(); ++b)
    EXPECT_DOUBLE_EQ(means.batches[b], 16.0 * static_cast<double>(b) + 7.5);
}

TEST(BatchMeans, SayNothingOfWhatWasNotSeen) {
  BatchMeans means;
  EXPECT_TRUE(std::isnan(means.mean()));
  means.add(1.0);
  EXPECT_EQ(means.mean(), 1.0);
  EXPECT_TRUE(std::isnan(means.standard_error()));
}

// An autoregression with coefficient 0.9 has 19 times the error of independent draws; the estimate
// from over 32 batches is within a factor of two (P(chi-square_32 / 32 outside 1/4 .. 4) < 1e-6).
TEST(BatchMeans, SeeAutocorrelation) {
  RandomStream stream = testing::test_stream(340);
  BatchMeans means;
  double x = 0.0;
  constexpr int steps = 100'000;
  for (int t = 0; t < steps; ++t) {
    x = 0.9 * x + std::sqrt(1.0 - 0.81) * stream.normal();
    means.add(x);
  }
  const double expected = std::sqrt(19.0 / steps);
  EXPECT_GT(means.standard_error(), 0.5 * expected);
  EXPECT_LT(means.standard_error(), 2.0 * expected);
}

}  // namespace
}  // namespace lacuna
