// Rates over hierarchical functions, by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/errors.hpp"
#include "lacuna/theory.hpp"

namespace lacuna {
namespace {

// q = 0: a Hoelder ball of t = p = 3 arguments with beta = 2: exponent 4 / 7.
TEST(Rates, HoelderBall) {
  const RateReport r = rate_report({{}, {3}, {2.0}, 1.0}, 1e6, 3);
  EXPECT_DOUBLE_EQ(r.exponent, 4.0 / 7.0);
  const double log_n = std::log(1e6);
  EXPECT_NEAR(r.rate, std::pow(std::pow(log_n, 3) / 1e6, 4.0 / 7.0), 1e-15);
  // M = ceil((10^6 / log^3)^(3/7)), log^3 = 2636.94: 379.2^(3/7) = 12.74.
  EXPECT_DOUBLE_EQ(r.m, 13.0);
  // ceil(log2 10^6) = 20: L = 3 (0 - 1) + 8 + 25 (1 + ceil(log2 3)) = 80.
  EXPECT_DOUBLE_EQ(r.depth, 80.0);
  EXPECT_DOUBLE_EQ(r.width, 6.0 * 13 * 1 * (3 + 2));
  EXPECT_DOUBLE_EQ(r.active, 141.0 * std::pow(6.0, 6) * 13 * 26 + 4);
  EXPECT_DOUBLE_EQ(r.smallest_m, std::max(27.0, 5 * std::exp(3.0)));
  EXPECT_LT(r.m, r.smallest_m);
}

// q = 2, beta = (3, 0.5, 2): beta* = (3 * 0.5, 0.5, 2); t = (1, 2, 5): exponents 3/4, 1/3, 4/9.
TEST(Rates, TheWorstLevelDecides) {
  const RateReport r = rate_report({{4, 2}, {1, 2, 5}, {3.0, 0.5, 2.0}, 1.0}, 4096, 10);
  ASSERT_EQ(r.effective_smoothness.size(), 3U);
  EXPECT_DOUBLE_EQ(r.effective_smoothness[0], 1.5);
  EXPECT_DOUBLE_EQ(r.effective_smoothness[1], 0.5);
  EXPECT_DOUBLE_EQ(r.effective_smoothness[2], 2.0);
  EXPECT_EQ(r.worst_level, 1U);
  EXPECT_DOUBLE_EQ(r.exponent, 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(r.beta, 0.5);
  EXPECT_DOUBLE_EQ(r.t, 2.0);
  // 4096 = 2^12, log^3 4096 = 575.5: (7.117)^(2/3) = 3.70.
  EXPECT_DOUBLE_EQ(r.m, 4.0);
  // ceil(log2) of max(t, beta) = 3, 2, 5: 2, 1, 3.
  EXPECT_DOUBLE_EQ(r.depth, 3.0 + (8 + 17 * 3) + (8 + 17 * 2) + (8 + 17 * 4));
  EXPECT_DOUBLE_EQ(r.width, 6.0 * 4 * 16);  // d_1 (t_0 + ceil beta_0) = 4 (1 + 3)
  const double per_m = 141.0 * 4 * 18;
  EXPECT_NEAR(r.active,
              4 * (per_m * std::pow(5.0, 4) + 4) + 2 * (per_m * std::pow(3.5, 5) + 4) +
                  per_m * std::pow(8.0, 8) + 4,
              1e-3);
}

TEST(Rates, ManyInputsOnlyCountInTheLogarithm) {
  const HierarchicalClass c{{1}, {1, 1}, {1.0, 1.0}, 1.0};
  const double few = rate_report(c, 1e4, 10).rate, many = rate_report(c, 1e4, 100000000).rate;
  EXPECT_NEAR(many / few, std::pow(2.0, 2.0 / 3.0), 1e-12);  // log 10^8 = 2 log 10^4
  EXPECT_TRUE(rate_report(c, 1e4, 10).inputs_few_enough);
  EXPECT_FALSE(rate_report(c, 20, 1000000).inputs_few_enough);
}

TEST(Rates, ListsMustFit) {
  EXPECT_THROW(rate_report({{2}, {1}, {1.0, 1.0}, 1.0}, 100, 2), Error);
  EXPECT_THROW(rate_report({{2}, {1, 1}, {1.0}, 1.0}, 100, 2), Error);
  EXPECT_THROW(rate_report({{}, {1}, {0.0}, 1.0}, 100, 2), Error);
  EXPECT_THROW(rate_report({{}, {0}, {1.0}, 1.0}, 100, 2), Error);
  EXPECT_THROW(rate_report({{}, {1}, {1.0}, 0.5}, 100, 2), Error);
}

}  // namespace
}  // namespace lacuna
