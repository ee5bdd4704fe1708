// Where rungs are placed: the scale, the first ladder, and equal rates on a risk whose law is
// known.
#include "run/rung_placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mcmc/exchange.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

TEST(RungScale, IsLogarithmicAboveAndLinearBelow) {
  EXPECT_EQ(rung_scale(0.0, 2.0), 0.0);
  EXPECT_DOUBLE_EQ(rung_scale(1.0, 2.0), 0.5);
  EXPECT_DOUBLE_EQ(rung_scale(2.0, 2.0), 1.0);
  EXPECT_DOUBLE_EQ(rung_scale(2.0 * std::exp(3.0), 2.0), 4.0);
  for (const double lambda : {0.0, 0.3, 2.0, 2.001, 7e5})
    EXPECT_NEAR(lambda_of_scale(rung_scale(lambda, 2.0), 2.0), lambda, 1e-12 * lambda);
}

TEST(FirstRungs, AreGeometricAndEndAtThePriorIfTheyCan) {
  const std::vector<double> few = first_rungs(1000.0, 1.0, 4);
  ASSERT_EQ(few.size(), 4u);
  EXPECT_EQ(few[0], 1000.0);
  for (std::size_t r = 1; r < 4; ++r) EXPECT_NEAR(few[r] / few[r - 1], std::exp(-0.5), 1e-12);
  const std::vector<double> many = first_rungs(1000.0, 1.0, 40);
  EXPECT_NEAR(many.back(), 0.0, 1e-12);
  EXPECT_TRUE(std::ranges::is_sorted(many, std::greater<>()));
}

TEST(PlacedRungs, StayWhereRatesAreEqualAndThePriorIsReached) {
  const std::vector<double> ladder = first_rungs(100.0, 1.0, 20);
  const std::vector<double> placed = placed_rungs(ladder, std::vector<double>(19, 0.4), 1.0);
  for (std::size_t r = 0; r < 20; ++r) EXPECT_NEAR(placed[r], ladder[r], 1e-9);
  EXPECT_EQ(placed.back(), 0.0);
}

TEST(PlacedRungs, GoWhereTheBarrierIs) {
  // All of the barrier lies between 10 and 1: every inner rung moves there.
  const std::vector<double> placed = placed_rungs({100.0, 10.0, 1.0, 0.0}, {0.0, 1.5, 0.0}, 1.0);
  EXPECT_EQ(placed[0], 100.0);
  EXPECT_LT(placed[1], 10.0);
  EXPECT_GT(placed[2], 1.0);
  EXPECT_EQ(placed[3], 0.0);
}

TEST(PlacedRungs, ShortenALadderThatCannotReachThePriorAndLengthenOneThatCould) {
  const std::vector<double> shorter = placed_rungs({100.0, 10.0, 1.0}, {1.0, 1.0}, 1.0);
  EXPECT_NEAR(rung_scale(shorter[2], 1.0), rung_scale(10.0, 1.0) - 0.2 * std::log(10.0), 1e-12);
  const std::vector<double> longer = placed_rungs({100.0, 50.0, 25.0}, {0.1, 0.1}, 1.0);
  EXPECT_NEAR(std::log(longer[2]), std::log(25.0) - 0.25 * std::log(4.0), 1e-12);
  // Nothing is rejected, and the prior is near: the end is the prior itself.
  EXPECT_EQ(placed_rungs({1.0, 0.5, 0.1}, {0.0, 0.0}, 1.0)[2], 0.0);
}

// A risk with values in (0, 1) whose density under lambda is proportional to R^(k-1) exp(-lambda
// R): k of a regular model's parameters in pairs.
class PowerLawRisk {
 public:
  explicit PowerLawRisk(int k) : k_(k) {}

  double draw(double lambda, RandomStream& stream) const {
    for (;;) {
      if (lambda < k_) {
        const double r = std::pow(stream.uniform(), 1.0 / k_);
        if (stream.uniform() < std::exp(-lambda * r)) return r;
        continue;
      }
      double r = 0.0;
      for (int i = 0; i < k_; ++i) r -= std::log(stream.uniform()) / lambda;
      if (r < 1.0) return r;
    }
  }

  std::vector<double> rejection(const std::vector<double>& ladder, int pairs,
                                RandomStream& stream) const {
    std::vector<double> rates;
    for (std::size_t r = 0; r + 1 < ladder.size(); ++r) {
      double accepted = 0.0;
      for (int i = 0; i < pairs; ++i) {
        const double ratio = log_exchange_ratio(ladder[r], draw(ladder[r], stream), ladder[r + 1],
                                                draw(ladder[r + 1], stream));
        accepted += std::exp(std::min(0.0, ratio)) / pairs;
      }
      rates.push_back(1.0 - accepted);
    }
    return rates;
  }

 private:
  int k_;
};

// Rates of 2,000 pairs have standard errors below 0.01; the spread left by placing from estimates
// is a few times that. Before placing, the rates of the first ladder differ by more than 0.2.
TEST(PlacedRungs, MakeRatesEqualOnARiskWhoseLawIsKnown) {
  const PowerLawRisk risk(8);
  RandomStream stream = testing::test_stream(350);
  for (const std::size_t rungs : {6, 24}) {
    std::vector<double> ladder = first_rungs(1000.0, 1.0, rungs);
    const auto [low, high] = std::ranges::minmax(risk.rejection(ladder, 2000, stream));
    if (rungs == 24) {
      EXPECT_GT(high - low, 0.2);
    }
    for (int round = 0; round < 12; ++round)
      ladder = placed_rungs(ladder, risk.rejection(ladder, 2000, stream), 1.0);
    const std::vector<double> rates = risk.rejection(ladder, 2000, stream);
    const auto [least, most] = std::ranges::minmax(rates);
    EXPECT_LT(most - least, 0.12) << rungs;
    EXPECT_EQ(ladder.front(), 1000.0);
    if (rungs == 24) {
      EXPECT_EQ(ladder.back(), 0.0);
      EXPECT_LT(most, most_rejection);
    } else {
      // Too few for the whole way: as far as rates of most_rejection lead.
      EXPECT_GT(ladder.back(), 10.0);
      EXPECT_NEAR(std::accumulate(rates.begin(), rates.end(), 0.0) / 5.0, most_rejection, 0.05);
    }
  }
}

}  // namespace
}  // namespace lacuna
