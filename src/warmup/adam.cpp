#include "warmup/adam.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "network/vector_rows.hpp"

namespace lacuna {
namespace {

// A network that is left in the middle of its training is poor, because large steps keep it far
// from an optimum: these few steps, ever smaller, bring it near one.
constexpr std::size_t steps_to_settle = 300;
constexpr float keep_mean = 0.9F, keep_square = 0.999F, tiny = 1e-8F;

struct Moments {
  std::vector<float> gradient, mean, square;
};

// One update of all weights. `rate` holds the correction of the mean's start from zero,
// `correct_square` that of the squares.
LACUNA_INLINE void update_all(double* value, const float* gradient, float* mean, float* square,
                              std::size_t size, float rate, float correct_square, double shrink,
                              double bound) {
  for (std::size_t k = 0; k < size; ++k) {
    const float g = gradient[k];
    mean[k] = keep_mean * mean[k] + (1.0F - keep_mean) * g;
    square[k] = keep_square * square[k] + (1.0F - keep_square) * g * g;
    const float direction = mean[k] / (std::sqrt(square[k] * correct_square) + tiny);
    const double moved = value[k] * shrink - static_cast<double>(rate * direction);
    const double low = moved < -bound ? -bound : moved;
    value[k] = low > bound ? bound : low;
  }
}

LACUNA_KERNEL(void, update,
              (double* value, const float* gradient, float* mean, float* square, std::size_t size,
               float rate, float correct_square, double shrink, double bound),
              (value, gradient, mean, square, size, rate, correct_square, shrink, bound),
              update_all(value, gradient, mean, square, size, rate, correct_square, shrink, bound))

}  // namespace

void train(SparseTheta& theta, Evaluator& evaluator, const Samples& samples, const Training& how,
           const std::function<bool()>& stop) {
  if (stop && stop()) return;
  const std::size_t batch = std::min(how.batch, samples.rows());
  Moments m{std::vector<float>(theta.size()), std::vector<float>(theta.size()),
            std::vector<float>(theta.size())};
  Evaluation evaluation;
  std::size_t begin = 0;
  double mean_left = 1.0, square_left = 1.0;  // 0.9^t, 0.999^t
  std::size_t last = how.steps;
  double rate_at_stop = 0.0;  // once `stop` has said yes
  double rate = how.rate;
  for (std::size_t t = 1; t <= last; ++t) {
    if (t % 64 == 0 && rate_at_stop == 0.0 && stop && stop()) {
      rate_at_stop = rate;
      last = std::min(last, t + steps_to_settle);
    }
    if (begin + batch > samples.rows()) begin = 0;
    evaluator.evaluate(theta, samples, {begin, begin + batch}, {.gradient = true}, evaluation);
    begin += batch;
    std::ranges::transform(evaluation.gradient, m.gradient.begin(),
                           [](double g) { return static_cast<float>(g); });
    const double progress = static_cast<double>(t) / static_cast<double>(how.steps);
    rate = rate_at_stop > 0.0
               ? rate_at_stop * static_cast<double>(last - t) / static_cast<double>(steps_to_settle)
               : how.rate * 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    mean_left *= static_cast<double>(keep_mean);
    square_left *= static_cast<double>(keep_square);
    update(theta.value.data(), m.gradient.data(), m.mean.data(), m.square.data(), theta.size(),
           static_cast<float>(rate / (1.0 - mean_left)),
           static_cast<float>(1.0 / (1.0 - square_left)), 1.0 - rate * how.decay, how.bound);
  }
}

}  // namespace lacuna
