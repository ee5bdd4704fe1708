#include "posterior/lambda.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace lacuna {
namespace {

constexpr std::size_t neighbours = 10;
constexpr std::size_t most_rows =
    2000;  // neighbours are searched among every (n / 2000)-th row: O(n^2) otherwise
constexpr double smallest_share =
    1e-4;  // of the target's variance: data without noise still give a finite lambda

// Solves a symmetric positive definite system in place by Cholesky with a tiny ridge; returns the
// solution in b.
void solve_positive_definite(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  double trace = 0.0;
  for (std::size_t i = 0; i < n; ++i) trace += a[i * n + i];
  for (std::size_t i = 0; i < n; ++i)
    a[i * n + i] += 1e-10 * trace / static_cast<double>(n) + 1e-300;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) a[j * n + j] -= a[j * n + k] * a[j * n + k];
    a[j * n + j] = std::sqrt(std::max(a[j * n + j], 1e-300));
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
}

// The weight of each row over that of all.
std::vector<double> shares_of(const Dataset& data) {
  std::vector<double> shares(data.weight);
  shares.resize(data.rows, 1.0);
  const double total = total_weight(data);
  for (double& share : shares) share /= total;
  return shares;
}

// Residual variance of the least-squares plane, or the target's variance where there are too few
// rows for it.
double linear_residual_variance(const Dataset& data, const std::vector<double>& shares, double mean,
                                double variance) {
  const std::size_t n = data.rows, p = data.inputs;
  if (n < p + 3) return variance;
  std::vector<double> centred(data.x);
  for (std::size_t j = 0; j < p; ++j) {
    double* column = &centred[j * n];
    double total = 0.0;
    for (std::size_t i = 0; i < n; ++i) total += shares[i] * column[i];
    for (std::size_t i = 0; i < n; ++i) column[i] -= total;
  }
  std::vector<double> gram(p * p), moment(p);
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i)
        sum += shares[i] * centred[j * n + i] * centred[k * n + i];
      gram[j * p + k] = gram[k * p + j] = sum;
    }
    for (std::size_t i = 0; i < n; ++i)
      moment[j] += shares[i] * centred[j * n + i] * (data.y[i] - mean);
  }
  solve_positive_definite(gram, moment);
  double squares = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double residual = data.y[i] - mean;
    for (std::size_t j = 0; j < p; ++j) residual -= moment[j] * centred[j * n + i];
    squares += shares[i] * residual * residual;
  }
  return squares * static_cast<double>(n) / static_cast<double>(n - p - 1);
}

// Half the mean squared difference to the k-th neighbour, extrapolated to distance zero over k = 1
// .. 10.
double neighbour_variance(const Dataset& data, const std::vector<double>& shares, double variance) {
  const std::size_t n = data.rows, p = data.inputs;
  const std::size_t stride = std::max<std::size_t>(1, n / most_rows);
  const std::size_t used = n / stride;
  if (used <= neighbours + 1) return variance;
  double used_share = 0.0;
  for (std::size_t a = 0; a < used; ++a) used_share += shares[a * stride];
  std::vector<double> distance_sum(neighbours), difference_sum(neighbours);
  std::vector<std::pair<double, std::size_t>> near(used);
  for (std::size_t a = 0; a < used; ++a) {
    for (std::size_t b = 0; b < used; ++b) near[b] = {0.0, b * stride};
    for (std::size_t j = 0; j < p; ++j) {
      const double here = data.x[j * n + a * stride];
      for (auto& [distance, row] : near) {
        const double gap = data.x[j * n + row] - here;
        distance += gap * gap;
      }
    }
    near[a].first = std::numeric_limits<double>::infinity();
    std::partial_sort(near.begin(), near.begin() + neighbours, near.end());
    for (std::size_t k = 0; k < neighbours; ++k) {
      const double gap = data.y[near[k].second] - data.y[a * stride];
      const double share = shares[a * stride] / used_share;
      distance_sum[k] += share * near[k].first;
      difference_sum[k] += share * 0.5 * gap * gap;
    }
  }
  double mean_distance = 0.0, mean_difference = 0.0;
  for (std::size_t k = 0; k < neighbours; ++k) {
    mean_distance += distance_sum[k] / neighbours;
    mean_difference += difference_sum[k] / neighbours;
  }
  double cross = 0.0, spread = 0.0;
  for (std::size_t k = 0; k < neighbours; ++k) {
    cross += (distance_sum[k] - mean_distance) * (difference_sum[k] - mean_difference);
    spread += (distance_sum[k] - mean_distance) * (distance_sum[k] - mean_distance);
  }
  const double slope = spread > 0.0 ? std::max(0.0, cross / spread) : 0.0;
  const double intercept = mean_difference - slope * mean_distance;
  // In many dimensions the extrapolation is long; never trust it below a quarter of what neighbours
  // show.
  return std::max(intercept, 0.25 * difference_sum[0]);
}

}  // namespace

double theory_constant(double clip, double sigma, double tail) {
  return 16.0 * (clip * clip + sigma * sigma) + 16.0 * clip * std::max(tail, 2.0 * clip);
}

double theory_lambda(double n, double clip, double sigma, double tail) {
  return n / theory_constant(clip, sigma, tail);
}

double bayes_lambda(double n, double sigma) { return n / (2.0 * sigma * sigma); }

double implied_noise_sd(double n, double lambda) {
  if (lambda <= 0.0) return std::numeric_limits<double>::infinity();
  return std::sqrt(n / (2.0 * lambda));
}

double estimate_noise_sd(const Dataset& data) {
  const std::vector<double> shares = shares_of(data);
  double mean = 0.0, variance = 0.0;
  for (std::size_t i = 0; i < data.rows; ++i) mean += shares[i] * data.y[i];
  for (std::size_t i = 0; i < data.rows; ++i)
    variance += shares[i] * (data.y[i] - mean) * (data.y[i] - mean);
  // A constant target: any noise level fits. The mean of equal numbers can be off by a rounding, so
  // compare the targets.
  if (std::ranges::all_of(data.y, [&](double y) { return y == data.y.front(); })) return 1.0;
  const double estimate = std::min(linear_residual_variance(data, shares, mean, variance),
                                   neighbour_variance(data, shares, variance));
  return std::sqrt(std::max(estimate, smallest_share * variance));
}

}  // namespace lacuna
