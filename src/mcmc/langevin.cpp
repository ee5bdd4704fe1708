#include "mcmc/langevin.hpp"

#include <cmath>

#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

double variance_of(const LangevinKernel& kernel, const GainModel& model, double curvature) {
  return kernel.step_size * kernel.step_size / (model.lambda * curvature + model.kappa);
}

double centre(const GainModel& model, const Point& from, std::size_t k, double variance) {
  return from.theta.value[k] - 0.5 * variance * model.lambda * from.evaluation.gradient[k];
}

}  // namespace

double log_langevin_proposal(const LangevinKernel& kernel, const GainModel& model,
                             const Point& from, const SparseTheta& to) {
  double sum = 0.0;
  for (std::size_t k = 0; k < to.size(); ++k) {
    const double variance = variance_of(kernel, model, from.evaluation.curvature[k]);
    const double gap = to.value[k] - centre(model, from, k, variance);
    sum -= 0.5 * gap * gap / variance;
    if (!has_bug(PlantedBug::langevin_without_normaliser)) sum -= 0.5 * std::log(variance);
  }
  return sum;
}

void propose_langevin(const LangevinKernel& kernel, const GainModel& model, const Point& from,
                      SparseTheta& to, RandomStream& stream) {
  to = from.theta;
  for (std::size_t k = 0; k < to.size(); ++k) {
    const double variance = variance_of(kernel, model, from.evaluation.curvature[k]);
    to.value[k] = centre(model, from, k, variance) + std::sqrt(variance) * stream.normal();
  }
}

}  // namespace lacuna
