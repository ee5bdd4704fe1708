// The law of an observation against sums over all draws, written out plainly.
#include "estimation/predictive_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace lacuna {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double normal_distribution(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }
double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

double quantile_of(const std::vector<double>& centres, double sd, double q) {
  return PredictiveLaw(centres, Noise(sd)).quantile(q);
}

// Draws in two groups, the second a few noise levels away from the first.
std::vector<double> two_groups(std::size_t count, std::uint64_t seed) {
  RandomStream stream({seed, 0, 0, 0, Purpose::test});
  std::vector<double> centres;
  for (std::size_t k = 0; k < count; ++k)
    centres.push_back((k % 3 == 0 ? 2.0 : 0.0) + 0.3 * stream.normal());
  std::ranges::sort(centres);
  return centres;
}

// E|N(mean, variance)|.
double mean_distance(double mean, double variance) {
  const double sd = std::sqrt(variance), z = mean / sd;
  return mean * (2.0 * normal_distribution(z) - 1.0) + 2.0 * sd * normal_density(z);
}

// The closed form for a mixture of normals (Grimit, Gneiting, Berrocal and Johnson 2006, eq. 5).
double crps_of(const std::vector<double>& centres, double sd, double y) {
  const auto count = static_cast<double>(centres.size());
  double to_y = 0.0, among = 0.0;
  for (const double a : centres) {
    to_y += mean_distance(y - a, sd * sd) / count;
    for (const double b : centres) among += mean_distance(a - b, 2.0 * sd * sd) / (count * count);
  }
  return to_y - 0.5 * among;
}

TEST(PredictiveLaw, OfOneCentreIsNormal) {
  const std::pair<double, double> quantiles[] = {{0.5, 0.0},
                                                 {0.95, 1.6448536269514722},
                                                 {0.05, -1.6448536269514722},
                                                 {0.975, 1.959963984540054},
                                                 {0.999, 3.090232306167813},
                                                 {1e-9, -5.997807015007687}};
  for (const auto& [q, z] : quantiles)
    EXPECT_NEAR(quantile_of({2.0}, 0.5, q), 2.0 + 0.5 * z, 1e-13) << q;
}

TEST(PredictiveLaw, OfTwoCentresFarApartIsHalfAndHalf) {
  EXPECT_NEAR(quantile_of({-1.0, 3.0}, 0.7, 0.5), 1.0, 1e-7);
  EXPECT_NEAR(quantile_of({-1000.0, 1000.0}, 1.0, 0.25), -1000.0, 1e-6);
  EXPECT_NEAR(quantile_of({-1000.0, 1000.0}, 1.0, 0.975), 1000.0 + 1.6448536269514722, 1e-6);
}

TEST(PredictiveLaw, QuantilesSolveTheEquationOfAllDraws) {
  for (const std::size_t count : {1u, 2u, 7u, 499u, 500u, 1000u, 5000u}) {
    const std::vector<double> centres = two_groups(count, count);
    for (const double sd : {20.0, 2.0, 0.3, 0.02, 0.002}) {
      PredictiveLaw law(centres, Noise(sd));
      const double range = centres.back() - centres.front();
      // Cells are used for many draws, if they are narrow beside the noise.
      const bool cells = count >= 500 && range <= sd * DrawSketch::most_cells / 32.0;
      const double tolerance = cells ? 1e-4 : 1e-9;
      for (const double q : {1e-6, 0.01, 0.05, 0.3, 0.5, 0.66, 0.95, 0.99}) {
        const auto share = [&](double y) {
          double sum = 0.0;
          for (const double f : centres) sum += normal_distribution((y - f) / sd);
          return sum / static_cast<double>(count);
        };
        // To a millionth of the noise, above and below.
        const double y = law.quantile(q);
        EXPECT_LE(share(y - 1e-6 * sd), q + tolerance) << count << " " << sd << " " << q;
        EXPECT_GE(share(y + 1e-6 * sd), q - tolerance) << count << " " << sd << " " << q;
        EXPECT_NEAR(law.distribution(y), share(y), 1e-13);
      }
    }
  }
}

// Noise of the size of the spread of f, where predictions are made: better than promised.
TEST(PredictiveLaw, CellsKeepTheLawWhereNoiseAndSpreadAreAlike) {
  RandomStream stream({3, 0, 0, 0, Purpose::test});
  for (const double sd : {0.3, 1.0, 3.0}) {
    std::vector<double> centres(1000);
    for (double& f : centres) f = 5.0 + stream.normal() * (1.0 + 0.3 * stream.normal());
    for (const auto degrees : {std::optional<unsigned>{}, std::optional<unsigned>{4}}) {
      const Noise noise(sd, StudentT(degrees));
      PredictiveLaw law(centres, noise);
      for (const double q : {0.025, 0.05, 0.2, 0.5, 0.9}) {
        double share = 0.0;
        for (const double f : centres) share += noise.distribution(law.quantile(q) - f) / 1000.0;
        EXPECT_NEAR(share, q, 5e-5) << sd << " " << q;
      }
    }
  }
}

TEST(PredictiveLaw, LogDensityIsThatOfTheMixtureAndDoesNotUnderflow) {
  const std::vector<double> centres = two_groups(300, 1);
  PredictiveLaw law(centres, Noise(0.2));
  for (const double y : {-1.0, 0.0, 1.0, 2.5}) {
    double sum = 0.0;
    for (const double f : centres) sum += normal_density((y - f) / 0.2) / (0.2 * 300.0);
    EXPECT_NEAR(law.log_density(y), std::log(sum), 1e-12);
  }
  const std::vector<double> two = {0.0, 1.0};
  // Far out only the nearer centre counts: log(1/2) + log density of N(1, 1) at 101.
  EXPECT_NEAR(PredictiveLaw(two, Noise(1.0)).log_density(101.0),
              std::log(0.5) - 5000.0 - 0.5 * std::log(2.0 * std::numbers::pi), 1e-9);
}

TEST(PredictiveLaw, CrpsIsTheClosedForm) {
  for (const std::size_t count : {1u, 2u, 30u, 200u}) {
    const std::vector<double> centres = two_groups(count, 10 + count);
    for (const double sd : {1.0, 0.3, 0.03, 0.003}) {
      PredictiveLaw law(centres, Noise(sd));
      for (const double y : {-5.0, -0.3, 0.0, 0.9, 2.1, 40.0}) {
        const double exact = crps_of(centres, sd, y);
        EXPECT_NEAR(law.crps(y), exact, 1e-5 * (1.0 + exact)) << count << " " << sd << " " << y;
      }
    }
  }
}

TEST(PredictiveLaw, CrpsOfManyDrawsIsCloseToAllOfThem) {
  const std::vector<double> centres = two_groups(3000, 5);
  PredictiveLaw law(centres, Noise(0.1));
  for (const double y : {-0.5, 0.1, 1.0, 3.0})
    EXPECT_NEAR(law.crps(y), crps_of(centres, 0.1, y), 2e-3 * (1.0 + std::abs(y)));
}

TEST(PredictiveLaw, AtTheEndsOfTheDoubles) {
  const std::vector<double> centres = {1.0, 1.0 + 1e-15, 1.5};
  EXPECT_EQ(quantile_of(centres, infinity, 0.05), -infinity);
  EXPECT_EQ(quantile_of(centres, infinity, 0.95), infinity);
  EXPECT_EQ(quantile_of(centres, 1.5e308, 0.05), -infinity);
  EXPECT_EQ(quantile_of(centres, 1.5e308, 0.95), infinity);
  PredictiveLaw open(centres, Noise(infinity));
  EXPECT_EQ(open.distribution(3.0), 0.5);
  EXPECT_EQ(open.log_density(3.0), -infinity);
  EXPECT_EQ(open.crps(3.0), infinity);
  for (const double sd : {1e-14, 1e-15, 1e-16, 1e-20, 1e-300, 5e-324, 0.0}) {
    EXPECT_NEAR(quantile_of(centres, sd, 0.05), 1.0, 1e-10) << sd;
    EXPECT_NEAR(quantile_of(centres, sd, 0.95), 1.5, 1e-10) << sd;
    EXPECT_NEAR(quantile_of({1.0}, sd, 0.4), 1.0, 1e-10) << sd;
    EXPECT_NEAR(PredictiveLaw(centres, Noise(sd)).distribution(1.2), 2.0 / 3.0, 1e-10) << sd;
    // A sure forecast: the mean distance from y less half the mean distance of two draws.
    EXPECT_NEAR(PredictiveLaw(centres, Noise(sd)).crps(2.0), 5.0 / 6.0 - 1.0 / 9.0, 1e-6) << sd;
  }
}

}  // namespace
}  // namespace lacuna
