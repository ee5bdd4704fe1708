#include "estimation/intervals.hpp"

#include <cstddef>

namespace lacuna {

double sorted_quantile(std::span<const double> sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double share = at - static_cast<double>(below);
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

}  // namespace lacuna
