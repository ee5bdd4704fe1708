#include "mcmc/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "support/planted_bug.hpp"

namespace lacuna {

LayerBlock choose_layer(const Architecture& architecture, const SparseTheta& theta,
                        RandomStream& stream) {
  const auto block = [&](std::size_t l) {
    const std::uint64_t past = l < architecture.layers() ? architecture.first_index(l + 1)
                                                         : architecture.parameter_count();
    return LayerBlock{l, theta.position(architecture.first_index(l)), theta.position(past)};
  };
  std::uint64_t filled = 0;
  for (std::size_t l = 1; l <= architecture.layers(); ++l) filled += block(l).begin < block(l).end;
  std::uint64_t left = stream.below(std::max<std::uint64_t>(filled, 1));
  for (std::size_t l = 1; l <= architecture.layers(); ++l) {
    if (block(l).begin < block(l).end && left-- == 0) return block(l);
  }
  return {};
}

void trajectory_scales(const TrajectoryKernel& kernel, const LiveNetwork& network,
                       const Prior& prior, double lambda, const SparseTheta& theta,
                       LayerBlock block, TrajectoryScratch& scratch) {
  const double floor = 3.0 / (prior.bound() * prior.bound());
  const std::vector<double>& expected = scratch.path_curvature.at(network, theta);
  scratch.scale.resize(block.end - block.begin);
  for (std::size_t k = block.begin; k < block.end; ++k) {
    double h = kernel.table ? kernel.table->at(theta.index[k]) * expected[k] : 0.0;
    if (has_bug(PlantedBug::scales_of_moving_layer)) h *= 1.0 + theta.value[k] * theta.value[k];
    scratch.scale[k - block.begin] = 1.0 / std::sqrt(lambda * h + floor);
  }
}

void drift(std::span<double> values, std::vector<double>& momentum,
           const std::vector<double>& scale, double length, double bound) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    double& value = values[k];
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
