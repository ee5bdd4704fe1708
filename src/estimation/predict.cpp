// Predictions from the draws of a fit: point estimates of f, both kinds of interval, and the
// predictive law of observations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimation/fit_content.hpp"
#include "estimation/intervals.hpp"
#include "estimation/predictive_law.hpp"
#include "lacuna/errors.hpp"
#include "network/evaluator.hpp"
#include "support/check.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

// Values of f kept at a time per thread: 8 million, 64 MiB.
constexpr std::size_t values_at_a_time = std::size_t{1} << 23;
constexpr std::size_t most_rows_at_a_time = 512;

void check_options(const PredictOptions& options, std::size_t rows) {
  if (!(options.level > 0.0 && options.level < 1.0))
    refuse("interval", options.level, "must lie between 0 and 1");
  for (const double q : options.quantiles) {
    if (!(q > 0.0 && q < 1.0)) refuse("quantiles", q, "must lie between 0 and 1");
  }
  if (!options.observed.empty() && options.observed.size() != rows) {
    throw Error(ErrorKind::bad_data, fmt::format("{} observations given, expected one for each of "
                                                 "{} rows",
                                                 options.observed.size(), rows));
  }
}

Prediction room_for(std::size_t rows, const PredictOptions& options) {
  Prediction out;
  for (auto* column : {&out.mean, &out.sd, &out.f_lower, &out.f_upper, &out.y_lower, &out.y_upper})
    column->resize(rows);
  out.quantile_levels = options.quantiles;
  out.quantiles.assign(options.quantiles.size(), std::vector<double>(rows));
  for (auto* column : {&out.log_score, &out.crps, &out.pit})
    column->resize(options.observed.size());
  return out;
}

// Fills one row from the draws of f there, which it sorts. `estimate` is the point estimate.
class RowWriter {
 public:
  RowWriter(const Scaling& scaling, const PredictOptions& options, Prediction& out)
      : scaling_(scaling), options_(options), out_(out), low_(0.5 * (1.0 - options.level)) {}

  void write(std::size_t row, std::span<double> f, const Noise& noise,
             std::optional<double> estimate) const {
    const auto count = static_cast<double>(f.size());
    double mean = 0.0, squares = 0.0;
    for (const double v : f) mean += v;
    mean /= count;
    for (const double v : f) squares += (v - mean) * (v - mean);
    std::ranges::sort(f);
    const PredictiveLaw law(f, noise);
    out_.mean[row] = original(estimate.value_or(mean));
    out_.sd[row] = scaling_.target_scale * std::sqrt(squares / count);
    out_.f_lower[row] = original(sorted_quantile(f, low_));
    out_.f_upper[row] = original(sorted_quantile(f, 1.0 - low_));
    out_.y_lower[row] = original(law.quantile(low_));
    out_.y_upper[row] = original(law.quantile(1.0 - low_));
    for (std::size_t k = 0; k < options_.quantiles.size(); ++k) {
      out_.quantiles[k][row] = original(law.quantile(options_.quantiles[k]));
    }
    if (options_.observed.empty()) return;
    const double y = (options_.observed[row] - scaling_.target_shift) / scaling_.target_scale;
    out_.log_score[row] = law.log_density(y) - std::log(scaling_.target_scale);
    out_.crps[row] = scaling_.target_scale * law.crps(y);
    out_.pit[row] = law.distribution(y);
  }

 private:
  double original(double f) const { return scaling_.target_shift + scaling_.target_scale * f; }

  const Scaling& scaling_;
  const PredictOptions& options_;
  Prediction& out_;
  double low_;
};

}  // namespace

Prediction Fit::predict(const std::vector<double>& x, std::size_t rows,
                        const PredictOptions& options) const {
  const FitInfo& info = content_->info;
  const std::size_t inputs = info.input_names.size();
  check_options(options, rows);
  check_inputs(x, rows, info);
  const DrawStore& draws = content_->draws;
  if (draws.size() == 0) throw Error(ErrorKind::bad_data, "the fit holds no draws; run it longer");
  if (options.estimator == PointEstimator::draw && !content_->end_of_burn_in) {
    throw Error(ErrorKind::bad_data,
                "the fit does not hold the state at the end of burn-in; use --estimator mean");
  }

  const std::vector<double> scaled_x = scaled_inputs(x, rows, info.scaling);
  Prediction out = room_for(rows, options);
  const RowWriter writer(info.scaling, options, out);
  const NoiseLaw noise(info);
  const SparseTheta best =
      options.estimator == PointEstimator::map ? draws.theta(content_->best_draw()) : SparseTheta{};

  const std::size_t chunk =
      std::clamp<std::size_t>(values_at_a_time / draws.size(), 1, most_rows_at_a_time);
  const std::size_t chunks = (rows + chunk - 1) / chunk;
  parallel_for(chunks, thread_count(options.threads), [&](std::size_t c) {
    const std::size_t first = c * chunk, count = std::min(chunk, rows - first);
    std::vector<double> part(count * inputs);
    for (std::size_t j = 0; j < inputs; ++j) {
      std::copy_n(&scaled_x[j * rows + first], count, &part[j * count]);
    }
    const Samples samples(count, inputs, part, {});
    Evaluator evaluator(content_->architecture(), info.config.clip);
    std::vector<double> f(count), values(count * draws.size());
    for (std::size_t k = 0; k < draws.size(); ++k) {
      evaluator.predict(draws.theta(k), samples, f);
      for (std::size_t i = 0; i < count; ++i) values[i * draws.size() + k] = f[i];
    }
    if (options.estimator == PointEstimator::map) evaluator.predict(best, samples, f);
    if (options.estimator == PointEstimator::draw)
      evaluator.predict(*content_->end_of_burn_in, samples, f);
    const std::vector<Noise> noise_of_row = noise.at(samples);
    for (std::size_t i = 0; i < count; ++i) {
      const auto estimate =
          options.estimator == PointEstimator::mean ? std::nullopt : std::optional(f[i]);
      writer.write(first + i, std::span(values).subspan(i * draws.size(), draws.size()),
                   noise_of_row[i], estimate);
    }
  });
  return out;
}

Scores mean_scores(const Prediction& prediction, const std::vector<double>& observed) {
  Scores scores;
  const auto rows = static_cast<double>(observed.size());
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double y = observed[i], error = prediction.mean[i] - y;
    scores.rmse += error * error / rows;
    scores.log_score += prediction.log_score[i] / rows;
    scores.crps += prediction.crps[i] / rows;
    scores.coverage += (prediction.y_lower[i] <= y && y <= prediction.y_upper[i]) / rows;
  }
  scores.rmse = std::sqrt(scores.rmse);
  return scores;
}

}  // namespace lacuna
