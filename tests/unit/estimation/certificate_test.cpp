// Certificates on data whose truth is known: none may fail more often than it says. The fast tier
// makes a few repetitions, LACUNA_SLOW=1 many with a fresh seed of the clock.
#include "lacuna/certificate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <map>

#include "lacuna/errors.hpp"
#include "unit/data/files.hpp"
#include "unit/run/small_fit.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna::testing {
namespace {

constexpr double noise = 0.2, clip = 1.0, delta = 0.2;

double truth(double x) { return 0.8 * std::max(0.0, x) - 0.2; }

Dataset simulated(std::size_t rows, RandomStream& stream) {
  Dataset data;
  data.rows = rows;
  data.inputs = 1;
  data.input_names = {"x"};
  data.target_name = "y";
  for (std::size_t i = 0; i < rows; ++i) data.x.push_back(stream.uniform(-1.0, 1.0));
  for (std::size_t i = 0; i < rows; ++i)
    data.y.push_back(truth(data.x[i]) + noise * stream.normal());
  return data;
}

Config model(double lambda, std::uint64_t seed) {
  Config config = quick_config();
  config.standardise = false;
  config.widths = {1};
  config.bound = 1.5;
  config.clip = clip;
  config.lambda_rule = LambdaRule::number;
  config.lambda = lambda;
  config.chains = 2;
  config.burn_in = 400;
  config.gap = 5;
  config.draws = 100;
  config.seed = seed;
  return config;
}

// Excess risk over x uniform on (-1, 1), and the risk for targets cut off at the clip level, of the
// mean over the draws and of the last draw.
struct Errors {
  double excess_mean = 0.0, excess_draw = 0.0, risk_mean = 0.0;
};

Errors errors_of(const Fit& fit, RandomStream& stream) {
  constexpr std::size_t points = 400, noises = 200;
  std::vector<double> x;
  for (std::size_t i = 0; i < points; ++i)
    x.push_back(-1.0 + (2.0 * static_cast<double>(i) + 1.0) / points);
  const std::vector<double> draws = fit.predict_draws(x, points, {}, 1);
  const std::size_t count = draws.size() / points;
  Errors errors;
  for (std::size_t i = 0; i < points; ++i) {
    double mean = 0.0;
    for (std::size_t k = 0; k < count; ++k)
      mean += draws[k * points + i] / static_cast<double>(count);
    const double last = draws[(count - 1) * points + i];
    errors.excess_mean += std::pow(mean - truth(x[i]), 2) / points;
    errors.excess_draw += std::pow(last - truth(x[i]), 2) / points;
    for (std::size_t j = 0; j < noises; ++j) {
      const double y = std::clamp(truth(x[i]) + noise * stream.normal(), -clip, clip);
      errors.risk_mean += std::pow(y - mean, 2) / (points * noises);
    }
  }
  return errors;
}

class Certifying : public InFolder {};

// The bound on the number of failures is that of binomial(repetitions, delta) plus 4.5 standard
// deviations: a false alarm has probability below 1e-4 for each of five counts (for 12 repetitions
// the bound is 8.6, P(9 or more) = 6e-5).
TEST_F(Certifying, HoldsAsOftenAsItSays) {
  const int repetitions = slow_tier() ? 300 : 12;
  const std::uint64_t seed =
      slow_tier() ? static_cast<std::uint64_t>(
                        std::chrono::system_clock::now().time_since_epoch().count()) %
                        1'000'000'000
                  : test_seed();
  const double n = 4000.0;
  std::map<std::string, int> broken;
  std::map<std::string, double> largest;
  for (int r = 0; r < repetitions; ++r) {
    RandomStream stream({seed, static_cast<std::uint32_t>(r), 0, 0, Purpose::test});
    const Dataset data = simulated(static_cast<std::size_t>(n), stream);
    const Dataset test = simulated(60, stream);
    // Xi_0 = 16 (1 + 0.04) + 32.
    ASSERT_TRUE([&] {
      Observer nobody;
      return fit(data, model(n / 48.64, seed + static_cast<std::uint64_t>(r)), "d.lacuna", "a test",
                 nobody);
    }());
    const Fit fitted = Fit::open("d.lacuna");
    CertifyOptions options;
    options.delta = delta;
    options.noise_sd = noise;
    options.runs = 4;
    options.rungs = 40;
    options.steps_per_rung = 3;
    options.seed = seed + static_cast<std::uint64_t>(r);
    options.threads = 1;
    const CertificateReport report = certify(fitted, data, options, &test);
    const Errors errors = errors_of(fitted, stream);
    for (const Certificate& c : report.certificates) {
      largest[c.key] = std::max(largest[c.key], c.bound);
      if (c.key == "theorem") {
        broken["theorem, draw"] += errors.excess_draw > c.bound;
        broken["theorem, mean"] += errors.excess_mean > c.bound;
      } else {
        broken[c.key] += errors.risk_mean > c.bound;
      }
    }
  }
  ASSERT_EQ(broken.size(), 5u);
  for (const auto& [name, count] : broken) {
    std::cout << name << ": " << count << " of " << repetitions << " failed, seed " << seed << '\n';
    EXPECT_LE(count, repetitions * delta + 4.5 * std::sqrt(repetitions * delta * (1.0 - delta)))
        << name;
  }
  // And they say something here: four is what holds without data.
  for (const auto& [name, bound] : largest) {
    std::cout << name << ": bounds up to " << bound << '\n';
    EXPECT_LT(bound, 1.0) << name;
  }
}

TEST_F(Certifying, UnitsAndRefusals) {
  ASSERT_TRUE(quick_fit("d.lacuna"));
  const Fit fitted = Fit::open("d.lacuna");
  CertifyOptions options;
  options.runs = 2;
  options.rungs = 4;
  options.steps_per_rung = 2;
  const Dataset data = small_data();
  const CertificateReport report = certify(fitted, data, options);
  const double unit = fitted.info().scaling.target_scale;
  EXPECT_EQ(report.target_scale, unit);
  for (const Certificate& c : report.certificates) {
    EXPECT_DOUBLE_EQ(c.bound_original, unit * unit * c.bound);
    EXPECT_EQ(c.vacuous, c.bound >= c.trivial);
    EXPECT_NEAR(c.reference, 1.0, 1e-9);  // standardised
  }
  Dataset other = data;
  other.y[3] += 1.0;
  EXPECT_THROW(certify(fitted, other, options), Error);
  EXPECT_THROW(certify(fitted, data, options, &data), Error);
  options.target_range = {0.5, 100.0};
  EXPECT_THROW(certify(fitted, data, options), Error);
  options.target_range = {};
  options.delta = 0.0;
  EXPECT_THROW(certify(fitted, data, options), Error);
}

}  // namespace
}  // namespace lacuna::testing
