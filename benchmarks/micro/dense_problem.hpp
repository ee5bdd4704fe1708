// The dense network and the data that all gradient benchmarks share, ours and the peers': both are
// given by short formulas, so that every language makes the same ones.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "network/architecture.hpp"
#include "network/samples.hpp"
#include "network/sparse_theta.hpp"

namespace lacuna::bench {

struct DenseProblem {
  std::size_t inputs, rows;
  std::vector<std::size_t> widths;

  // argv: INPUTS WIDTHS ROWS, as in `10 64,64 10000`.
  static DenseProblem read(char** argv) {
    DenseProblem problem{
        std::strtoull(argv[0], nullptr, 10), std::strtoull(argv[2], nullptr, 10), {}};
    for (char* at = argv[1]; *at != '\0';) {
      problem.widths.push_back(std::strtoull(at, &at, 10));
      if (*at == ',') ++at;
    }
    return problem;
  }

  Architecture architecture() const { return Architecture(inputs, widths); }

  // x_ij = sin(1 + i (j + 1)), y_i = sin(3 x_i0), column by column.
  std::vector<double> x() const {
    std::vector<double> x(rows * inputs);
    for (std::size_t j = 0; j < inputs; ++j) {
      for (std::size_t i = 0; i < rows; ++i)
        x[j * rows + i] = std::sin(1.0 + static_cast<double>(i * (j + 1)));
    }
    return x;
  }
  std::vector<double> y() const {
    std::vector<double> y(rows);
    for (std::size_t i = 0; i < rows; ++i)
      y[i] = std::sin(3.0 * std::sin(1.0 + static_cast<double>(i)));
    return y;
  }
  // theta_k = sin(k + 1) / sqrt(width of the layer before).
  SparseTheta theta() const {
    const Architecture shape = architecture();
    SparseTheta theta;
    std::uint64_t k = 0;
    for (std::size_t l = 1; l <= shape.layers(); ++l) {
      const std::uint64_t end =
          l == shape.layers() ? shape.parameter_count() : shape.first_index(l + 1);
      for (; k < end; ++k) {
        theta.index.push_back(k);
        theta.value.push_back(std::sin(static_cast<double>(k + 1)) /
                              std::sqrt(static_cast<double>(shape.size(l - 1))));
      }
    }
    return theta;
  }
  // Of one gradient: every weight costs a multiply-add forward and two back, but for those from the
  // inputs, which hand nothing further back.
  double flops() const {
    double weights = 0.0;
    std::size_t before = inputs;
    for (const std::size_t width : widths) {
      weights += static_cast<double>(before * width);
      before = width;
    }
    weights += static_cast<double>(before);
    return static_cast<double>(rows) *
           (6.0 * weights - 2.0 * static_cast<double>(inputs * widths.front()));
  }
};

}  // namespace lacuna::bench
