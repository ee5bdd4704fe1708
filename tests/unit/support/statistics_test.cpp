// The p-values that other tests rely on, against published quantiles and against their own
// definition.
#include "unit/support/statistics.hpp"

#include <gtest/gtest.h>

namespace lacuna::testing {
namespace {

TEST(Statistics, ChiSquareTailsMatchTables) {
  // Upper quantiles of the chi-square law: (degrees of freedom, quantile, tail).
  EXPECT_NEAR(upper_gamma(0.5, 0.5 * 3.841459), 0.05, 1e-7);
  EXPECT_NEAR(upper_gamma(2.5, 0.5 * 15.08627), 0.01, 1e-7);
  EXPECT_NEAR(upper_gamma(5.0, 0.5 * 29.58830), 0.001, 1e-8);
  EXPECT_NEAR(upper_gamma(50.0, 0.5 * 118.4980), 0.10, 1e-6);
  EXPECT_NEAR(upper_gamma(50.0, 0.5 * 82.35814), 0.90, 1e-6);
}

TEST(Statistics, KolmogorovTailsMatchTables) {
  // At n = 10^6 the distance d has tail 0.05 at d sqrt(n) = 1.3581 and 0.01 at 1.6276.
  for (const auto& [scaled, tail] : {std::pair{1.3581, 0.05}, std::pair{1.6276, 0.01}}) {
    std::vector<double> sample(1000000);
    for (std::size_t i = 0; i < sample.size(); ++i) {
      sample[i] = (static_cast<double>(i) + 0.5) / 1e6;
    }
    const double shift = scaled / 1000.12 - 0.5e-6;
    EXPECT_NEAR(kolmogorov_p_value(sample, [&](double x) { return x + shift; }), tail, 2e-4);
  }
}

TEST(Statistics, ImpossibleAndCertainCounts) {
  const std::vector<std::uint64_t> even = {100, 100, 100, 100};
  EXPECT_EQ(chi_square_uniform_p_value(even), 1.0);
  const std::vector<std::uint64_t> skewed = {400, 0, 0, 0};
  EXPECT_LT(chi_square_uniform_p_value(skewed), 1e-100);
}

TEST(Statistics, AlarmsAreAsRareAsStated) {
  // 2,000 true hypotheses tested at 5%: the number of alarms is binomial, mean 100 and sd 9.7; six
  // sd either way.
  RandomStream stream = test_stream(90);
  int chi_square_alarms = 0, kolmogorov_alarms = 0;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<std::uint64_t> counts(8);
    std::vector<double> sample(400);
    for (double& x : sample) {
      x = stream.uniform();
      ++counts[static_cast<std::size_t>(8.0 * x)];
    }
    chi_square_alarms += chi_square_uniform_p_value(counts) < 0.05;
    kolmogorov_alarms += kolmogorov_p_value(sample, [](double x) { return x; }) < 0.05;
  }
  EXPECT_NEAR(chi_square_alarms, 100, 58);
  EXPECT_NEAR(kolmogorov_alarms, 100, 58);
}

}  // namespace
}  // namespace lacuna::testing
