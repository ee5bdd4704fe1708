#include "theory/certificate_formulas.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

constexpr int intervals = 1000, halvings = 60;

double times_log(double a, double ratio) { return a > 0.0 ? a * std::log(ratio) : 0.0; }

}  // namespace

double binary_kl(double q, double p) {
  return times_log(q, q / p) + times_log(1.0 - q, (1.0 - q) / (1.0 - p));
}

double kl_inverse(double q, double limit) {
  if (q >= 1.0) return 1.0;
  double low = std::max(q, 0.0), high = 1.0;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (binary_kl(q, middle) <= limit ? low : high) = middle;
  }
  return high;  // from above
}

double excess_bound(const ExcessTerms& t) {
  return (-t.noise_floor + (-std::log(t.delta) - t.log_d) / t.lambda) / (1.0 - t.factor);
}

double normal_noise_floor(double sd, double n, double delta) {
  return sd * sd * std::max(0.0, 1.0 - 2.0 * std::sqrt(-std::log(delta) / n));
}

double pac_bayes_kl_limit(double kl, double n, double delta) {
  return (kl + std::log(2.0 * std::sqrt(n) / delta)) / n;
}

// The bound grows in the empirical loss and in KL, so the right end of an interval in the one and
// its left end in the other bound everything between.
double gibbs_risk_bound(const GibbsTerms& t, double low, double high) {
  const double most = -t.log_d / t.lambda;
  low = std::clamp(low, 0.0, most);
  high = std::clamp(high, low, most);
  double worst = 0.0;
  const int parts = high > low ? intervals : 1;
  for (int i = 0; i < parts; ++i) {
    const double left = low + (high - low) * i / parts;
    const double right = low + (high - low) * (i + 1) / parts;
    const double limit =
        pac_bayes_kl_limit(std::max(0.0, -t.lambda * left - t.log_d), t.n, t.delta);
    worst = std::max(worst, kl_inverse(std::min(1.0, right / t.range), limit));
  }
  return t.range * worst;
}

double test_bound_kl(double mean, double rows, double delta) {
  return kl_inverse(mean, -std::log(delta) / rows);
}

double test_bound_bernstein(double mean, double variance, double rows, double delta) {
  const double log_term = std::log(2.0 / delta);
  return mean + std::sqrt(2.0 * variance * log_term / rows) + 7.0 * log_term / (3.0 * (rows - 1.0));
}

}  // namespace lacuna
