// The Gibbs posterior: Pi_lambda(d theta | data) ~ exp(-lambda R_n(theta)) Pi(d theta).
#pragma once

#include "posterior/prior.hpp"
#include "posterior/risk.hpp"

namespace lacuna {

template <Risk R>
struct GibbsPosterior {
  const Prior& prior;
  R& risk;
  double lambda;
};

// A point of the chain with everything known about it. Prior and risk are kept apart, so that a
// change of lambda re-evaluates nothing.
struct Point {
  SparseTheta theta;
  double log_prior = 0.0;
  Evaluation evaluation;

  double log_posterior(double lambda) const { return log_prior - lambda * evaluation.risk; }
};

}  // namespace lacuna
