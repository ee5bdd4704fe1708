#include "warmup/adam.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lacuna {

void train(SparseTheta& theta, Evaluator& evaluator, const Samples& samples, const Training& how,
           const std::function<bool()>& stop) {
  constexpr double keep_mean = 0.9, keep_square = 0.999, tiny = 1e-8;
  const std::size_t batch = std::min(how.batch, samples.rows());
  std::vector<double> mean(theta.size()), square(theta.size());
  Evaluation evaluation;
  std::size_t begin = 0;
  for (std::size_t t = 1; t <= how.steps; ++t) {
    if (t % 64 == 0 && stop && stop()) return;
    if (begin + batch > samples.rows()) begin = 0;
    evaluator.evaluate(theta, samples, {begin, begin + batch}, {.gradient = true}, evaluation);
    begin += batch;
    const double progress = static_cast<double>(t) / static_cast<double>(how.steps);
    const double rate = how.rate * 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    const double correct_mean = 1.0 - std::pow(keep_mean, static_cast<double>(t));
    const double correct_square = 1.0 - std::pow(keep_square, static_cast<double>(t));
    for (std::size_t k = 0; k < theta.size(); ++k) {
      const double g = evaluation.gradient[k];
      mean[k] = keep_mean * mean[k] + (1.0 - keep_mean) * g;
      square[k] = keep_square * square[k] + (1.0 - keep_square) * g * g;
      const double direction =
          mean[k] / correct_mean / (std::sqrt(square[k] / correct_square) + tiny);
      const double moved = theta.value[k] - rate * (direction + how.decay * theta.value[k]);
      theta.value[k] = std::clamp(moved, -how.bound, how.bound);
    }
  }
}

}  // namespace lacuna
