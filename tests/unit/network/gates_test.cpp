// Derivatives of networks that are wide enough for tiles, in the last hidden layer and below it,
// beside back-propagation row by row over all parameters.
#include <gtest/gtest.h>

#include <cmath>

#include "network/evaluator.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

struct Derivatives {
  std::vector<double> gradient, curvature;  // by flat index
  std::size_t clipped = 0;
};

// d g / d theta at one row, by the chain rule from the output down.
std::vector<double> slopes(const Architecture& shape, const std::vector<double>& theta,
                           const double* x) {
  std::vector<std::vector<double>> signal{{x, x + shape.inputs()}};
  for (std::size_t l = 1; l <= shape.layers(); ++l) {
    std::vector<double> z(shape.size(l));
    for (std::size_t d = 0; d < z.size(); ++d) {
      z[d] = theta[shape.shift_index(l, d)];
      for (std::size_t s = 0; s < signal.back().size(); ++s)
        z[d] += theta[shape.weight_index(l, d, s)] * signal.back()[s];
      if (l < shape.layers()) z[d] = std::max(z[d], 0.0);
    }
    signal.push_back(z);
  }
  std::vector<double> out(theta.size()), back{1.0};
  for (std::size_t l = shape.layers(); l >= 1; --l) {
    std::vector<double> below(shape.size(l - 1));
    for (std::size_t d = 0; d < back.size(); ++d) {
      out[shape.shift_index(l, d)] = back[d];
      for (std::size_t s = 0; s < below.size(); ++s) {
        out[shape.weight_index(l, d, s)] = back[d] * signal[l - 1][s];
        if (signal[l - 1][s] > 0.0) below[s] += back[d] * theta[shape.weight_index(l, d, s)];
      }
    }
    back = below;
  }
  return out;
}

Derivatives by_rows(const Architecture& shape, const SparseTheta& theta, const testing::Rows& rows,
                    double clip) {
  const auto network = testing::naive<double>(shape, theta);
  Derivatives sums{std::vector<double>(network.theta.size()),
                   std::vector<double>(network.theta.size())};
  const double scale = 2.0 / static_cast<double>(rows.count);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double g = network.output(rows.row(i));
    if (std::abs(g) > clip) {
      ++sums.clipped;
      continue;
    }
    const std::vector<double> slope = slopes(shape, network.theta, rows.row(i));
    for (std::size_t k = 0; k < slope.size(); ++k) {
      sums.gradient[k] += scale * (g - rows.y[i]) * slope[k];
      sums.curvature[k] += scale * slope[k] * slope[k];
    }
  }
  return sums;
}

void expect_close(double value, double expected, double size, std::uint64_t index) {
  EXPECT_NEAR(value, expected, 1e-11 * size) << "coordinate " << index;
}

TEST(Gates, GiveTheDerivativesThatTheChainRuleGives) {
  RandomStream stream = testing::test_stream(163);
  const std::vector<std::vector<std::size_t>> widths = {{9}, {6, 11}, {12, 5, 13}, {5, 8, 3}};
  int with_tiles = 0, partly_clipped = 0;
  for (int k = 0; k < 60; ++k) {
    const Architecture shape(6, widths[stream.below(widths.size())]);
    const SparseTheta theta = testing::random_theta(shape, stream.uniform(0.6, 1.2), stream);
    const testing::Rows rows = testing::random_rows(300 + stream.below(500), 6, stream);
    const Samples samples = rows.samples();
    const double clip = std::exp(stream.uniform(0.0, 5.0));
    Evaluator evaluator(shape, clip);
    Evaluation out;
    const Request request{.gradient = true, .curvature = true, .inactive = stream.below(2) == 1};
    evaluator.evaluate(theta, samples, samples.all(), request, out);
    with_tiles += evaluator.network().tile_weights() > 0;

    const Derivatives expected = by_rows(shape, theta, rows, clip);
    partly_clipped += expected.clipped > 0 && expected.clipped < rows.count;
    double steepest = 0.0, sharpest = 0.0;
    for (std::size_t i = 0; i < expected.gradient.size(); ++i) {
      steepest = std::max(steepest, std::abs(expected.gradient[i]));
      sharpest = std::max(sharpest, expected.curvature[i]);
    }
    for (std::size_t j = 0; j < theta.size(); ++j) {
      const std::uint64_t i = theta.index[j];
      expect_close(out.gradient[j], expected.gradient[i], steepest, i);
      expect_close(out.curvature[j], expected.curvature[i], sharpest, i);
    }
    for (const InactiveDerivative& d : out.inactive) {
      expect_close(d.gradient, expected.gradient[d.index], steepest, d.index);
      expect_close(d.curvature, expected.curvature[d.index], sharpest, d.index);
    }
  }
  EXPECT_GE(with_tiles, 40);
  EXPECT_GE(partly_clipped, 20);
}

}  // namespace
}  // namespace lacuna
