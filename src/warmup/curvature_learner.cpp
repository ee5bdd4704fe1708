#include "warmup/curvature_learner.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

// A long memory: what is frozen at the end must be typical of all that follows, not of the last
// steps.
constexpr double slowest_rate = 0.001;
// Where a layer was never seen with a live weight: as if all its units were on in all rows.
constexpr double unseen_ratio = 1.0;

}  // namespace

CurvatureLearner::CurvatureLearner(const Architecture& architecture)
    : network_(architecture), layer_(architecture.layers()) {
  for (std::size_t l = 1; l <= architecture.layers(); ++l)
    layer_begin_.push_back(architecture.first_index(l));
}

void CurvatureLearner::Mean::add(double x) {
  count += 1.0;
  value += std::max(1.0 / count, slowest_rate) * (x - value);
}

void CurvatureLearner::learn(const Point& point) {
  if (!point.evaluation.have.curvature) return;
  network_.build(point.theta.index);
  const std::vector<double>& expected = path_curvature_.at(network_, point.theta);
  for (std::size_t k = 0; k < point.theta.size(); ++k) {
    const double ratio = point.evaluation.curvature[k] / expected[k];
    // A dead weight says nothing about itself when live.
    if (!(ratio > 0.0) || !std::isfinite(ratio)) continue;
    const std::uint64_t index = point.theta.index[k];
    coordinate_[index].add(ratio);
    const auto layer = std::upper_bound(layer_begin_.begin(), layer_begin_.end(), index) -
                       layer_begin_.begin() - 1;
    layer_[static_cast<std::size_t>(layer)].add(ratio);
  }
}

std::shared_ptr<const CurvatureTable> CurvatureLearner::table() const {
  auto table = std::make_shared<CurvatureTable>();
  Memory seen = memory();
  table->index = std::move(seen.index);
  table->ratio = std::move(seen.mean);
  table->layer_begin = layer_begin_;
  for (const Mean& mean : layer_) {
    table->layer_ratio.push_back(mean.count > 0.0 ? mean.value : unseen_ratio);
  }
  return table;
}

CurvatureLearner::Memory CurvatureLearner::memory() const {
  Memory memory;
  for (const auto& [index, mean] : coordinate_) memory.index.push_back(index);
  std::sort(memory.index.begin(), memory.index.end());
  for (const std::uint64_t index : memory.index) {
    memory.mean.push_back(coordinate_.at(index).value);
    memory.count.push_back(coordinate_.at(index).count);
  }
  for (const Mean& mean : layer_) {
    memory.layer_mean.push_back(mean.value);
    memory.layer_count.push_back(mean.count);
  }
  return memory;
}

void CurvatureLearner::restore(const Memory& memory) {
  coordinate_.clear();
  for (std::size_t k = 0; k < memory.index.size(); ++k)
    coordinate_[memory.index[k]] = {memory.mean[k], memory.count[k]};
  for (std::size_t l = 0; l < layer_.size(); ++l)
    layer_[l] = {memory.layer_mean[l], memory.layer_count[l]};
}

}  // namespace lacuna
