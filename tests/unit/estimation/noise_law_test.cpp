// Normal noise: distribution function, density and quantile belong together.
#include "estimation/noise_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace lacuna {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Noise, QuantileUndoesTheDistribution) {
  for (const double sd : {1e-9, 0.3, 7.0}) {
    const Noise noise(sd);
    for (const double q : {1e-9, 0.01, 0.3, 0.5, 0.9, 0.999})
      EXPECT_NEAR(noise.distribution(noise.quantile(q)) / q, 1.0, 1e-9) << sd << " " << q;
  }
  EXPECT_NEAR(Noise(2.0).quantile(0.975), 2.0 * 1.959963984540054, 1e-12);
}

TEST(Noise, DensityIsTheSlopeOfTheDistribution) {
  const Noise noise(0.5);
  for (const double e : {-1.3, -0.2, 0.0, 0.4, 1.1}) {
    const double slope = (noise.distribution(e + 1e-5) - noise.distribution(e - 1e-5)) / 2e-5;
    EXPECT_NEAR(std::exp(noise.log_density(e)), slope, 1e-8);
  }
  EXPECT_NEAR(Noise(1.0).log_density(0.0), -0.5 * std::log(2.0 * std::numbers::pi), 1e-15);
}

TEST(Noise, WithoutSpreadOrWithoutEnd) {
  const Noise none(0.0), endless(infinity);
  EXPECT_EQ(none.distribution(-1e-300), 0.0);
  EXPECT_EQ(none.distribution(0.0), 1.0);
  EXPECT_EQ(none.log_density(0.0), infinity);
  EXPECT_EQ(none.log_density(0.1), -infinity);
  EXPECT_EQ(none.quantile(0.9), 0.0);
  EXPECT_EQ(endless.distribution(1e300), 0.5);
  EXPECT_EQ(endless.log_density(0.0), -infinity);
  EXPECT_EQ(endless.quantile(0.5), 0.0);
  EXPECT_EQ(endless.quantile(0.4), -infinity);
}

TEST(NoiseLaw, IsThatOfTheFitAtEveryInput) {
  FitInfo info;
  info.noise_sd = 0.25;
  const NoiseLaw law(info);
  for (const std::vector<double>& x : {std::vector<double>{0.0}, std::vector<double>{5.0}})
    EXPECT_EQ(law.at(x).quantile(0.9), Noise(0.25).quantile(0.9));
}

}  // namespace
}  // namespace lacuna
