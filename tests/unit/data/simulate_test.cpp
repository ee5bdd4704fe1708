// Simulated data: formulas, moments, independence of streams, and the CSV that keeps every bit.
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "unit/data/files.hpp"

namespace lacuna::testing {
namespace {

using Values = std::vector<double>;
using SimulateFiles = InFolder;

Simulation named(const std::string& name, std::size_t rows = 500, double noise = 0.1) {
  Simulation what;
  what.name = name;
  what.rows = rows;
  what.noise_sd = noise;
  return what;
}

double mean_of(const Values& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / double(v.size());
}

double variance_of(const Values& v) {
  const double mean = mean_of(v);
  double sum = 0.0;
  for (const double value : v) sum += (value - mean) * (value - mean);
  return sum / double(v.size());
}

std::string simulate_error(const Simulation& what) {
  return error_of([&] { simulate(what); });
}

TEST(Simulate, FriedmanFollowsItsFormula) {
  const SimulatedData got = simulate(named("friedman", 50, 0.0));
  EXPECT_EQ(got.data.inputs, 10u);
  EXPECT_EQ(got.data.input_names.front(), "x1");
  EXPECT_EQ(got.data.input_names.back(), "x10");
  EXPECT_EQ(got.data.y, got.truth);
  for (std::size_t i = 0; i < 50; ++i) {
    const auto x = [&](std::size_t j) { return got.data.x[(j - 1) * 50 + i]; };
    const double raw = 10 * std::sin(std::numbers::pi * x(1) * x(2)) + 20 * std::pow(x(3) - .5, 2) +
                       10 * x(4) + 5 * x(5);
    EXPECT_NEAR(got.truth[i], (raw - 14.4) / 15, 1e-14);
  }
}

// Bounds at six standard errors: false alarms about once in 10^8.
TEST(Simulate, FriedmanHasTheMomentsSaid) {
  const std::size_t rows = 100000;
  const SimulatedData got = simulate(named("friedman", rows, 0.5));
  const double root = std::sqrt(double(rows));
  EXPECT_NEAR(mean_of(got.truth), 0.0008, 6 * 0.33 / root);
  EXPECT_NEAR(variance_of(got.truth), 0.105, 0.003);
  Values noise(rows);
  for (std::size_t i = 0; i < rows; ++i) noise[i] = got.data.y[i] - got.truth[i];
  EXPECT_NEAR(mean_of(noise), 0.0, 6 * 0.5 / root);
  EXPECT_NEAR(variance_of(noise), 0.25, 6 * 0.25 * std::numbers::sqrt2 / root);
  EXPECT_NEAR(mean_of(got.data.x), 0.5, 6 * 0.289 / (root * std::sqrt(10.0)));
}

TEST(Simulate, AuthorsFollowsItsFormula) {
  const SimulatedData got = simulate(named("authors", 10000, 0.0));
  EXPECT_EQ(got.data.inputs, 1u);
  std::size_t left = 0;
  for (std::size_t i = 0; i < 10000; ++i) {
    const double x = got.data.x[i];
    EXPECT_TRUE((x >= -0.8 && x <= -0.2) || (x >= 0.2 && x <= 0.8)) << x;
    left += x < 0;
    EXPECT_NEAR(got.truth[i], x < 0 ? 1.5 * (x + .5) * (x + .5) : .3 * std::sin(10 * x - 2) + .5,
                1e-15);
  }
  EXPECT_NEAR(double(left), 5000.0, 6 * 50.0);
}

TEST(Simulate, RoughIsAsRoughEverywhereAsItSays) {
  Simulation what = named("rough", 20000, 0.0);
  what.inputs = 2;
  what.smoothness = 0.5;
  const SimulatedData got = simulate(what);
  EXPECT_NEAR(mean_of(got.truth), 0.0, 6 * 0.32 / std::sqrt(20000.0));
  EXPECT_NEAR(variance_of(got.truth), 0.1, 0.005);
  // The mean square of f(x + h) - f(x) falls as h^(2 beta): halving h halves it, here at h = 1/64
  // and 1/128, wherever x is.
  const auto f = [](double x) {
    double sum = 0.0;
    for (int k = 0; k <= 14; ++k) {
      sum += std::pow(2.0, -0.5 * k) * std::cos(2.0 * std::numbers::pi * std::pow(2.0, k) * x);
    }
    return std::sqrt(0.1) * sum;
  };
  for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(got.truth[i], f(got.data.x[i]), 1e-9);
  for (const double start : {0.0, 0.3, 0.7}) {
    double coarse = 0.0, fine = 0.0;
    for (int i = 0; i < 4000; ++i) {
      const double x = start + 0.25 * i / 4000.0;
      coarse += std::pow(f(x + 1.0 / 64) - f(x), 2);
      fine += std::pow(f(x + 1.0 / 128) - f(x), 2);
    }
    EXPECT_NEAR(coarse / fine, 2.0, 0.6) << start;
  }
}

double kink(double t, double beta) {
  const bool odd = (static_cast<int>(std::ceil(beta)) - 1) % 2 == 1;
  return (odd && t < 0 ? -1 : 1) * std::pow(std::abs(t), beta);
}

TEST(Simulate, HierarchicalFollowsItsFormulaAndIsOfOrderOne) {
  for (const double beta : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0}) {
    Simulation what = named("hierarchical", 5000, 0.0);
    what.smoothness = beta;
    const SimulatedData got = simulate(what);
    for (std::size_t i = 0; i < what.rows; ++i) {
      const auto x = [&](std::size_t j) { return got.data.x[(j - 1) * what.rows + i]; };
      const double u = (x(1) * x(2) + kink(x(1) + x(2) - 1, beta)) / 2;
      const double v = (x(3) * x(4) + kink(x(3) - x(4), beta)) / 2;
      EXPECT_NEAR(got.truth[i], u + v + kink((u - v) / 1.5, beta) - .5, 1e-13);
      EXPECT_LE(std::abs(got.truth[i]), 2.0);
    }
    EXPECT_GT(variance_of(got.truth), 0.02) << beta;
    EXPECT_LT(variance_of(got.truth), 0.2) << beta;
  }
}

TEST(Simulate, DataDependOnTheSeedAlone) {
  const SimulatedData got = simulate(named("friedman"));
  EXPECT_EQ(simulate(named("friedman")).data.x, got.data.x);
  Simulation other = named("friedman");
  other.seed = 2;
  EXPECT_NE(simulate(other).data.x, got.data.x);
}

TEST(Simulate, MoreRowsOrInputsLeaveTheRestAsItWas) {
  const SimulatedData few = simulate(named("friedman", 10));
  Simulation what = named("friedman", 20);
  what.inputs = 12;
  const SimulatedData many = simulate(what);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(many.data.y[i], few.data.y[i]);
    for (std::size_t j = 0; j < 10; ++j) EXPECT_EQ(many.data.x[j * 20 + i], few.data.x[j * 10 + i]);
  }
}

TEST(Simulate, RefusesWhatMakesNoSense) {
  const auto with = [](const char* name, const std::function<void(Simulation&)>& change) {
    Simulation what = named(name);
    change(what);
    return simulate_error(what);
  };
  const auto none = [](Simulation&) {};
  EXPECT_EQ(with("freidman", none),
            "64 unknown simulation 'freidman'; did you mean 'friedman'? known: friedman, "
            "hierarchical, rough, authors");
  EXPECT_EQ(with("x", none),
            "64 unknown simulation 'x'; known: friedman, hierarchical, rough, authors");
  EXPECT_EQ(with("friedman", [](Simulation& s) { s.inputs = 4; }),
            "64 inputs p=4: friedman needs >= 5");
  EXPECT_EQ(with("hierarchical", [](Simulation& s) { s.inputs = 3; }),
            "64 inputs p=3: hierarchical needs >= 4");
  EXPECT_EQ(with("authors", [](Simulation& s) { s.inputs = 2; }), "64 inputs p=2: authors has 1");
  EXPECT_EQ(with("authors", [](Simulation& s) { s.inputs = 1; }), "no error");
  EXPECT_EQ(with("authors", [](Simulation& s) { s.rows = 0; }), "64 rows n=0: must be >= 1");
  EXPECT_EQ(with("friedman", [](Simulation& s) { s.rows = SIZE_MAX; }),
            "64 rows n=18446744073709551615, inputs p=10: more than 2147483648 values");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {-0.1, nan, infinity}) {
    EXPECT_TRUE(
        with("authors", [&](Simulation& s) { s.noise_sd = bad; }).starts_with("64 noise sd="));
  }
  for (const double bad : {-0.1, 0.0, nan, infinity}) {
    EXPECT_TRUE(with("hierarchical", [&](Simulation& s) {
                  s.smoothness = bad;
                }).starts_with("64 smoothness beta="));
  }
}

TEST_F(SimulateFiles, TheCsvReadsBackToTheSameBits) {
  for (const char* name : {"friedman", "hierarchical", "authors"}) {
    const SimulatedData got = simulate(named(name, 3000));
    write_simulated_csv(got, "sim.csv");
    const Dataset back = read_dataset("sim.csv", "y", {"f"}, MissingValues::error);
    EXPECT_EQ(hash_dataset(back), hash_dataset(got.data));
    EXPECT_EQ(read_all("sim.csv").columns.back(), got.truth);
    EXPECT_EQ(read_all("sim.csv").names.back(), "f");
  }
}

TEST_F(SimulateFiles, WhatCannotBeWrittenIsNamed) {
  const SimulatedData got = simulate(named("authors"));
  EXPECT_EQ(error_of([&] { write_simulated_csv(got, "none/sim.csv"); }),
            "73 none/sim.csv: cannot create (No such file or directory)");
  EXPECT_EQ(error_of([&] { write_simulated_csv(got, "."); }),
            "73 .: cannot create (Is a directory)");
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const std::string full = "74 /dev/full: cannot write (No space left on device)";
  EXPECT_TRUE(error_of([&] { write_simulated_csv(got, "/dev/full"); }).starts_with(full));
  const SimulatedData large = simulate(named("friedman", 5000));
  EXPECT_TRUE(error_of([&] { write_simulated_csv(large, "/dev/full"); }).starts_with(full));
}

}  // namespace
}  // namespace lacuna::testing
