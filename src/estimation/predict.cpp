// Predictions from the draws of a fit: point estimates of f and both kinds of interval.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimation/fit_content.hpp"
#include "estimation/intervals.hpp"
#include "lacuna/errors.hpp"
#include "network/evaluator.hpp"
#include "support/check.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

// Values of f kept at a time per thread: 8 million, 64 MiB.
constexpr std::size_t values_at_a_time = std::size_t{1} << 23;
constexpr std::size_t most_rows_at_a_time = 512;

}  // namespace

Prediction Fit::predict(const std::vector<double>& x, std::size_t rows,
                        const PredictOptions& options) const {
  const FitInfo& info = content_->info;
  const std::size_t inputs = info.input_names.size();
  if (!(options.level > 0.0 && options.level < 1.0))
    refuse("interval", options.level, "must lie between 0 and 1");
  if (x.size() != rows * inputs) {
    throw Error(ErrorKind::bad_data, fmt::format("{} values given, expected {} rows of {} inputs",
                                                 x.size(), rows, inputs));
  }
  const DrawStore& draws = content_->draws;
  if (draws.size() == 0) throw Error(ErrorKind::bad_data, "the fit holds no draws; run it longer");
  if (options.estimator == PointEstimator::draw && !content_->end_of_burn_in) {
    throw Error(ErrorKind::bad_data,
                "the fit does not hold the state at the end of burn-in; use --estimator mean");
  }

  const std::vector<double> scaled_x = scaled_inputs(x, rows, info.scaling);
  Prediction out;
  for (auto* column : {&out.mean, &out.sd, &out.f_lower, &out.f_upper, &out.y_lower, &out.y_upper})
    column->resize(rows);
  const double low = 0.5 * (1.0 - options.level), high = 1.0 - low;
  const auto original = [&](double f) {
    return info.scaling.target_shift + info.scaling.target_scale * f;
  };
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
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<double> row(&values[i * draws.size()], draws.size());
      double mean = 0.0, squares = 0.0;
      for (const double v : row) mean += v;
      mean /= static_cast<double>(row.size());
      for (const double v : row) squares += (v - mean) * (v - mean);
      std::sort(row.begin(), row.end());
      const NoisyMixture noisy(row, info.noise_sd);
      const std::size_t at = first + i;
      out.mean[at] = original(options.estimator == PointEstimator::mean ? mean : f[i]);
      out.sd[at] = info.scaling.target_scale * std::sqrt(squares / static_cast<double>(row.size()));
      out.f_lower[at] = original(sorted_quantile(row, low));
      out.f_upper[at] = original(sorted_quantile(row, high));
      out.y_lower[at] = original(noisy.quantile(low));
      out.y_upper[at] = original(noisy.quantile(high));
    }
  });
  return out;
}

}  // namespace lacuna
