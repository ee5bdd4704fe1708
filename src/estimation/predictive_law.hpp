// The predictive law of an observation: every draw's f(x) with noise around it, in equal parts.
#pragma once

#include <span>

#include "estimation/noise_law.hpp"

namespace lacuna {

// The equal mixture over draws of the law of f_k + noise at one x, in scaled units.
class PredictiveLaw {
 public:
  // `sorted` holds f of every draw in increasing order and must outlive this.
  PredictiveLaw(std::span<const double> sorted, const Noise& noise)
      : centres_(sorted), noise_(noise) {}

  double distribution(double y) const;
  double log_density(double y) const;
  // By Newton's method inside a bracket that is halved where Newton fails, to 1e-10 of the bracket,
  // which is no wider than the draws of f lie apart.
  double quantile(double q) const;
  // Continuous ranked probability score, int (F(z) - 1{y <= z})^2 dz, integrated from the
  // distribution function, so that any noise will do, to 1e-5 of the spread of the law. More than
  // 200 draws are represented by 200 of their quantiles at equal steps of probability. Lower is
  // better; for a sure forecast it is the absolute error.
  double crps(double y) const;

 private:
  std::span<const double> centres_;
  Noise noise_;
};

}  // namespace lacuna
