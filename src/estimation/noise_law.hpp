// The law of an observation around f(x): the one place that knows what noise is.
#pragma once

#include <span>

#include "lacuna/fit.hpp"

namespace lacuna {

// The law of y - f(x) at one x, in scaled units: normal with mean zero. A standard deviation of
// zero puts all mass on zero; an infinite one has no density and quantiles at infinity.
class Noise {
 public:
  explicit Noise(double sd);

  double distribution(double e) const;
  double log_density(double e) const;
  double quantile(double q) const;  // 0 < q < 1

 private:
  double sd_, log_peak_;  // the log density at zero
};

// Noise at every x. Predictive intervals, quantiles and scores all ask here.
class NoiseLaw {
 public:
  explicit NoiseLaw(const FitInfo& info) : sd_(info.noise_sd) {}

  // `x` holds one row of scaled inputs; the noise is the same at all of them.
  Noise at(std::span<const double> x) const;

 private:
  double sd_;
};

}  // namespace lacuna
