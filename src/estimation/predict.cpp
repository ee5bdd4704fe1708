// Predictions from the draws of a fit: point estimates of f, both kinds of interval, and the
// predictive law of observations.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "estimation/draw_sketch.hpp"
#include "estimation/fit_content.hpp"
#include "estimation/predictive_law.hpp"
#include "estimation/turned_rows.hpp"
#include "lacuna/errors.hpp"
#include "network/evaluator.hpp"
#include "support/check.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

// Values of f kept at a time per thread: 8 million, 64 MiB.
constexpr std::size_t values_at_a_time = std::size_t{1} << 22;
constexpr std::size_t most_rows_at_a_time = 8192;

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

// Fills one row after another from the draws of f there; one for each thread.
class RowWriter {
 public:
  RowWriter(const FitInfo& info, const PredictOptions& options, const StudentT& noise,
            Prediction& out)
      : scaling_(info.scaling),
        options_(options),
        out_(out),
        low_(0.5 * (1.0 - options.level)),
        law_(noise) {}

  // `estimate`: the point estimate, if it is not the mean.
  void write(std::size_t row, std::span<const double> f, const Noise& noise,
             std::optional<double> estimate) {
    sketch_.assign(f, PredictiveLaw::width_for(noise));
    out_.mean[row] = original(estimate.value_or(sketch_.mean()));
    out_.sd[row] = scaling_.target_scale * std::sqrt(sketch_.variance());
    out_.f_lower[row] = original(sketch_.quantile(low_));
    out_.f_upper[row] = original(sketch_.quantile(1.0 - low_));
    law_.assign(sketch_, noise);
    out_.y_lower[row] = original(law_.quantile(low_));
    out_.y_upper[row] = original(law_.quantile(1.0 - low_));
    for (std::size_t k = 0; k < options_.quantiles.size(); ++k) {
      out_.quantiles[k][row] = original(law_.quantile(options_.quantiles[k]));
    }
    if (options_.observed.empty()) return;
    const double y = (options_.observed[row] - scaling_.target_shift) / scaling_.target_scale;
    out_.log_score[row] = law_.log_density(y) - std::log(scaling_.target_scale);
    out_.crps[row] = scaling_.target_scale * law_.crps(y);
    out_.pit[row] = law_.distribution(y);
  }

 private:
  double original(double f) const { return scaling_.target_shift + scaling_.target_scale * f; }

  const Scaling& scaling_;
  const PredictOptions& options_;
  Prediction& out_;
  double low_;
  DrawSketch sketch_;
  PredictiveLaw law_;
};

// f[k * rows + i] lies draw by draw: hands `visit` each row's values in turn. Works on so many rows
// at once that they stay in the cache.
template <class Visit>
void for_each_row(const std::vector<double>& f, std::size_t rows, std::vector<double>& turned,
                  const Visit& visit) {
  constexpr std::size_t rows_together = 64;
  const std::size_t draws = f.size() / rows;
  turned.resize(rows_together * draws);
  for (std::size_t first = 0; first < rows; first += rows_together) {
    const std::size_t count = std::min(rows_together, rows - first);
    turn_rows(f.data() + first, rows, count, draws, turned.data());
    for (std::size_t i = 0; i < count; ++i)
      visit(first + i, std::span<const double>(turned).subspan(i * draws, draws));
  }
}

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
  const NoiseLaw noise(info);
  const SparseTheta best =
      options.estimator == PointEstimator::map ? draws.theta(content_->best_draw()) : SparseTheta{};

  const std::size_t threads = thread_count(options.threads);
  const std::size_t chunk = std::clamp<std::size_t>(
      std::min(values_at_a_time / draws.size(), rows / threads + 1), 1, most_rows_at_a_time);
  const std::size_t chunks = (rows + chunk - 1) / chunk, workers = std::min(chunks, threads);
  std::atomic<std::size_t> next = 0;
  parallel_for(workers, workers, [&](std::size_t) {
    Evaluator evaluator(content_->architecture(), info.config.clip);
    RowWriter writer(info, options, noise.shape(), out);
    std::vector<double> part, values, turned, estimates;
    for (std::size_t c = next++; c < chunks; c = next++) {
      const std::size_t first = c * chunk, count = std::min(chunk, rows - first);
      part.resize(count * inputs);
      for (std::size_t j = 0; j < inputs; ++j)
        std::copy_n(&scaled_x[j * rows + first], count, &part[j * count]);
      const Samples samples(count, inputs, part, {});
      values.resize(count * draws.size());
      for (std::size_t k = 0; k < draws.size(); ++k)
        evaluator.predict(draws.theta(k), samples, std::span(values).subspan(k * count, count));
      if (options.estimator != PointEstimator::mean) {
        estimates.resize(count);
        evaluator.predict(
            options.estimator == PointEstimator::map ? best : *content_->end_of_burn_in, samples,
            estimates);
      }
      const std::vector<Noise> noise_of_row = noise.at(samples);
      for_each_row(values, count, turned, [&](std::size_t i, std::span<const double> f) {
        writer.write(first + i, f, noise_of_row[i],
                     estimates.empty() ? std::nullopt : std::optional(estimates[i]));
      });
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
