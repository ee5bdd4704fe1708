#include "warmup/start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "warmup/adam.hpp"

namespace lacuna {
namespace {

constexpr std::size_t widest_start = 64;
constexpr double pruned_share = 0.25;
constexpr std::size_t most_scored_rows = 4096;

Samples shuffled(const Samples& samples, RandomStream& stream) {
  const std::size_t n = samples.rows();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  return samples.subset(order, samples.precision());
}

// Normal weights with variance 2 / fan-in, shifts that spread the kinks, output shift at the mean
// target.
SparseTheta random_network(const StartProblem& problem, RandomStream& stream) {
  const Architecture& shape = problem.architecture;
  const bool dense = problem.prior.kind() == PriorKind::dense;
  const auto used = [&](std::size_t layer) {
    return layer == 0 || dense ? shape.size(layer) : std::min(shape.size(layer), widest_start);
  };
  const double limit = 0.9 * problem.prior.bound();
  SparseTheta theta;
  for (std::size_t l = 1; l <= shape.layers(); ++l) {
    const double sd =
        std::sqrt((l < shape.layers() ? 2.0 : 1.0) / static_cast<double>(used(l - 1)));
    for (std::size_t d = 0; d < used(l); ++d) {
      for (std::size_t s = 0; s < used(l - 1); ++s) {
        theta.index.push_back(shape.weight_index(l, d, s));
        theta.value.push_back(std::clamp(sd * stream.normal(), -limit, limit));
      }
    }
    for (std::size_t d = 0; d < used(l); ++d) {
      theta.index.push_back(shape.shift_index(l, d));
      theta.value.push_back(l < shape.layers() ? stream.uniform(-0.5, 0.5) : 0.0);
    }
  }
  const Samples& rows = problem.samples;
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.rows(); ++i) sum += rows.weight(i) * rows.target()[i];
  theta.value.back() = std::clamp(sum / rows.total_weight(), -limit, limit);
  return theta;
}

// Removes the weights that the posterior misses least: by lambda h theta^2 / 2, the expected loss
// of fit, less the log volume that a kept weight costs, log(2B) + log(lambda h / 2 pi) / 2.
void prune(const StartProblem& problem, SparseTheta& theta, const Evaluation& at) {
  const std::size_t size = theta.size();
  std::vector<std::pair<double, std::size_t>> worth(size);
  for (std::size_t k = 0; k < size; ++k) {
    const double stiffness = problem.lambda * at.curvature[k] + 1e-3;
    worth[k] = {0.5 * stiffness * theta.value[k] * theta.value[k] - 0.5 * std::log(stiffness), k};
  }
  const std::size_t removed = std::min(
      size - 1,
      std::max<std::size_t>(1, static_cast<std::size_t>(pruned_share * static_cast<double>(size))));
  std::nth_element(worth.begin(), worth.begin() + static_cast<std::ptrdiff_t>(removed),
                   worth.end());
  std::vector<bool> gone(size, false);
  for (std::size_t k = 0; k < removed; ++k) gone[worth[k].second] = true;
  SparseTheta kept;
  for (std::size_t k = 0; k < size; ++k) {
    if (gone[k]) continue;
    kept.index.push_back(theta.index[k]);
    kept.value.push_back(theta.value[k]);
  }
  theta = std::move(kept);
}

}  // namespace

double approximate_log_mass(const Prior& prior, double lambda, const SparseTheta& theta,
                            double risk, const std::vector<double>& curvature) {
  const double log_box = std::log(2.0 * prior.bound());
  double score = prior.log_density(theta) - lambda * risk;
  for (const double h : curvature) {
    score += std::min(log_box, 0.5 * std::log(2.0 * std::numbers::pi / (lambda * h + 1e-3)));
  }
  return score;
}

std::vector<PathStage> trained_path(const StartProblem& problem, PathLength length,
                                    RandomStream& stream, const std::function<bool()>& stop) {
  const Samples rows = shuffled(problem.samples, stream);
  Evaluator evaluator(problem.architecture, problem.clip);
  const bool dense = problem.prior.kind() == PriorKind::dense;
  Training training, retraining;
  training.bound = retraining.bound = 0.99 * problem.prior.bound();
  training.steps = length.first_steps;
  retraining.steps = length.steps_between;

  // A few thousand rows tell risk and curvature well enough to compare networks.
  const RowRange scored{0, std::min(rows.rows(), most_scored_rows)};
  std::vector<PathStage> path;
  SparseTheta theta = random_network(problem, stream);
  train(theta, evaluator, rows, training, stop);
  // The path runs down to a single weight, so that an almost empty network can win where the data
  // say nothing.
  Evaluation at;
  while (true) {
    evaluator.evaluate(theta, rows, scored, {.gradient = true, .curvature = true}, at);
    path.push_back({theta, at.risk, at.curvature});
    if (dense || theta.size() == 1) return path;  // `stop` only ends the training in between
    prune(problem, theta, at);
    train(theta, evaluator, rows, retraining, stop);
  }
}

const PathStage& heaviest(const std::vector<PathStage>& path, const Prior& prior, double lambda) {
  const PathStage* best = &path.front();
  double best_mass = -std::numeric_limits<double>::infinity();
  for (const PathStage& stage : path) {
    const double mass =
        approximate_log_mass(prior, lambda, stage.theta, stage.risk, stage.curvature);
    if (!(mass > best_mass)) continue;
    best = &stage;
    best_mass = mass;
  }
  return *best;
}

}  // namespace lacuna
