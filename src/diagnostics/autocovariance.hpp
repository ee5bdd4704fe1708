// Autocovariances of equally long chains in O(n log n), by a fast Fourier transform of our own.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lacuna::diagnostics {

// `values` holds chains of `length` draws one after another. Element t of the answer is the mean
// over chains of
//   (1 / length) sum_i (x_i - m) (x_{i+t} - m),   m the mean of that chain,   t = 0 .. length - 1:
// the divisor does not shrink with t.
std::vector<double> mean_autocovariance(std::span<const double> values, std::size_t length);

}  // namespace lacuna::diagnostics
