// Options out of range: which one is named, and by what rule.
#include "lacuna/config.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "unit/data/files.hpp"

namespace lacuna {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Change>
std::string told(Change&& change) {
  Config config;
  change(config);
  return testing::error_of([&] { check_config(config); });
}

TEST(CheckConfig, AcceptsTheDefaultsAndTheEdges) {
  EXPECT_EQ(told([](Config&) {}), "no error");
  EXPECT_EQ(told([](Config& c) {
              c.bound = c.clip = 1.0;
              c.base = 1.0000001;
              c.lambda_rule = LambdaRule::number;
              c.lambda = 0.0;
              c.learning_rate = 0.0;
              c.proposal_sd = 1e-300;
              c.burn_in = 0;
              c.gap = c.draws = 1;
              c.chains = 10'000;
              c.threads = 0;
              c.time_limit = 1e-9;
            }),
            "no error");
}

TEST(CheckConfig, NamesTheOptionTheValueAndTheRule) {
  EXPECT_EQ(told([](Config& c) { c.base = 1.0; }), "64 base a=1: must be > 1");
  EXPECT_EQ(told([](Config& c) { c.base = not_a_number; }),
            "64 base a=nan: must be a finite number");
  EXPECT_EQ(told([](Config& c) { c.depth = 0; }), "64 depth=0: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.widths = {3, 0}; }), "64 width=0: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.bound = 0.5; }), "64 bound B=0.5: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.bound = infinity; }), "64 bound B=inf: must be a finite number");
  EXPECT_EQ(told([](Config& c) { c.bound = 1e101; }), "64 bound B=1e+101: must be <= 1e+100");
  EXPECT_EQ(told([](Config& c) { c.clip = -2.0; }), "64 clip C=-2: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.clip = 1e300; }), "64 clip C=1e+300: must be <= 1e+100");
  EXPECT_EQ(told([](Config& c) { c.noise_sd = 0.0; }), "64 noise-sd=0: must be > 0");
  EXPECT_EQ(told([](Config& c) { c.noise_tail = -1.0; }), "64 noise-tail=-1: must be > 0");
  EXPECT_EQ(told([](Config& c) { c.learning_rate = -1e-9; }),
            "64 learning-rate gamma=-1e-09: must be >= 0");
  EXPECT_EQ(told([](Config& c) { c.proposal_sd = 0.0; }), "64 proposal-sd s=0: must be > 0");
  EXPECT_EQ(told([](Config& c) { c.rungs = 0; }), "64 rungs=0: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.rungs = 1'001; }), "64 rungs=1001: must be <= 1000");
  EXPECT_EQ(told([](Config& c) { c.chains = 0; }), "64 chains=0: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.chains = 10'001; }), "64 chains=10001: must be <= 10000");
  EXPECT_EQ(told([](Config& c) { c.walkers = 0; }), "64 walkers=0: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.walkers = 2'501; }),
            "64 walkers=2501: must be <= 10000 over all chains");
  EXPECT_EQ(told([](Config& c) { c.threads = 1'001; }), "64 threads=1001: must be <= 1000");
  EXPECT_EQ(told([](Config& c) { c.gap = 0; }), "64 gap=0: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.draws = 0; }), "64 draws=0: must be >= 1");
  EXPECT_EQ(told([](Config& c) { c.time_limit = 0.0; }), "64 time-limit=0: must be > 0");
  EXPECT_EQ(told([](Config& c) { c.time_limit = not_a_number; }),
            "64 time-limit=nan: must be a finite number");
  EXPECT_EQ(told([](Config& c) { c.checkpoint_every = -1.0; }),
            "64 checkpoint-every=-1: must be > 0");
}

TEST(CheckConfig, LooksAtLambdaOnlyWhereItIsGiven) {
  EXPECT_EQ(told([](Config& c) { c.lambda = -1.0; }), "no error");
  EXPECT_EQ(told([](Config& c) {
              c.lambda = -1.0;
              c.lambda_rule = LambdaRule::number;
            }),
            "64 lambda=-1: must be >= 0");
}

TEST(CheckConfig, RefusesMoreStepsThanCanBeCounted) {
  const std::string rule = "64 burn-in + gap * draws: must be below 2^62 steps";
  EXPECT_EQ(told([](Config& c) { c.burn_in = std::uint64_t{1} << 62; }), rule);
  EXPECT_EQ(told([](Config& c) { c.burn_in = ~std::uint64_t{0}; }), rule);
  EXPECT_EQ(told([](Config& c) { c.gap = c.draws = std::uint64_t{1} << 32; }), rule);
  EXPECT_EQ(told([](Config& c) { c.gap = c.draws = std::uint64_t{1} << 30; }), "no error");
}

TEST(Walkers, AreSeveralOnlyWhereTheRunPlansItselfAndStepsAreCheap) {
  const auto walkers = [](auto&& change, std::uint64_t parameters = 1000, std::size_t rows = 500) {
    Config config;
    change(config);
    return walkers_for(config, parameters, rows);
  };
  EXPECT_EQ(walkers([](Config&) {}), 4u);
  EXPECT_EQ(walkers([](Config& c) { c.time_limit = 60.0; }), 4u);
  EXPECT_EQ(walkers([](Config&) {}, 1'000'000'000), 1u);
  EXPECT_EQ(walkers([](Config&) {}, 1'000, 50'000), 1u);
  EXPECT_EQ(walkers([](Config& c) { c.burn_in = 0; }), 1u);
  EXPECT_EQ(walkers([](Config& c) { c.gap = 5; }), 1u);
  EXPECT_EQ(walkers([](Config& c) { c.draws = 100; }), 1u);
  EXPECT_EQ(walkers([](Config& c) { c.sampler = SamplerKind::paper; }), 1u);
  EXPECT_EQ(walkers([](Config& c) { c.proposal_sd = 0.1; }), 1u);
  EXPECT_EQ(walkers([](Config& c) { c.rungs = 4; }), 1u);
  EXPECT_EQ(walkers([](Config& c) { c.start = StartKind::prior; }), 1u);
  EXPECT_EQ(walkers([](Config& c) {
              c.sampler = SamplerKind::paper;
              c.draws = 100;
              c.walkers = 7;
            }),
            7u);
}

}  // namespace
}  // namespace lacuna
