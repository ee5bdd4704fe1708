// Random small networks with random points and data, for tests that compare two ways of computing
// the same thing.
#pragma once

#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "network/architecture.hpp"
#include "network/evaluator.hpp"
#include "network/samples.hpp"
#include "network/sparse_theta.hpp"
#include "support/random.hpp"
#include "unit/network/naive_network.hpp"

namespace lacuna::testing {

struct Rows {
  std::size_t count = 0, inputs = 0;
  std::vector<double> x, y;  // x row by row

  const double* row(std::size_t i) const { return x.data() + i * inputs; }
  Samples samples() const {
    std::vector<double> by_column(x.size());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < inputs; ++j) by_column[j * count + i] = x[i * inputs + j];
    }
    return Samples(count, inputs, by_column, y);
  }
};

inline Rows random_rows(std::size_t count, std::size_t inputs, RandomStream& stream) {
  Rows rows{count, inputs, std::vector<double>(count * inputs), std::vector<double>(count)};
  for (double& x : rows.x) x = stream.normal();
  for (double& y : rows.y) y = stream.normal();
  return rows;
}

inline Architecture random_architecture(RandomStream& stream) {
  const std::size_t inputs = 1 + stream.below(4);
  std::vector<std::size_t> widths(1 + stream.below(3));
  for (std::size_t& width : widths) width = 1 + stream.below(4);
  return Architecture(inputs, widths);
}

// Each coordinate active with probability `density`; at least one.
inline SparseTheta random_theta(const Architecture& architecture, double density,
                                RandomStream& stream) {
  SparseTheta theta;
  for (std::uint64_t i = 0; i < architecture.parameter_count(); ++i) {
    if (stream.uniform() < density) theta.insert(i, stream.uniform(-2.0, 2.0));
  }
  if (theta.size() == 0)
    theta.insert(stream.below(architecture.parameter_count()), stream.uniform(-2.0, 2.0));
  return theta;
}

// From nearly empty to full, the full network included.
inline double random_density(RandomStream& stream) { return 1.2 * stream.uniform(); }

template <class Real>
NaiveNetwork<Real> naive(const Architecture& architecture, const SparseTheta& theta) {
  NaiveNetwork<Real> network(architecture.inputs(), architecture.widths());
  for (std::size_t k = 0; k < theta.size(); ++k) network.theta[theta.index[k]] = theta.value[k];
  return network;
}

template <class Real>
Real naive_risk(const NaiveNetwork<Real>& network, const Rows& rows, double clip) {
  Real sum = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Real residual = clipped(network.output(rows.row(i)), clip) - rows.y[i];
    sum += residual * residual;
  }
  return sum / static_cast<Real>(rows.count);
}

inline std::vector<std::size_t> all_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

inline std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

inline std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(bits_of(value));
  return bits;
}

}  // namespace lacuna::testing
