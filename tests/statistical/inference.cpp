// Special functions, batch means and the simulated law of a total variation.
#include "statistical/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/random.hpp"

namespace lacuna::statistical {
namespace {

// The regularised upper incomplete gamma function: series below a + 1, continued fraction above.
double upper_gamma(double a, double x) {
  if (x <= 0.0) return 1.0;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1.0) {
    double term = 1.0 / a, sum = term;
    for (double n = a + 1.0; term > 1e-17 * sum; n += 1.0) {
      term *= x / n;
      sum += term;
    }
    return 1.0 - front * sum;
  }
  double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, h = d;
  for (double n = 1.0; n < 10000.0; n += 1.0) {
    const double an = -n * (n - a);
    b += 2.0;
    d = 1.0 / (an * d + b);
    c = b + an / c;
    h *= c * d;
    if (std::abs(c * d - 1.0) < 1e-15) break;
  }
  return front * h;
}

}  // namespace

double chi_square_p(double value, double degrees) {
  return upper_gamma(0.5 * degrees, 0.5 * value);
}

double chi_square_test(std::span<const double> counts, std::span<const double> probabilities) {
  double total = 0.0;
  for (const double count : counts) total += count;
  double statistic = 0.0, degrees = -1.0, pooled_count = 0.0, pooled_expected = 0.0;
  const auto add_cell = [&](double count, double expected) {
    statistic += (count - expected) * (count - expected) / expected;
    degrees += 1.0;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = total * probabilities[i];
    if (expected >= 10.0) {
      add_cell(counts[i], expected);
    } else {
      pooled_count += counts[i];
      pooled_expected += expected;
    }
  }
  if (pooled_expected > 1.0) add_cell(pooled_count, pooled_expected);
  return degrees < 1.0 ? 1.0 : chi_square_p(statistic, degrees);
}

double uniform_test(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double k = static_cast<double>(i);
    distance = std::max({distance, (k + 1.0) / n - values[i], values[i] - k / n});
  }
  const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;  // Stephens (1970)
  double p = 0.0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * x * x);
  return x < 0.3 ? 1.0 : std::clamp(p, 0.0, 1.0);
}

void Verdicts::add(std::string_view what, double p) {
  smallest = std::isnan(p) ? 0.0 : std::min(smallest, p);
  tests += 1.0;
  details += fmt::format("{}{} {:.3f}", details.empty() ? "p-values: " : ", ", what, p);
}

Result Verdicts::result() const {
  return judge(-std::log10(std::min(1.0, smallest * tests)), 3.0, details);
}

void Batches::add(std::vector<double> batch_mean) {
  const double weight = 1.0 / static_cast<double>(batches_.size() + 1);
  for (std::size_t i = 0; i < mean_.size(); ++i) mean_[i] += weight * (batch_mean[i] - mean_[i]);
  batches_.push_back(std::move(batch_mean));
}

double Batches::standard_error(std::size_t i) const {
  double squares = 0.0;
  for (const auto& batch : batches_) squares += (batch[i] - mean_[i]) * (batch[i] - mean_[i]);
  const double n = static_cast<double>(batches_.size());
  return std::sqrt(squares / (n - 1.0) / n);
}

double Batches::variation_threshold(std::uint64_t seed) const {
  constexpr int replicates = 400;
  RandomStream stream({seed, 0, 0, 0, Purpose::simulation});
  const double n = static_cast<double>(batches_.size());
  const double scale = 1.0 / std::sqrt(n * (n - 1.0));
  double sum = 0.0, squares = 0.0;
  std::vector<double> error(mean_.size());
  for (int r = 0; r < replicates; ++r) {
    std::fill(error.begin(), error.end(), 0.0);
    for (const auto& batch : batches_) {
      const double multiplier = stream.normal();
      for (std::size_t i = 0; i < error.size(); ++i) error[i] += multiplier * (batch[i] - mean_[i]);
    }
    double distance = 0.0;
    for (const double e : error) distance += 0.5 * scale * std::abs(e);
    sum += distance;
    squares += distance * distance;
  }
  const double mean = sum / replicates;
  return mean + 5.0 * std::sqrt(squares / replicates - mean * mean);
}

WorstScore worst_score(const Batches& means, std::span<const double> reference,
                       std::span<const double> reference_error) {
  WorstScore worst;
  for (std::size_t k = 0; k < reference.size(); ++k) {
    const double error = means.standard_error(k);
    double z = std::abs(means.mean()[k] - reference[k]) / std::hypot(error, reference_error[k]);
    if (std::isnan(z)) z = HUGE_VAL;
    if (z >= worst.z) {
      worst.z = z;
      worst.where = k;
    }
    worst.reference_share = std::max(worst.reference_share, reference_error[k] / error);
  }
  return worst;
}

WorstScore worst_score(const Batches& means, const Batches& reference) {
  std::vector<double> error;
  for (std::size_t k = 0; k < reference.mean().size(); ++k) {
    error.push_back(reference.standard_error(k));
  }
  return worst_score(means, reference.mean(), error);
}

double total_variation(std::span<const double> p, std::span<const double> q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += 0.5 * std::abs(p[i] - q[i]);
  return sum;
}

}  // namespace lacuna::statistical
