// p-values, batch means and the null law of a total variation: what turns counts into alarms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lacuna::statistical {

// P(chi-square with `degrees` > value).
double chi_square_p(double value, double degrees);

// Pearson's test of counts against probabilities; cells that expect fewer than 10 are pooled.
double chi_square_test(std::span<const double> counts, std::span<const double> probabilities);

// Kolmogorov's test that values are uniform on (0, 1), by its limit law; sorts them.
double uniform_test(std::vector<double>& values);

// Means over long stretches of chains, one vector per stretch. Stretches far longer than the
// autocorrelation time are nearly independent and normal, whatever the chain does inside them.
class Batches {
 public:
  explicit Batches(std::size_t dimension) : mean_(dimension, 0.0) {}

  void add(std::vector<double> batch_mean);
  std::size_t count() const { return batches_.size(); }
  const std::vector<double>& mean() const { return mean_; }
  double standard_error(std::size_t i) const;

  // A level that half the L1 distance between mean() and its expectation passes with probability
  // about 2e-4 or less: mean plus five standard deviations of that distance under N(0, S), S the
  // covariance of the batch means, simulated with normal multipliers on the centred batches. (In
  // the worst case, all of S in one direction, this is 3.8 standard errors: two-sided 1.4e-4.)
  double variation_threshold(std::uint64_t seed) const;

 private:
  std::vector<std::vector<double>> batches_;
  std::vector<double> mean_;
};

// Half the L1 distance of two laws.
double total_variation(std::span<const double> p, std::span<const double> q);

}  // namespace lacuna::statistical
