// What a new hidden unit would do to the risk, to second order in its outgoing weight.
//
// A unit of layer l with activation a and an outgoing weight v to a live unit d of the next layer
// changes the risk by g v + h v^2 / 2, where b_d is the derivative of f by the input of d and
//   g = (2/n) sum_k (f(x_k) - y_k) b_d(x_k) a(x_k),   h = (2/n) sum_k (b_d(x_k) a(x_k))^2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/live_network.hpp"
#include "network/samples.hpp"
#include "network/sparse_theta.hpp"
#include "support/aligned.hpp"

namespace lacuna {

// What goes into a new unit. Sources are positions in the layer before (for layer 1: input
// columns).
struct UnitInput {
  std::size_t count = 1;  // 1 or 2 weights
  std::array<std::uint32_t, 2> source{};
  std::array<double, 2> weight{};
  double shift = 0.0;  // 0 without one
};

struct OutgoingDerivative {
  double gradient = 0.0;   // g
  double curvature = 0.0;  // h
};

// Signals of a network over rows: forward through reached units, back through live ones.
class UnitSignals {
 public:
  // Needs theta's own live network, and must not outlive the samples.
  void build(const LiveNetwork& network, const SparseTheta& theta, const Samples& samples,
             double clip);

  // Derivatives of the risk by an outgoing weight, at zero, of a unit of hidden layer `layer` that
  // leads to position `destination` of the next, a live one.
  OutgoingDerivative outgoing(std::size_t layer, std::uint32_t destination,
                              const UnitInput& input) const;

 private:
  const double* activation(std::size_t layer, std::size_t position) const {
    return layer == 0 ? samples_->column(position) : row(activation_, layer, position);
  }
  const double* row(const AlignedVector<double>& buffer, std::size_t layer, std::size_t p) const {
    return buffer.data() + (first_unit_[layer - 1] + p) * rows_;
  }
  double* row(AlignedVector<double>& buffer, std::size_t layer, std::size_t p) {
    return buffer.data() + (first_unit_[layer - 1] + p) * rows_;
  }
  void forward(const LiveNetwork& network, const SparseTheta& theta);
  void backward(const LiveNetwork& network, const SparseTheta& theta, double clip);

  const Samples* samples_ = nullptr;
  std::size_t rows_ = 0;                  // padded
  std::vector<std::size_t> first_unit_;   // where each layer's units begin in the buffers
  AlignedVector<double> activation_;      // one row per reached unit
  AlignedVector<double> backward_;        // b, for live units
  AlignedVector<double> gradient_seed_;   // (2/n) (f - y) b
  AlignedVector<double> curvature_seed_;  // (2/n) b^2
  AlignedVector<double> residual_;
};

}  // namespace lacuna
