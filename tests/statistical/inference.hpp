// p-values, batch means and the null law of a total variation: what turns counts into alarms.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "statistical/experiment.hpp"

namespace lacuna::statistical {

// P(chi-square with `degrees` > value).
double chi_square_p(double value, double degrees);

// Pearson's test of counts against probabilities; cells that expect fewer than 10 are pooled.
double chi_square_test(std::span<const double> counts, std::span<const double> probabilities);

// Kolmogorov's test that values are uniform on (0, 1), by its limit law; sorts them.
double uniform_test(std::vector<double>& values);

// Smallest p-value so far and how many were looked at; Bonferroni makes one test of them all.
struct Verdicts {
  double smallest = 1.0;
  double tests = 0.0;
  std::string details;

  void add(std::string_view what, double p);
  // The statistic is -log10 of the corrected p-value, so 3 stands for 0.001.
  Result result() const;
};

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

// The functional whose mean lies furthest from its reference, in standard errors of the two
// together. A score that is not a number (a chain that never moves) counts as infinite.
struct WorstScore {
  double z = 0.0;
  std::size_t where = 0;
  double reference_share = 0.0;  // largest error of a reference over that of the chains' mean
};
WorstScore worst_score(const Batches& means, std::span<const double> reference,
                       std::span<const double> reference_error);
WorstScore worst_score(const Batches& means, const Batches& reference);

// Half the L1 distance of two laws.
double total_variation(std::span<const double> p, std::span<const double> q);

}  // namespace lacuna::statistical
