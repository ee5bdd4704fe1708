#include "estimation/noise_law.hpp"

#include <cmath>
#include <limits>

#include "network/evaluator.hpp"

namespace lacuna {

double NoiseModel::sd() const {
  // With one or two degrees of freedom the variance does not exist; such laws are not fitted.
  const double v = degrees ? *degrees : 0.0;
  return degrees ? mean_level * std::sqrt(v / (v - 2.0)) : mean_level;
}

Noise::Noise(double scale, const StudentT& shape)
    : scale_(scale), log_scale_(std::log(scale)), shape_(shape) {}

double Noise::distribution(double e) const {
  if (scale_ == 0.0) return e < 0.0 ? 0.0 : 1.0;
  return shape_.distribution(e / scale_);
}

double Noise::log_density(double e) const {
  // Infinite at zero for a scale of zero, minus infinity for an infinite one.
  if (e == 0.0 || std::isinf(scale_)) return shape_.log_density(0.0) - log_scale_;
  if (scale_ == 0.0) return -std::numeric_limits<double>::infinity();
  return shape_.log_density(e / scale_) - log_scale_;
}

double Noise::quantile(double q) const {
  const double t = shape_.quantile(q);
  return t == 0.0 ? 0.0 : scale_ * t;  // zero also where the scale is infinite
}

std::vector<Noise> NoiseLaw::at(const Samples& rows) const {
  std::vector<double> level(rows.rows(), 0.0);
  if (model_.varies()) {
    Evaluator evaluator(Architecture(rows.inputs(), model_.widths), largest_noise_level);
    evaluator.predict({model_.index, model_.value}, rows, level);
  }
  std::vector<Noise> noise;
  for (const double g : level) noise.emplace_back(model_.scale * std::exp(g), shape_);
  return noise;
}

}  // namespace lacuna
