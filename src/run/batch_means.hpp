// Running sums of a quantity along a chain, with the means of batches from which its Monte Carlo
// error is estimated.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lacuna {

// Keeps 32 to 63 whole batches of equal length: when there are 64, neighbours are merged and the
// length doubles. So the length of the chain need not be known, and what is kept stays small.
struct BatchMeans {
  static constexpr std::size_t most_batches = 64;

  std::uint64_t count = 0;
  double sum = 0.0, squares = 0.0;
  std::uint64_t batch_length = 1;
  std::vector<double> batches;  // means of whole batches
  double open_sum = 0.0;        // of the batch that is not whole yet

  void add(double x) {
    ++count;
    sum += x;
    squares += x * x;
    open_sum += x;
    if (count % batch_length != 0) return;
    batches.push_back(open_sum / static_cast<double>(batch_length));
    open_sum = 0.0;
    if (batches.size() == most_batches) merge();
  }

  double mean() const { return sum / static_cast<double>(count); }  // not a number if empty

  // Standard error of the mean; honest if batches are long against the autocorrelation time.
  double standard_error() const {
    if (batches.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    const auto b = static_cast<double>(batches.size());
    double centre = 0.0, spread = 0.0;
    for (const double m : batches) centre += m / b;
    for (const double m : batches) spread += (m - centre) * (m - centre) / (b - 1.0);
    return std::sqrt(spread / b);
  }

 private:
  void merge() {
    for (std::size_t k = 0; k < most_batches / 2; ++k)
      batches[k] = 0.5 * (batches[2 * k] + batches[2 * k + 1]);
    batches.resize(most_batches / 2);
    batch_length *= 2;
  }
};

}  // namespace lacuna
