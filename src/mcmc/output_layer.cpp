#include "mcmc/output_layer.hpp"

#include <cmath>

namespace lacuna {

void prepare_output_law(double lambda, double n, double kappa, OutputLayerScratch& scratch) {
  const OutputMoments& moments = scratch.moments;
  const std::size_t m = moments.slots.size();
  const double weight = 2.0 * lambda / n;
  std::vector<double>& l = scratch.factor;
  l.assign(m * m, 0.0);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j; i < m; ++i) {
      double sum = weight * moments.gram[i * m + j] + (i == j ? kappa : 0.0);
      for (std::size_t k = 0; k < j; ++k) sum -= l[i * m + k] * l[j * m + k];
      // Rounding can eat the smallest pivots of a collinear layer; kappa is their floor.
      l[i * m + j] = i == j ? std::sqrt(std::max(sum, 1e-3 * kappa)) : sum / l[j * m + j];
    }
  }
  // mean = (L L')^-1 (weight A'y)
  std::vector<double>& mean = scratch.mean;
  mean.resize(m);
  for (std::size_t i = 0; i < m; ++i) {
    double sum = weight * moments.cross[i];
    for (std::size_t k = 0; k < i; ++k) sum -= l[i * m + k] * mean[k];
    mean[i] = sum / l[i * m + i];
  }
  for (std::size_t i = m; i-- > 0;) {
    double sum = mean[i];
    for (std::size_t k = i + 1; k < m; ++k) sum -= l[k * m + i] * mean[k];
    mean[i] = sum / l[i * m + i];
  }
}

double output_log_density(const OutputLayerScratch& scratch, const SparseTheta& theta) {
  const std::size_t m = scratch.mean.size();
  double squares = 0.0;  // |L' (w - mean)|^2
  for (std::size_t j = 0; j < m; ++j) {
    double sum = 0.0;
    for (std::size_t i = j; i < m; ++i) {
      sum += scratch.factor[i * m + j] * (theta.value[scratch.moments.slots[i]] - scratch.mean[i]);
    }
    squares += sum * sum;
  }
  return -0.5 * squares;
}

void draw_output(OutputLayerScratch& scratch, SparseTheta& theta, RandomStream& stream) {
  const std::size_t m = scratch.mean.size();
  std::vector<double>& z = scratch.work;
  z.resize(m);
  for (double& v : z) v = stream.normal();
  for (std::size_t i = m; i-- > 0;) {  // L' x = z
    double sum = z[i];
    for (std::size_t k = i + 1; k < m; ++k) sum -= scratch.factor[k * m + i] * z[k];
    z[i] = sum / scratch.factor[i * m + i];
  }
  for (std::size_t i = 0; i < m; ++i)
    theta.value[scratch.moments.slots[i]] = scratch.mean[i] + z[i];
}

}  // namespace lacuna
