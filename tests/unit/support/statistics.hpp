// P-values for the statistical checks of the unit tests, and the one place where their seed comes
// from.
//
// Every such check states its false-alarm rate. LACUNA_TEST_SEED moves all of them to fresh random
// numbers, so that it can be seen that none passes by luck of its seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "support/random.hpp"

namespace lacuna::testing {

// Small enough that a hundred checks together raise a false alarm once in ten thousand runs.
inline constexpr double kFalseAlarm = 1e-6;

inline std::uint64_t test_seed() {
  const char* text = std::getenv("LACUNA_TEST_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

inline RandomStream test_stream(std::uint64_t number) {
  return RandomStream({.seed = test_seed(), .iteration = number, .purpose = Purpose::test});
}

inline bool slow_tier() {
  const char* text = std::getenv("LACUNA_SLOW");
  return text != nullptr && std::string(text) == "1";
}

// Q(a, x), the upper regularised incomplete gamma function: a series below a + 1, Lentz's fraction
// above.
inline double upper_gamma(double a, double x) {
  if (x <= 0.0) return 1.0;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1.0) {
    double term = 1.0 / a, sum = term;
    for (double n = a + 1.0; term > 1e-16 * sum; n += 1.0) sum += term *= x / n;
    return 1.0 - front * sum;
  }
  double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, h = d;
  for (int i = 1; i < 10000; ++i) {
    const double an = -i * (i - a);
    b += 2.0;
    d = 1.0 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (std::abs(d * c - 1.0) < 1e-15) break;
  }
  return front * h;
}

// Pearson's test of counts against probabilities that sum to one. Neighbouring cells are pooled
// until each expects 10.
inline double chi_square_p_value(std::span<const std::uint64_t> counts,
                                 std::span<const double> probabilities) {
  double total = 0.0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  std::vector<double> observed, expected;
  double open_count = 0.0, open_expectation = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    open_count += static_cast<double>(counts[i]);
    open_expectation += total * probabilities[i];
    if (open_expectation < 10.0) continue;
    observed.push_back(open_count);
    expected.push_back(open_expectation);
    open_count = open_expectation = 0.0;
  }
  if (!observed.empty()) {
    observed.back() += open_count;
    expected.back() += open_expectation;
  }
  if (observed.size() < 2) return open_count > 0.0 && open_expectation == 0.0 ? 0.0 : 1.0;
  double statistic = 0.0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    statistic += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
  }
  return upper_gamma(0.5 * static_cast<double>(observed.size() - 1), 0.5 * statistic);
}

inline double chi_square_uniform_p_value(std::span<const std::uint64_t> counts) {
  return chi_square_p_value(
      counts, std::vector<double>(counts.size(), 1.0 / static_cast<double>(counts.size())));
}

// Kolmogorov's test of a sample against a continuous distribution function (asymptotic, for 100
// values and more).
template <class Cdf>
double kolmogorov_p_value(std::vector<double> sample, Cdf&& cdf) {
  std::ranges::sort(sample);
  const double n = static_cast<double>(sample.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]);
    distance =
        std::max({distance, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  const double t = distance * (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n));
  if (t < 0.3)
    return 1.0;  // the alternating series converges too slowly there and is 1 to five digits
  double p = 0.0;
  for (int j = 1; j <= 100; ++j) p += (j % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * j * j * t * t);
  return std::clamp(p, 0.0, 1.0);
}

inline double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace lacuna::testing
