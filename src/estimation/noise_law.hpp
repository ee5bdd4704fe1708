// The law of an observation around f(x): the one place that knows what noise is.
#pragma once

#include <vector>

#include "lacuna/fit.hpp"
#include "network/samples.hpp"
#include "support/student_t.hpp"

namespace lacuna {

// The law of y - f(x) at one x, in scaled units: symmetric around zero. A scale of zero puts all
// mass on zero; an infinite one has no density and quantiles at infinity.
class Noise {
 public:
  explicit Noise(double scale, const StudentT& shape = StudentT({}));

  double distribution(double e) const;
  double log_density(double e) const;
  double quantile(double q) const;  // 0 < q < 1
  double scale() const { return scale_; }
  const StudentT& shape() const { return shape_; }

 private:
  double scale_, log_scale_;
  StudentT shape_;
};

// Noise at every x. Predictive intervals, quantiles and scores all ask here.
class NoiseLaw {
 public:
  explicit NoiseLaw(const FitInfo& info) : model_(info.noise), shape_(info.noise.degrees) {}

  // The noise at each of these rows of scaled inputs.
  std::vector<Noise> at(const Samples& rows) const;
  const StudentT& shape() const { return shape_; }  // that of all of them

 private:
  const NoiseModel& model_;
  StudentT shape_;
};

}  // namespace lacuna
