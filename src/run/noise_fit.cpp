#include "run/noise_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "posterior/lambda.hpp"
#include "run/effort.hpp"
#include "support/parallel.hpp"
#include "support/student_t.hpp"
#include "warmup/start.hpp"

namespace lacuna {
namespace {

constexpr std::size_t fewest_rows_for_varying = 100;
constexpr std::size_t width_of_noise_network = 16;
constexpr std::array<unsigned, 5> degrees_tried = {3, 4, 6, 10, 30};
constexpr PathLength noise_path{4'000, 800};
constexpr double least_share_left = 0.25;  // of the variance, whatever the chains disagree about
constexpr double bound = 3.0, base = 2.0;
// log chi^2 with one degree of freedom: its mean, and its variance pi^2 / 2.
const double mean_log_square = -1.2703628454614782;
const double variance_log_square = 0.5 * std::numbers::pi * std::numbers::pi;

// All held-out rows together; `level` is the log noise level up to a constant.
struct Rows {
  std::vector<double> residual, variance, level, weight;
};

struct Law {
  double scale = 1.0;
  std::optional<unsigned> degrees;
  HeldOutScore score;          // log density of each row
  std::vector<double> levels;  // of each row
};

Law scored(const Rows& rows, double scale, std::optional<unsigned> degrees) {
  const StudentT t(degrees);
  Law law{scale, degrees, {{}, rows.weight, 0.0}, rows.level};
  for (std::size_t i = 0; i < rows.residual.size(); ++i) {
    const double s = scale * std::exp(rows.level[i]);
    const double whole = std::sqrt(rows.variance[i] + s * s);
    law.score.rows.push_back(t.log_density(rows.residual[i] / whole) - std::log(whole));
  }
  return law;
}

Law best_law(const Rows& rows) {
  std::vector<double> squares;
  for (std::size_t i = 0; i < rows.residual.size(); ++i) {
    const double r = rows.residual[i] / std::exp(rows.level[i]);
    squares.push_back(r * r);
  }
  const double largest = 1.5 * std::max(std::sqrt(weighted_mean(squares, rows.weight)), 1e-12);
  Law best;
  const auto try_degrees = [&](std::optional<unsigned> degrees) {
    for (int g = 0; g < 70; ++g) {
      Law law = scored(rows, largest * std::pow(0.94, g), degrees);
      if (best.score.rows.empty() || law.score.mean() > best.score.mean()) best = std::move(law);
    }
  };
  try_degrees({});
  for (const unsigned degrees : degrees_tried) try_degrees(degrees);
  return best;
}

// A sparse network for the log noise level: the target is half the log squared residual, whose own
// noise has a known variance, so that lambda needs no search.
struct LevelNetwork {
  SparseTheta theta;
  std::vector<double> at(const Samples& rows) const {
    Evaluator evaluator(Architecture(rows.inputs(), {width_of_noise_network}), largest_noise_level);
    std::vector<double> level(rows.rows());
    evaluator.predict(theta, rows, level);
    return level;
  }
};

LevelNetwork fit_level(const Config& config, const std::vector<const Fold*>& folds,
                       const std::vector<const HeldOut*>& predicted, RandomStream& stream,
                       const std::function<bool()>& stop) {
  std::vector<double> residual;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    for (std::size_t i = 0; i < folds[k]->held_out->rows(); ++i)
      residual.push_back(folds[k]->held_out->target()[i] - predicted[k]->mean[i]);
  }
  std::vector<double> sizes = residual;
  for (double& r : sizes) r = std::abs(r);
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  // An almost perfect prediction is chance: its log would dominate all others.
  const double least = std::max(0.1 * *middle, 1e-12);

  const std::size_t inputs = folds.front()->held_out->inputs(), n = residual.size();
  std::vector<double> x(n * inputs), y(n), weight(n);
  std::size_t row = 0;
  for (const Fold* fold : folds) {
    for (std::size_t i = 0; i < fold->held_out->rows(); ++i, ++row) {
      for (std::size_t j = 0; j < inputs; ++j) x[j * n + row] = fold->held_out->column(j)[i];
      weight[row] = fold->held_out->weight(i);
      y[row] = 0.5 * (std::log(residual[row] * residual[row] + least * least) - mean_log_square);
    }
  }
  const double mean = weighted_mean(y, weight);
  for (double& v : y) v -= mean;
  const Samples rows(n, inputs, x, y, Precision::single, weight);
  const Architecture architecture(inputs, {width_of_noise_network});
  const Prior prior(PriorKind::sparse, architecture.parameter_count(), base, bound);
  const double lambda = bayes_lambda(rows.total_weight(), 0.5 * std::sqrt(variance_log_square));
  const auto path = trained_path({rows, architecture, prior, largest_noise_level, lambda},
                                 with_effort(effort_for(n, config), noise_path), stream, stop);
  return {heaviest(path, prior, lambda).theta};
}

}  // namespace

NoiseModel fit_noise(const Config& config, std::size_t chains_of_fit,
                     const std::vector<Fold>& folds, const LambdaTrial& trial, std::size_t threads,
                     const std::function<bool()>& stop) {
  const std::vector<HeldOut>& predicted = trial.predicted;
  Rows rows;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    for (std::size_t i = 0; i < folds[k].held_out->rows(); ++i) {
      rows.residual.push_back(folds[k].held_out->target()[i] - predicted[k].mean[i]);
      rows.variance.push_back(predicted[k].variance[i]);
      rows.level.push_back(0.0);
      rows.weight.push_back(folds[k].held_out->weight(i));
    }
  }
  Law law = best_law(rows);
  std::optional<LevelNetwork> network;
  if (config.noise != NoiseKind::constant && folds.size() > 1 &&
      rows.residual.size() >= fewest_rows_for_varying) {
    // Each fold is judged by a network that has not seen it.
    std::vector<LevelNetwork> crossed(folds.size());
    LevelNetwork whole;
    parallel_for(folds.size() + 1, threads, [&](std::size_t k) {
      std::vector<const Fold*> others;
      std::vector<const HeldOut*> theirs;
      for (std::size_t j = 0; j < folds.size(); ++j) {
        if (j == k) continue;
        others.push_back(&folds[j]);
        theirs.push_back(&predicted[j]);
      }
      RandomStream stream({config.seed, static_cast<std::uint32_t>(k), 0, 2, Purpose::search});
      (k < folds.size() ? crossed[k] : whole) = fit_level(config, others, theirs, stream, stop);
    });
    Rows varying = rows;
    varying.level.clear();
    for (std::size_t k = 0; k < folds.size(); ++k) {
      const std::vector<double> level = crossed[k].at(*folds[k].held_out);
      varying.level.insert(varying.level.end(), level.begin(), level.end());
    }
    Law other = best_law(varying);
    if (config.noise == NoiseKind::varying || !as_good(law.score, other.score, 1.0)) {
      law = std::move(other);
      network = std::move(whole);
    }
  }
  NoiseModel model;
  std::vector<double> squares;
  for (const double level : law.levels)
    squares.push_back(law.scale * law.scale * std::exp(2.0 * level));
  const double square = weighted_mean(squares, rows.weight);  // of the noise level
  const double degrees = law.degrees.value_or(0);
  const double variance = law.degrees ? square * degrees / (degrees - 2.0) : square;
  const double excess =
      2.0 * trial.between *
      (1.0 / static_cast<double>(trial.chains) - 1.0 / static_cast<double>(chains_of_fit));
  const double left = std::max(1.0 - excess / variance, least_share_left);
  model.scale = law.scale * std::sqrt(left);
  model.mean_level = std::sqrt(left * square);
  model.degrees = law.degrees;
  if (network) {
    model.widths = {width_of_noise_network};
    model.index = network->theta.index;
    model.value = network->theta.value;
  }
  return model;
}

}  // namespace lacuna
