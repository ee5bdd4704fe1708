// Which weight to remove: the probabilities that the ratio uses are those of the draws.
#include "mcmc/single_weight.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

// One weight that matters as much as `gradient` says, one that matters little, one that is dead.
Point three_weights(double gradient) {
  Point point;
  point.theta = {{0, 3, 5}, {1.0, 0.5, -0.5}};
  point.evaluation.gradient = {gradient, 0.0, 0.0};
  point.evaluation.curvature = {1.0, 0.5, 0.0};
  point.evaluation.have = death_request;
  return point;
}

TEST(DeathChoice, ProbabilitiesSumToOneAndAreThoseOfDraws) {
  const Prior prior(PriorKind::sparse, 10, 2.0, 2.0);
  const GainModel model(prior, 1000.0);
  RandomStream stream = testing::test_stream(340);
  // In the last two cases the weight exp(-G/2) of the first, relative to the largest, underflows.
  for (const double gradient : {1.0, 1.2, 5.0, 50.0}) {
    DeathChoice choice;
    choice.build(three_weights(gradient), model);
    std::array<double, 3> probability{}, count{};
    for (std::size_t k = 0; k < 3; ++k) probability[k] = std::exp(choice.log_probability(k));
    EXPECT_NEAR(probability[0] + probability[1] + probability[2], 1.0, 1e-12) << gradient;
    EXPECT_NEAR(probability[2], 0.05, 1e-12) << gradient;
    constexpr int draws = 20000;
    for (int i = 0; i < draws; ++i) count[choice.draw(stream)] += 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double sd = std::sqrt(draws * probability[k] * (1.0 - probability[k]));
      EXPECT_NEAR(count[k], draws * probability[k], 5.0 * sd + 1e-6) << gradient << ' ' << k;
    }
  }
}

TEST(DeathChoice, AnImprobableRemovalKeepsItsProbability) {
  const Prior prior(PriorKind::sparse, 10, 2.0, 2.0);
  const GainModel model(prior, 1000.0);
  DeathChoice choice;
  choice.build(three_weights(5.0), model);
  // G = (lambda g s)^2 / 2 + log s + const at the point without the weight: gradient 5 - 1 and
  // 0 - 0.25, 1/s^2 = 1000 h + 0.75.
  const auto half_gain = [](double g, double h) {
    const double variance = 1.0 / (1000.0 * h + 0.75);
    return 0.25 * 1e6 * g * g * variance + 0.25 * std::log(variance);
  };
  EXPECT_NEAR(choice.log_probability(0),
              std::log(0.95) + half_gain(-0.25, 0.5) - half_gain(4.0, 1.0), 1e-9);
}

}  // namespace
}  // namespace lacuna
