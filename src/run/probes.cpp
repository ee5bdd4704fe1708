#include "run/probes.hpp"

#include <algorithm>
#include <numeric>

namespace lacuna {
namespace {

constexpr std::size_t most_probes = 8;

}  // namespace

ProbePoints probe_points(const Dataset& scaled_data) {
  const std::size_t rows = scaled_data.rows, count = std::min(rows, most_probes);
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scaled_data.y[i]; });
  ProbePoints probes;
  for (std::size_t k = 0; k < count; ++k)
    probes.rows.push_back(order[(2 * k + 1) * rows / (2 * count)]);
  for (std::size_t j = 0; j < scaled_data.inputs; ++j) {
    for (const std::size_t i : probes.rows) probes.x.push_back(scaled_data.x[j * rows + i]);
  }
  return probes;
}

}  // namespace lacuna
