#include "mcmc/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "support/planted_bug.hpp"

namespace lacuna {

double CurvatureTable::at(std::uint64_t i) const {
  const auto found = std::lower_bound(index.begin(), index.end(), i);
  if (found != index.end() && *found == i)
    return curvature[static_cast<std::size_t>(found - index.begin())];
  const auto layer =
      std::upper_bound(layer_begin.begin(), layer_begin.end(), i) - layer_begin.begin() - 1;
  return layer_curvature[static_cast<std::size_t>(layer)];
}

void trajectory_scales(const TrajectoryKernel& kernel, const Prior& prior, double lambda,
                       const SparseTheta& theta, std::vector<double>& scale) {
  const double floor = 3.0 / (prior.bound() * prior.bound());
  scale.resize(theta.size());
  for (std::size_t k = 0; k < scale.size(); ++k) {
    const double h = kernel.table ? kernel.table->at(theta.index[k]) : 0.0;
    scale[k] = 1.0 / std::sqrt(lambda * h + floor);
  }
}

void drift(SparseTheta& theta, std::vector<double>& momentum, const std::vector<double>& scale,
           double length, double bound) {
  for (std::size_t k = 0; k < theta.size(); ++k) {
    double& value = theta.value[k];
    value += length * scale[k] * momentum[k];
    if (!std::isfinite(value))
      continue;  // outside the box: the proposal has no mass and is rejected
    // Fold into a period of 4B: a value beyond a wall comes back with its momentum turned.
    if (std::abs(value) <= bound) continue;
    double folded = std::fmod(value + bound, 4.0 * bound);
    if (folded < 0.0) folded += 4.0 * bound;
    if (folded > 2.0 * bound) {
      folded = 4.0 * bound - folded;
      if (!has_bug(PlantedBug::momentum_not_turned)) momentum[k] = -momentum[k];
    }
    value = std::clamp(folded - bound, -bound, bound);
  }
}

}  // namespace lacuna
