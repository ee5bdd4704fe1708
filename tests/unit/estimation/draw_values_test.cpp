// What is said draw by draw, against predictions, the summary and a network written out plainly.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/data/files.hpp"
#include "unit/network/naive_network.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

// A fit with two walkers, whose draws come in turn.
class DrawValues : public InFolder {
 protected:
  DrawValues() : fit_(made()), rows_(data_.rows), draws_(fit_.draws()) {}

  static Fit made() {
    Config config = quick_config();
    config.walkers = 2;
    config.burn_in = 400;
    config.draws = 61;  // an odd number: one walker has a draw more
    quick_fit("d.lacuna", config);
    return Fit::open("d.lacuna");
  }
  double mean_at(const std::vector<double>& values, std::size_t row) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < draws_; ++k) sum += values[k * rows_ + row];
    return sum / static_cast<double>(draws_);
  }

  Dataset data_ = small_data();
  Fit fit_;
  std::size_t rows_, draws_;
};

TEST_F(DrawValues, TheFunctionIsThatOfEachDraw) {
  const std::vector<double> f = fit_.predict_draws(data_.x, rows_);
  EXPECT_EQ(f, fit_.predict_draws(data_.x, rows_, {}, 1));
  ASSERT_EQ(f.size(), draws_ * rows_);
  const FitInfo& info = fit_.info();
  std::size_t k = 0;
  fit_.for_each_draw([&](const DrawView& draw) {
    NaiveNetwork<double> network(2, info.config.widths);
    for (std::size_t j = 0; j < draw.index.size(); ++j)
      network.theta[draw.index[j]] = draw.value[j];
    for (const std::size_t i : {std::size_t{0}, rows_ - 1}) {
      const std::vector<double> x =
          scaled_inputs({data_.x[i], data_.x[rows_ + i]}, 1, info.scaling);
      const double scaled =
          std::clamp(network.output(x.data()), -info.config.clip, info.config.clip);
      EXPECT_NEAR(f[k * rows_ + i], info.scaling.target_shift + info.scaling.target_scale * scaled,
                  1e-12);
    }
    ++k;
  });
  EXPECT_EQ(error_of([&] { fit_.predict_draws({1.0}, 1); }),
            "65 1 values given, expected 1 rows of 2 inputs");
}

TEST_F(DrawValues, ObservationsFollowThePredictiveLaw) {
  const std::vector<double> y = fit_.predict_draws(data_.x, rows_, 3);
  EXPECT_EQ(y, fit_.predict_draws(data_.x, rows_, 3, 1));
  EXPECT_NE(y, fit_.predict_draws(data_.x, rows_, 4));
  const Prediction p = fit_.predict(data_.x, rows_, {.level = 0.8});
  double inside = 0.0;
  for (std::size_t k = 0; k < y.size(); ++k)
    inside += p.y_lower[k % rows_] <= y[k] && y[k] <= p.y_upper[k % rows_];
  // 122 draws at 24 rows; draws of one row are independent in their noise.
  EXPECT_NEAR(inside / static_cast<double>(y.size()), 0.8, 0.04);
}

TEST_F(DrawValues, DensitiesAverageToThePredictiveDensity) {
  std::vector<double> density = fit_.log_density_draws(data_.x, data_.y);
  for (double& v : density) v = std::exp(v);
  const Prediction p = fit_.predict(data_.x, rows_, {.observed = data_.y});
  for (std::size_t i = 0; i < rows_; ++i)
    EXPECT_NEAR(std::log(mean_at(density, i)), p.log_score[i], 1e-9);
}

TEST_F(DrawValues, SeriesAgreeWithTheSummary) {
  const DrawSeries series = fit_.series();
  const Summary summary = fit_.summary();
  const std::size_t probes = fit_.info().probes.rows.size();
  const std::vector<double> f = fit_.predict_draws(data_.x, rows_);
  for (std::size_t k = 0; k < draws_; ++k) {
    for (std::size_t i = 0; i < probes; ++i)
      EXPECT_NEAR(series.f[k * probes + i], f[k * rows_ + fit_.info().probes.rows[i]], 1e-12);
  }
  for (std::size_t j = 0; j < 2; ++j) {
    double share = 0.0;
    for (std::size_t k = 0; k < draws_; ++k) share += series.included[2 * k + j];
    EXPECT_NEAR(share / static_cast<double>(draws_), summary.inclusion[j].probability, 1e-12);
  }
  std::size_t k = 0;
  fit_.for_each_draw([&](const DrawView& draw) {
    EXPECT_DOUBLE_EQ(series.log_posterior[k], draw.log_prior - fit_.info().lambda * draw.risk);
    EXPECT_LE(series.live[k], static_cast<double>(draw.index.size()));
    ++k;
  });
}

TEST_F(DrawValues, TheBestNetworkIsThatOfTheMap) {
  const NetworkView view = fit_.best_network();
  EXPECT_EQ(view.inputs, 2u);
  EXPECT_EQ(view.widths, fit_.info().config.widths);
  const Prediction p = fit_.predict(data_.x, rows_, {.estimator = PointEstimator::map});
  const FitInfo& info = fit_.info();
  const std::vector<double> x = scaled_inputs(data_.x, rows_, info.scaling);
  for (std::size_t i = 0; i < rows_; ++i) {
    // One hidden layer, and of its weights only the live ones.
    std::vector<double> hidden(view.widths[0], 0.0);
    double f = 0.0;
    for (const WeightView& w : view.weights)
      if (w.live && w.layer == 1)
        hidden[w.destination] += w.value * (w.shift ? 1.0 : x[w.source * rows_ + i]);
    for (const WeightView& w : view.weights)
      if (w.live && w.layer == 2) f += w.value * (w.shift ? 1.0 : std::max(0.0, hidden[w.source]));
    f = std::clamp(f, -info.config.clip, info.config.clip);
    EXPECT_NEAR(p.mean[i], info.scaling.target_shift + info.scaling.target_scale * f, 1e-12);
  }
}

}  // namespace
}  // namespace lacuna::testing
