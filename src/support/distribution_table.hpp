// A distribution function and its density from a table, many times faster than from their formulas.
#pragma once

#include <cmath>
#include <vector>

#include "support/student_t.hpp"

namespace lacuna {

// Cubic between knots, with the right value and slope at each: off by less than 1e-9. Beyond the
// last knot the formulas are asked, unless the law is normal and nothing is left there.
class DistributionTable {
 public:
  explicit DistributionTable(const StudentT& law);

  struct Value {
    double distribution, density;
  };
  Value at(double t) const {
    const double place = std::abs(t) * knots_per_unit;
    if (!(place < last_knot)) return beyond(t);
    const auto k = static_cast<std::size_t>(place);
    const Piece& piece = pieces_[k];
    const double x = place - static_cast<double>(k);
    const double above = piece.c0 + x * (piece.c1 + x * (piece.c2 + x * piece.c3));
    const double slope = piece.c1 + x * (2.0 * piece.c2 + x * 3.0 * piece.c3);
    return {t < 0.0 ? 1.0 - above : above, slope * knots_per_unit};
  }

 private:
  Value beyond(double t) const;

  static constexpr double knots_per_unit = 64.0, last_knot = 512.0;
  struct Piece {
    double c0, c1, c2, c3;  // of the distribution function above zero
  };
  StudentT law_;
  std::vector<Piece> pieces_;
};

}  // namespace lacuna
