#include "estimation/noise_law.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "diagnostics/normal_scores.hpp"

namespace lacuna {

// Infinite at a standard deviation of zero, minus infinity at an infinite one.
Noise::Noise(double sd)
    : sd_(sd), log_peak_(-std::log(sd) - 0.5 * std::log(2.0 * std::numbers::pi)) {}

double Noise::distribution(double e) const {
  if (sd_ == 0.0) return e < 0.0 ? 0.0 : 1.0;
  return 0.5 * std::erfc(-e / (sd_ * std::numbers::sqrt2));
}

double Noise::log_density(double e) const {
  if (e == 0.0 || std::isinf(sd_)) return log_peak_;
  if (sd_ == 0.0) return -std::numeric_limits<double>::infinity();
  const double z = e / sd_;
  return log_peak_ - 0.5 * z * z;
}

double Noise::quantile(double q) const {
  const double z = diagnostics::normal_quantile(q);
  return z == 0.0 ? 0.0 : sd_ * z;  // zero also where the standard deviation is infinite
}

Noise NoiseLaw::at(std::span<const double>) const { return Noise(sd_); }

}  // namespace lacuna
