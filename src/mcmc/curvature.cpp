#include "mcmc/curvature.hpp"

#include <algorithm>

namespace lacuna {

double CurvatureTable::at(std::uint64_t i) const {
  const auto found = std::lower_bound(index.begin(), index.end(), i);
  if (found != index.end() && *found == i)
    return ratio[static_cast<std::size_t>(found - index.begin())];
  const auto layer =
      std::upper_bound(layer_begin.begin(), layer_begin.end(), i) - layer_begin.begin() - 1;
  return layer_ratio[static_cast<std::size_t>(layer)];
}

void PathCurvature::fit_to(const Architecture& architecture) {
  up_.resize(architecture.layers());
  down_.resize(architecture.layers());
  for (std::size_t l = 1; l < architecture.layers(); ++l) {
    up_[l].resize(architecture.size(l));
    down_[l].resize(architecture.size(l));
  }
}

const std::vector<double>& PathCurvature::at(const Architecture& architecture,
                                             const SparseTheta& theta) {
  fit_to(architecture);
  const std::size_t last = architecture.layers();
  const auto up = [&](const Place& at) {
    return at.shift || at.layer == 1 ? 1.0 : up_[at.layer - 1][at.source];
  };
  const auto square = [&](std::size_t k) { return theta.value[k] * theta.value[k]; };
  places_.clear();
  expected_.resize(theta.size());
  // Indices run through the layers upwards.
  for (std::size_t k = 0; k < theta.size(); ++k) {
    const Place at = architecture.place(theta.index[k]);
    places_.push_back(at);
    if (at.layer < last) up_[at.layer][at.destination] += square(k) * up(at);
  }
  for (std::size_t k = theta.size(); k-- > 0;) {
    const Place& at = places_[k];
    const double down = at.layer == last ? 1.0 : down_[at.layer][at.destination];
    expected_[k] = 2.0 * up(at) * down;
    if (at.layer > 1 && !at.shift) down_[at.layer - 1][at.source] += square(k) * down;
  }
  for (const Place& at : places_) {
    if (at.layer < last) up_[at.layer][at.destination] = 0.0;
    if (at.layer > 1 && !at.shift) down_[at.layer - 1][at.source] = 0.0;
  }
  return expected_;
}

}  // namespace lacuna
