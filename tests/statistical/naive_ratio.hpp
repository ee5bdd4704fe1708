// The paper's acceptance ratio in long double, term by term, on dense vectors.
#pragma once

#include <vector>

#include "statistical/naive_network.hpp"

namespace lacuna::statistical {

using Real = long double;

struct NaiveTarget {
  NaiveNetwork network;
  NaiveData<Real> data;
  bool sparse = true;
  Real clip = 1, base = 2, bound = 1, lambda = 0;
  Real gamma = 0, s = 1;
};

// A point, its active set being {i : theta_i != 0}, with risk and gradient worked out.
struct NaivePoint {
  std::vector<Real> theta, gradient;
  Real risk = 0;
};
NaivePoint naive_point(const NaiveTarget& target, std::vector<Real> theta);

struct NaiveRatio {
  Real value = 0;      // log of exp(-lambda (R(tau) - R(theta))) pi(tau) q(theta|tau) / (pi q)
  Real magnitude = 0;  // sum of the absolute values of its terms, the scale of rounding errors
  // Two gradients so close, though not equal, that rounding may decide which ranks higher.
  bool rank_in_doubt = false;
};
NaiveRatio naive_log_ratio(const NaiveTarget& target, const NaivePoint& theta,
                           const NaivePoint& tau);

// log pi with every term; minus infinity outside the box.
Real naive_log_prior(const NaiveTarget& target, const std::vector<Real>& theta);

}  // namespace lacuna::statistical
