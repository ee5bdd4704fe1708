#include "warmup/curvature_learner.hpp"

#include <algorithm>

namespace lacuna {
namespace {

// A long memory: what is frozen at the end must be typical of all that follows, not of the last
// steps.
constexpr double slowest_rate = 0.001;
// A layer that was never seen with a live weight is treated as stiff as a unit-scale output layer.
constexpr double unseen_curvature = 2.0;

}  // namespace

CurvatureLearner::CurvatureLearner(const Architecture& architecture)
    : layer_(architecture.layers()) {
  for (std::size_t l = 1; l <= architecture.layers(); ++l)
    layer_begin_.push_back(architecture.first_index(l));
}

void CurvatureLearner::Mean::add(double x) {
  count += 1.0;
  value += std::max(1.0 / count, slowest_rate) * (x - value);
}

void CurvatureLearner::learn(const Point& point) {
  if (!point.evaluation.have.curvature) return;
  for (std::size_t k = 0; k < point.theta.size(); ++k) {
    const double h = point.evaluation.curvature[k];
    if (!(h > 0.0)) continue;  // a dead weight says nothing about itself when live
    const std::uint64_t index = point.theta.index[k];
    coordinate_[index].add(h);
    const auto layer = std::upper_bound(layer_begin_.begin(), layer_begin_.end(), index) -
                       layer_begin_.begin() - 1;
    layer_[static_cast<std::size_t>(layer)].add(h);
  }
}

std::shared_ptr<const CurvatureTable> CurvatureLearner::table() const {
  auto table = std::make_shared<CurvatureTable>();
  for (const auto& [index, mean] : coordinate_) table->index.push_back(index);
  std::sort(table->index.begin(), table->index.end());
  for (const std::uint64_t index : table->index)
    table->curvature.push_back(coordinate_.at(index).value);
  table->layer_begin = layer_begin_;
  for (const Mean& mean : layer_) {
    table->layer_curvature.push_back(mean.count > 0.0 ? mean.value : unseen_curvature);
  }
  return table;
}

}  // namespace lacuna
