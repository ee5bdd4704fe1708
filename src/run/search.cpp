#include "run/search.hpp"

#include <algorithm>
#include <cmath>

#include "posterior/lambda.hpp"
#include "run/lambda_curve.hpp"
#include "run/noise_fit.hpp"
#include "run/trial.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

// A larger network has to predict held-out rows better by this share of the mean square.
constexpr double size_must_gain = 0.08;

std::vector<std::vector<std::size_t>> shapes(const Config& config) {
  if (!config.widths.empty()) return {config.widths};
  std::vector<std::vector<std::size_t>> all;
  const std::vector<std::size_t> widths =
      config.width ? std::vector{*config.width} : std::vector<std::size_t>{32, 64};
  const std::vector<std::size_t> depths =
      config.depth ? std::vector{*config.depth} : std::vector<std::size_t>{2, 3};
  for (const std::size_t depth : depths) {
    for (const std::size_t width : widths) {
      // Narrow and deep at once has not paid.
      if (!config.depth && !config.width && depth == 3 && width == 32) continue;
      all.emplace_back(depth, width);
    }
  }
  return all;
}

std::size_t best_shape(const std::vector<std::vector<Trial>>& trials) {
  std::vector<double> square(trials.size());
  for (std::size_t s = 0; s < trials.size(); ++s) {
    for (const Trial& trial : trials[s]) square[s] += trial.held_out_square;
  }
  const double best = std::ranges::min(square);
  return static_cast<std::size_t>(
      std::ranges::find_if(square, [&](double at) { return at <= (1.0 + size_must_gain) * best; }) -
      square.begin());
}

}  // namespace

Search search(const Dataset& data, const Config& config, std::size_t threads,
              const std::function<bool()>& stop) {
  Search out;
  const std::vector<Fold> folds = make_folds(data, config.seed);
  const std::vector<std::vector<std::size_t>> tried = shapes(config);
  std::vector<std::vector<Trial>> trials(tried.size());
  for (std::vector<Trial>& of_shape : trials) {
    of_shape.assign(folds.size(), Trial{Architecture(data.inputs, tried.front()),
                                        Prior(config.prior, 1, config.base, config.bound),
                                        {},
                                        0.0});
  }
  const double first_noise = estimate_noise_sd(data);
  parallel_for(folds.size() * tried.size(), threads, [&](std::size_t job) {
    const std::size_t s = tried.size() - 1 - job / folds.size(),
                      k = job % folds.size();  // the largest first
    RandomStream stream({config.seed, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(s),
                         1, Purpose::search});
    const double lambda = 16.0 * bayes_lambda(folds[k].training->rows(), first_noise);
    trials[s][k] = make_trial(folds[k], config, tried[s], lambda, stream, stop);
  });
  const std::size_t shape = best_shape(trials);
  const std::vector<Trial>& chosen = trials[shape];
  out.widths = tried[shape];
  if (stop()) return out;

  double square = 0.0;
  for (const Trial& trial : chosen)
    square += trial.held_out_square / static_cast<double>(folds.size());
  LambdaCurve curve(folds, config, out.widths, std::max(std::sqrt(square), 1e-6), threads, stop);
  curve.explore(chosen);
  if (curve.tried().empty()) return out;
  curve.compare_contenders(chosen);
  for (const LambdaTrial& t : curve.tried())
    out.curve.push_back({curve.lambda_of(t.factor, data.rows), t.score.mean(), t.score.noise_sd});
  out.lambda = curve.lambda_of(curve.chosen().factor, data.rows);
  out.noise = fit_noise(config, folds, curve.chosen(), threads, stop);
  return out;
}

}  // namespace lacuna
