// How stiff the risk is along each coordinate, as far as the other layers tell.
//
// For a weight from unit s to unit d the Gauss-Newton curvature is the mean over the rows of
// 2 (df/dz_d)^2 a_s^2. Layers below d's fix the activation a_s, layers above it the derivative, up
// to which units are on; so, with u and w summing squared weights over active paths,
//   e_i = 2 u_s w_d,   u_d = v_d^2 + sum_s W_ds^2 u_s (1 for an input),   w_s = sum_d W_ds^2 w_d (1
//   for the output unit; u is 1 for a shift),
// follows the curvature h_i when the weights of other layers change: rescaling a unit leaves h_i /
// e_i as it was. That ratio is learnt in burn-in and frozen. While only the weights of one layer
// move, their own e_i stays fixed.
#pragma once

#include <cstdint>
#include <vector>

#include "network/live_network.hpp"
#include "network/sparse_theta.hpp"

namespace lacuna {

// Typical ratio of each coordinate: its own where it has been seen, that of its layer otherwise.
struct CurvatureTable {
  std::vector<std::uint64_t> index;        // increasing
  std::vector<double> ratio;               // beside it
  std::vector<std::uint64_t> layer_begin;  // first index of each layer
  std::vector<double> layer_ratio;

  double at(std::uint64_t i) const;
};

// Computes e_i of the active coordinates; 0 for those on no active path. Time and memory follow
// their number.
class PathCurvature {
 public:
  // `network` is the live network of theta.
  const std::vector<double>& at(const LiveNetwork& network, const SparseTheta& theta);

 private:
  std::vector<std::vector<double>> up_, down_;  // by layer and position of the unit
  std::vector<double> expected_;
};

}  // namespace lacuna
