#include "mcmc/curvature.hpp"

#include <algorithm>
#include <span>

namespace lacuna {

double CurvatureTable::at(std::uint64_t i) const {
  const auto found = std::lower_bound(index.begin(), index.end(), i);
  if (found != index.end() && *found == i)
    return ratio[static_cast<std::size_t>(found - index.begin())];
  const auto layer =
      std::upper_bound(layer_begin.begin(), layer_begin.end(), i) - layer_begin.begin() - 1;
  return layer_ratio[static_cast<std::size_t>(layer)];
}

const std::vector<double>& PathCurvature::at(const LiveNetwork& network, const SparseTheta& theta) {
  const std::size_t last = network.layers();
  up_.resize(last);
  down_.resize(last + 1);
  const auto square = [&](std::uint32_t slot) { return theta.value[slot] * theta.value[slot]; };
  const auto up = [&](std::size_t l, const Link& edge) {
    return l == 1 ? 1.0 : up_[l - 1][edge.neighbour];
  };
  const auto edges = [&](std::size_t l, const LiveUnit& unit) {
    return std::span<const Link>(network.layer(l).edges.data() + unit.first_edge,
                                 unit.last_edge - unit.first_edge);
  };
  for (std::size_t l = 1; l < last; ++l) {
    const std::vector<LiveUnit>& units = network.layer(l).units;
    up_[l].resize(units.size());
    down_[l].assign(units.size(), 0.0);
    for (std::size_t u = 0; u < units.size(); ++u) {
      double sum = units[u].shift_slot == no_slot ? 0.0 : square(units[u].shift_slot);
      for (const Link& edge : edges(l, units[u])) sum += square(edge.slot) * up(l, edge);
      up_[l][u] = sum;
    }
  }
  expected_.assign(theta.size(), 0.0);
  down_[last].assign(1, 1.0);
  for (std::size_t l = last; l >= 1; --l) {
    const std::vector<LiveUnit>& units = network.layer(l).units;
    for (std::size_t u = 0; u < units.size(); ++u) {
      const double down = down_[l][u];
      if (units[u].shift_slot != no_slot) expected_[units[u].shift_slot] = 2.0 * down;
      for (const Link& edge : edges(l, units[u])) {
        expected_[edge.slot] = 2.0 * up(l, edge) * down;
        if (l > 1) down_[l - 1][edge.neighbour] += square(edge.slot) * down;
      }
    }
  }
  return expected_;
}

}  // namespace lacuna
