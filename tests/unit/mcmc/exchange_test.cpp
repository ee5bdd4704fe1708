// Exchange of two points at different lambda: the ratio from its definition, and what is swapped
// when.
#include "mcmc/exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

Point make_point(double log_prior, double risk, double value) {
  Point point;
  point.theta = {{0}, {value}};
  point.log_prior = log_prior;
  point.evaluation.risk = risk;
  return point;
}

TEST(Exchange, RatioIsThatOfTheFourDensities) {
  RandomStream stream = testing::test_stream(310);
  for (int i = 0; i < 1000; ++i) {
    const Point a = make_point(10.0 * stream.normal(), stream.uniform(0.0, 4.0), 0.0);
    const Point b = make_point(10.0 * stream.normal(), stream.uniform(0.0, 4.0), 0.0);
    const double lambda_a = stream.uniform(0.0, 100.0), lambda_b = stream.uniform(0.0, 100.0);
    const double expected = b.log_posterior(lambda_a) + a.log_posterior(lambda_b) -
                            a.log_posterior(lambda_a) - b.log_posterior(lambda_b);
    const double ratio =
        log_exchange_ratio(lambda_a, a.evaluation.risk, lambda_b, b.evaluation.risk);
    EXPECT_NEAR(ratio, expected, 1e-10);
    EXPECT_DOUBLE_EQ(ratio,
                     log_exchange_ratio(lambda_b, b.evaluation.risk, lambda_a, a.evaluation.risk));
    EXPECT_DOUBLE_EQ(ratio,
                     -log_exchange_ratio(lambda_a, b.evaluation.risk, lambda_b, a.evaluation.risk));
  }
}

TEST(Exchange, TheBetterPointGoesToTheColderRung) {
  RandomStream stream = testing::test_stream(311);
  Point hot = make_point(-1.0, 0.1, 1.0), cold = make_point(-2.0, 5.0, 2.0);
  EXPECT_EQ(exchange(cold, 1000.0, hot, 0.0, stream), Verdict::accepted);
  EXPECT_EQ(cold.theta.value[0], 1.0);
  EXPECT_EQ(cold.log_prior, -1.0);
  EXPECT_EQ(hot.evaluation.risk, 5.0);
  EXPECT_EQ(exchange(cold, 1000.0, hot, 0.0, stream), Verdict::rejected);
  EXPECT_EQ(cold.theta.value[0], 1.0);
}

TEST(Exchange, EqualRungsAlwaysSwap) {
  RandomStream stream = testing::test_stream(312);
  Point a = make_point(0.0, 1.0, 1.0), b = make_point(0.0, 9.0, 2.0);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(exchange(a, 5.0, b, 5.0, stream), Verdict::accepted);
}

TEST(Exchange, AcceptsAsOftenAsTheRatioSays) {
  RandomStream stream = testing::test_stream(313);
  std::vector<std::uint64_t> counts(2);
  for (int i = 0; i < 50000; ++i) {
    Point cold = make_point(0.0, 1.0, 1.0), hot = make_point(0.0, 1.5, 2.0);
    ++counts[exchange(cold, 3.0, hot, 1.0, stream) == Verdict::accepted];  // log ratio = 2 * -0.5
  }
  const std::vector<double> probabilities = {1.0 - std::exp(-1.0), std::exp(-1.0)};
  EXPECT_GT(testing::chi_square_p_value(counts, probabilities), testing::kFalseAlarm);
}

TEST(Exchange, AnUndefinedRiskIsNotSwapped) {
  RandomStream stream = testing::test_stream(314);
  Point a = make_point(0.0, std::numeric_limits<double>::quiet_NaN(), 1.0),
        b = make_point(0.0, 1.0, 2.0);
  EXPECT_EQ(exchange(a, 2.0, b, 1.0, stream), Verdict::invalid);
  EXPECT_EQ(a.theta.value[0], 1.0);
}

}  // namespace
}  // namespace lacuna
