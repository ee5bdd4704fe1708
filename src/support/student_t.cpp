#include "support/student_t.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace lacuna {

StudentT::StudentT(std::optional<unsigned> degrees) : degrees_(degrees) {
  if (!degrees) {
    log_peak_ = -0.5 * std::log(2.0 * std::numbers::pi);
  } else {
    const double v = *degrees;
    log_peak_ =
        std::lgamma(0.5 * (v + 1.0)) - std::lgamma(0.5 * v) - 0.5 * std::log(v * std::numbers::pi);
  }
}

double StudentT::log_density(double t) const {
  if (!degrees_) return log_peak_ - 0.5 * t * t;
  const double v = *degrees_;
  return log_peak_ - 0.5 * (v + 1.0) * std::log1p(t * t / v);
}

// Finite sums for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4), in the tail
// computed from the small side so that nothing cancels.
double StudentT::distribution(double t) const {
  if (!degrees_) return 0.5 * std::erfc(-t / std::numbers::sqrt2);
  if (t > 0.0) return 1.0 - distribution(-t);
  const unsigned v = *degrees_;
  const double root = std::sqrt(static_cast<double>(v));
  if (-t > 1e3 * root) {  // density ~ peak (t^2 / v)^(-(v+1)/2): the sums below would cancel
    return std::exp(log_peak_ + 0.5 * (v + 1.0) * std::log(static_cast<double>(v)) -
                    v * std::log(-t)) /
           v;
  }
  const double angle = std::atan2(-t, root);
  const double sine = std::sin(angle), cosine = std::cos(angle), square = cosine * cosine;
  double term = 1.0, sum = 1.0;
  if (v % 2 == 0) {
    for (unsigned k = 2; k < v; k += 2) sum += term *= square * (k - 1.0) / k;
    return 0.5 * (1.0 - sine * sum);
  }
  if (v == 1) return 0.5 - angle / std::numbers::pi;
  for (unsigned k = 3; k < v; k += 2) sum += term *= square * (k - 1.0) / k;
  return 0.5 - (angle + sine * cosine * sum) / std::numbers::pi;
}

double StudentT::quantile(double q) const {
  if (q > 0.5) return -quantile(1.0 - q);
  if (q == 0.5) return 0.0;
  double low = -1.0;
  while (distribution(low) > q) low *= 2.0;
  double high = 0.0;
  double t = 0.5 * low;
  for (int k = 0; k < 200 && high - low > 1e-14 * -low; ++k) {
    const double excess = distribution(t) - q;
    (excess < 0.0 ? low : high) = t;
    t -= excess * std::exp(-log_density(t));
    if (!(t > low && t < high)) t = 0.5 * (low + high);
  }
  return t;
}

}  // namespace lacuna
