// A random small posterior with a random point, for tests of moves.
#pragma once

#include <bit>
#include <memory>

#include "mcmc/single_weight.hpp"
#include "unit/network/random_case.hpp"

namespace lacuna::testing {

struct RandomTarget {
  Architecture shape;
  double clip;
  EmpiricalRisk risk;
  Prior prior;
  double lambda;
  Point point;  // with death_request

  explicit RandomTarget(RandomStream& stream)
      : shape(random_architecture(stream)),
        clip(stream.uniform(0.5, 4.0)),
        risk(std::make_shared<const Samples>(
                 random_rows(1 + stream.below(25), shape.inputs(), stream).samples()),
             shape, clip),
        prior(PriorKind::sparse, shape.parameter_count(), 2.0, 2.0),
        lambda(stream.uniform() < 0.2 ? 0.0 : stream.uniform(0.0, 40.0)) {
    point.theta = random_theta(shape, 0.8 * stream.uniform(), stream);
    arrive(target(), point, death_request);
  }
  GibbsPosterior<EmpiricalRisk> target() { return {prior, risk, lambda}; }
  EmpiricalRisk fresh_risk() const {
    return {std::make_shared<const Samples>(risk.samples()), shape, clip};
  }
};

inline bool same_bits(double a, double b) { return bits_of(a) == bits_of(b); }

// Everything that a point remembers, against an evaluation by a risk without a history.
inline bool up_to_date(RandomTarget& random, const Point& point) {
  EmpiricalRisk risk = random.fresh_risk();
  Evaluation at;
  risk.evaluate(point.theta, point.evaluation.have, at);
  if (!same_bits(point.log_prior, random.prior.log_density(point.theta)) ||
      !same_bits(at.risk, point.evaluation.risk) ||
      bits_of(at.gradient) != bits_of(point.evaluation.gradient) ||
      bits_of(at.curvature) != bits_of(point.evaluation.curvature) ||
      at.inactive.size() != point.evaluation.inactive.size()) {
    return false;
  }
  for (std::size_t k = 0; k < at.inactive.size(); ++k) {
    const InactiveDerivative &a = at.inactive[k], &b = point.evaluation.inactive[k];
    if (a.index != b.index || !same_bits(a.gradient, b.gradient) ||
        !same_bits(a.curvature, b.curvature))
      return false;
  }
  return true;
}

}  // namespace lacuna::testing
