#include "support/distribution_table.hpp"

namespace lacuna {

DistributionTable::DistributionTable(const StudentT& law) : law_(law) {
  const auto value = [&](double knot) { return law.distribution(knot / knots_per_unit); };
  const auto slope = [&](double knot) {
    return std::exp(law.log_density(knot / knots_per_unit)) / knots_per_unit;
  };
  double left = value(0.0), left_slope = slope(0.0);
  for (double knot = 1.0; knot <= last_knot; ++knot) {
    const double right = value(knot), right_slope = slope(knot), rise = right - left;
    pieces_.push_back({left, left_slope, 3.0 * rise - 2.0 * left_slope - right_slope,
                       left_slope + right_slope - 2.0 * rise});
    left = right, left_slope = right_slope;
  }
}

DistributionTable::Value DistributionTable::beyond(double t) const {
  if (law_.is_normal() && !std::isnan(t)) return {t > 0.0 ? 1.0 : 0.0, 0.0};
  return {law_.distribution(t), std::exp(law_.log_density(t))};
}

}  // namespace lacuna
