// Predictions of a fit against a direct average over its draws with a network written out plainly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "estimation/intervals.hpp"
#include "estimation/predictive_law.hpp"
#include "unit/data/files.hpp"
#include "unit/network/naive_network.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

class Predicting : public InFolder {};

// f of each draw at one row of raw inputs, clipped, in the units of the target.
std::vector<double> values_at(const Fit& fit, const std::vector<double>& x) {
  const FitInfo& info = fit.info();
  std::vector<double> scaled(x.size()), values;
  for (std::size_t j = 0; j < x.size(); ++j) {
    scaled[j] = (x[j] - info.scaling.input_shift[j]) / info.scaling.input_scale[j];
  }
  fit.for_each_draw([&](const DrawView& draw) {
    NaiveNetwork<double> network(x.size(), info.config.widths);
    for (std::size_t k = 0; k < draw.index.size(); ++k) {
      network.theta[draw.index[k]] = draw.value[k];
    }
    const double f = std::clamp(network.output(scaled.data()), -info.config.clip, info.config.clip);
    values.push_back(info.scaling.target_shift + info.scaling.target_scale * f);
  });
  return values;
}

TEST_F(Predicting, IsTheAverageOverDraws) {
  Config config = quick_config();
  config.widths = {4, 3};
  config.start = StartKind::automatic;
  config.burn_in = 500;
  config.draws = 150;
  config.clip = 1.2;  // low enough to matter
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  const Fit fit = Fit::open("d.lacuna");
  // More rows than are worked on at a time, by several threads.
  const std::size_t rows = 1100;
  std::vector<double> x(2 * rows);
  RandomStream stream({2, 0, 0, 0, Purpose::test});
  for (double& value : x) value = 2.0 * stream.normal();
  const Prediction alone = fit.predict(x, rows, {.level = 0.8, .threads = 1});
  const Prediction p = fit.predict(x, rows, {.level = 0.8, .threads = 7});
  EXPECT_EQ(p.mean, alone.mean);
  EXPECT_EQ(p.y_upper, alone.y_upper);
  for (std::size_t i = 0; i < rows; i += 97) {
    std::vector<double> values = values_at(fit, {x[i], x[rows + i]});
    ASSERT_EQ(values.size(), 300u);
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 300.0;
    double squares = 0.0;
    for (const double v : values) squares += (v - mean) * (v - mean);
    std::ranges::sort(values);
    EXPECT_NEAR(p.mean[i], mean, 1e-11);
    EXPECT_NEAR(p.sd[i], std::sqrt(squares / 300.0), 1e-11);
    EXPECT_NEAR(p.f_lower[i], sorted_quantile(values, 0.1), 1e-11);
    EXPECT_NEAR(p.f_upper[i], sorted_quantile(values, 0.9), 1e-11);
    PredictiveLaw noisy(values, Noise(fit.info().noise.scale * fit.info().scaling.target_scale));
    EXPECT_NEAR(p.y_lower[i], noisy.quantile(0.1), 1e-7);
    EXPECT_NEAR(p.y_upper[i], noisy.quantile(0.9), 1e-7);
  }
}

TEST_F(Predicting, ScoresObservationsInTheUnitsOfTheTarget) {
  Config config = quick_config();
  config.draws = 60;
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  const Fit fit = Fit::open("d.lacuna");
  const std::vector<double> x = {0.4, -1.0, 2.0, 0.5, 0.3, -0.2}, y = {0.6, 0.1, 30.0};
  const Prediction p = fit.predict(x, 3, {.level = 0.8, .quantiles = {0.9, 0.25}, .observed = y});
  EXPECT_EQ(p.quantile_levels, (std::vector<double>{0.9, 0.25}));
  double squares = 0.0, logs = 0.0, ranked = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<double> values = values_at(fit, {x[i], x[3 + i]});
    std::ranges::sort(values);
    PredictiveLaw law(values, Noise(fit.info().noise.scale * fit.info().scaling.target_scale));
    EXPECT_NEAR(p.quantiles[0][i], law.quantile(0.9), 1e-9);
    EXPECT_EQ(p.quantiles[0][i], p.y_upper[i]);
    EXPECT_NEAR(p.quantiles[1][i], law.quantile(0.25), 1e-9);
    EXPECT_NEAR(p.log_score[i], law.log_density(y[i]), 1e-8);
    EXPECT_NEAR(p.crps[i], law.crps(y[i]), 1e-5);
    EXPECT_NEAR(p.pit[i], law.distribution(y[i]), 1e-10);
    squares += (p.mean[i] - y[i]) * (p.mean[i] - y[i]);
    logs += p.log_score[i];
    ranked += p.crps[i];
  }
  const Scores scores = mean_scores(p, y);
  EXPECT_NEAR(scores.rmse, std::sqrt(squares / 3.0), 1e-12);
  EXPECT_DOUBLE_EQ(scores.log_score, logs / 3.0);
  EXPECT_NEAR(scores.crps, ranked / 3.0, 1e-12);
  EXPECT_LE(scores.coverage, 2.0 / 3.0);  // nobody foresees 30

  const Prediction plain = fit.predict(x, 3, {});
  EXPECT_TRUE(plain.quantiles.empty() && plain.log_score.empty() && plain.pit.empty());
}

TEST_F(Predicting, TakesTheDrawOfLargestDensityForMap) {
  ASSERT_TRUE(quick_fit("d.lacuna"));
  const Fit fit = Fit::open("d.lacuna");
  const std::vector<OwnedDraw> draws = draws_of(fit);
  const auto best = std::ranges::max_element(draws, {}, [&](const OwnedDraw& draw) {
    return draw.log_prior - fit.info().lambda * draw.risk;
  });
  const Prediction p = fit.predict({0.4, -1.0}, 1, {.estimator = PointEstimator::map});
  const auto at = static_cast<std::size_t>(best - draws.begin());
  EXPECT_NEAR(p.mean[0], values_at(fit, {0.4, -1.0})[at], 1e-12);
}

TEST_F(Predicting, TakesTheStateAfterBurnInForTheSingleDraw) {
  Config config = quick_config();
  config.proposal_sd = 0.3;
  config.lambda_rule = LambdaRule::number;
  config.lambda = 3.0;
  config.gap = 1;
  config.burn_in = 49;
  ASSERT_TRUE(quick_fit("before.lacuna", config));
  config.burn_in = 50;
  ASSERT_TRUE(quick_fit("after.lacuna", config));
  const Fit before = Fit::open("before.lacuna"), after = Fit::open("after.lacuna");
  const Prediction p = after.predict({0.4, -1.0}, 1, {.estimator = PointEstimator::draw});
  EXPECT_NEAR(p.mean[0], values_at(before, {0.4, -1.0})[0], 1e-12);
}

TEST_F(Predicting, RefusesWhatDoesNotFit) {
  ASSERT_TRUE(quick_fit("d.lacuna"));
  const Fit fit = Fit::open("d.lacuna");
  EXPECT_EQ(error_of([&] {
              fit.predict({1.0, 2.0, 3.0}, 1, {});
            }),
            "65 3 values given, expected 1 rows of 2 inputs");
  for (const double level : {0.0, 1.0, -0.5, 1.5, std::nan("")}) {
    EXPECT_TRUE(error_of([&] {
                  fit.predict({1.0, 2.0}, 1, {.level = level});
                }).ends_with(": must lie between 0 and 1"));
  }
  for (const double level : {0.0, 1.0, -0.5, std::nan("")}) {
    EXPECT_TRUE(error_of([&] {
                  fit.predict({1.0, 2.0}, 1, {.quantiles = {0.5, level}});
                }).starts_with("64 quantiles="));
  }
  EXPECT_EQ(error_of([&] {
              fit.predict({1.0, 2.0}, 1, {.observed = {1.0, 2.0}});
            }),
            "65 2 observations given, expected one for each of 1 rows");
  EXPECT_TRUE(fit.predict({}, 0, {}).mean.empty());
}

}  // namespace
}  // namespace lacuna::testing
