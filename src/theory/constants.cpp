#include "theory/constants.hpp"

#include <algorithm>
#include <limits>

#include "lacuna/errors.hpp"
#include "posterior/lambda.hpp"

namespace lacuna {

std::uint64_t parameters_of(std::uint64_t inputs, std::uint64_t depth, std::uint64_t width) {
  const long double p = static_cast<long double>(inputs), r = static_cast<long double>(width);
  const long double total = (p + 1) * r + static_cast<long double>(depth - 1) * (r + 1) * r + r + 1;
  if (total >= 0x1p63L) {
    throw Error(ErrorKind::usage,
                "the network has more than 2^63 parameters; use fewer or narrower layers");
  }
  return (inputs + 1) * width + (depth - 1) * (width + 1) * width + width + 1;
}

double bernstein_w(const BernsteinAssumption& a) {
  return 16.0 * a.clip * std::max(a.tail, 2.0 * a.clip);
}

double bernstein_factor(const BernsteinAssumption& a, double n, double lambda) {
  const double share = lambda / n, room = 1.0 - bernstein_w(a) * share;
  if (!(room > 0.0)) return std::numeric_limits<double>::infinity();
  return share * 8.0 * (a.clip * a.clip + a.sigma * a.sigma) / room;
}

// (lambda / n) (8 (C^2 + sigma^2) + w) = 1, and Xi_0 = 16 (C^2 + sigma^2) + w.
double largest_lambda(const BernsteinAssumption& a, double n) {
  return 2.0 * n / (theory_constant(a.clip, a.sigma, a.tail) + bernstein_w(a));
}

}  // namespace lacuna
