// Quantiles of posterior draws, and of those draws with Gaussian noise added.
#pragma once

#include <span>
#include <vector>

namespace lacuna {

// Quantile q of sorted values, linear between order statistics (Hyndman and Fan's type 7).
double sorted_quantile(std::span<const double> sorted, double q);

// Quantile q of the equal mixture of N(f_k, noise_sd^2) over the sorted values f_k. More than 512
// values are represented by 512 of their quantiles at equal steps of probability, which moves the
// answer by far less than the Monte Carlo error of the draws. An infinite noise level gives
// infinite quantiles.
class NoisyMixture {
 public:
  NoisyMixture(std::span<const double> sorted, double noise_sd);
  double quantile(double q) const;

 private:
  double distribution(double y) const;

  std::vector<double> centres_;
  double noise_sd_;
};

}  // namespace lacuna
