// Quantiles of draws, and of draws with noise, against values worked out by hand.
#include "estimation/intervals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace lacuna {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double normal_distribution(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

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

TEST(NoisyMixture, OfOneCentreIsNormal) {
  const NoisyMixture noisy(std::vector<double>{2.0}, 0.5);
  const std::pair<double, double> quantiles[] = {{0.5, 0.0},
                                                 {0.95, 1.6448536269514722},
                                                 {0.05, -1.6448536269514722},
                                                 {0.975, 1.959963984540054},
                                                 {0.999, 3.090232306167813},
                                                 {1e-9, -5.997807015007687}};
  for (const auto& [q, z] : quantiles) EXPECT_NEAR(noisy.quantile(q), 2.0 + 0.5 * z, 1e-7) << q;
}

TEST(NoisyMixture, OfTwoCentresSolvesItsEquation) {
  const double sd = 0.7;
  const NoisyMixture noisy(std::vector<double>{-1.0, 3.0}, sd);
  EXPECT_NEAR(noisy.quantile(0.5), 1.0, 1e-7);
  for (const double q : {0.01, 0.1, 0.3, 0.6, 0.95, 0.99}) {
    const double y = noisy.quantile(q);
    const double share =
        0.5 * (normal_distribution((y + 1.0) / sd) + normal_distribution((y - 3.0) / sd));
    EXPECT_NEAR(share, q, 1e-8);
  }
  // Far apart, each centre answers for half of the mass.
  const NoisyMixture far(std::vector<double>{-1000.0, 1000.0}, 1.0);
  EXPECT_NEAR(far.quantile(0.25), -1000.0, 1e-6);
  EXPECT_NEAR(far.quantile(0.975), 1000.0 + 1.6448536269514722, 1e-6);
}

TEST(NoisyMixture, OfManyCentresIsCloseToTheWholeMixture) {
  std::vector<double> centres(20'000);
  for (std::size_t k = 0; k < centres.size(); ++k) {
    centres[k] = (static_cast<double>(k) + 0.5) / static_cast<double>(centres.size());
  }
  const NoisyMixture noisy(centres, 0.05);
  for (const double q : {0.05, 0.5, 0.9}) {
    const double y = noisy.quantile(q);
    double share = 0.0;
    for (const double f : centres) {
      share += normal_distribution((y - f) / 0.05) / static_cast<double>(centres.size());
    }
    EXPECT_NEAR(share, q, 1e-4);
  }
}

TEST(NoisyMixture, AtTheEndsOfTheDoubles) {
  const std::vector<double> centres = {1.0, 1.0 + 1e-15, 1.5};
  EXPECT_EQ(NoisyMixture(centres, infinity).quantile(0.05), -infinity);
  EXPECT_EQ(NoisyMixture(centres, infinity).quantile(0.95), infinity);
  EXPECT_EQ(NoisyMixture(centres, 1e308).quantile(0.05), -infinity);
  EXPECT_EQ(NoisyMixture(centres, 1e308).quantile(0.95), infinity);
  for (const double sd : {1e-14, 1e-15, 1e-16, 1e-20, 1e-300, 5e-324, 0.0}) {
    EXPECT_NEAR(NoisyMixture(centres, sd).quantile(0.05), 1.0, 1e-10) << sd;
    EXPECT_NEAR(NoisyMixture(centres, sd).quantile(0.95), 1.5, 1e-10) << sd;
    EXPECT_NEAR(NoisyMixture(std::vector<double>{1.0}, sd).quantile(0.4), 1.0, 1e-10) << sd;
  }
}

}  // namespace
}  // namespace lacuna
