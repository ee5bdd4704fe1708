// One block of rows through the live network, forward and back: the inner loops of every
// evaluation, in single and in double precision.
#pragma once

#include <cstddef>

#include "network/evaluator.hpp"
#include "support/dispatch.hpp"

namespace lacuna {

// Rows per block: a unit's row of a buffer is 2 KiB. Shorter ones spend more time between loops
// than in them; longer ones push the units of small networks out of the first-level cache.
template <class Real>
inline constexpr std::size_t block_rows = 2048 / sizeof(Real);

// From the row of one unit to that of the next: without the two cache lines in between, the same
// rows of all units would meet in a few sets of the first-level cache.
template <class Real>
inline constexpr std::size_t row_stride = block_rows<Real> + 128 / sizeof(Real);

// Room for the lanes of a coordinate.
template <class Real>
inline constexpr std::size_t most_lanes = most_vector_bytes / sizeof(Real);

// Buffers hold one row of `block_rows` numbers per evaluated unit, `row_stride` apart, in the order
// of layers and of units in a layer.
template <class Real>
struct BlockPass {
  const LiveNetwork& network;
  const Real* theta;   // active values
  const Real* packed;  // the same in the order of the tiles, zero where a weight is missing
  const Samples& samples;
  const std::size_t* first_unit;
  Request request;
  std::size_t first_layer;  // of those to evaluate
  const Real* arriving;     // what it is fed with: one padded row of all samples after the other
  Real clip;
  Real scale;            // 2 / n
  Real* activation;      // the output unit's row holds g before clipping
  Real* backward;        // d g / d (input of the unit), below the last hidden layer
  Real* pull;            // (2/n) (f - y) where g is not clipped, one row
  Real* square_pull;     // 2/n where g is not clipped, one row
  Real* gradient_seed;   // pull * d g / d (input of the unit), of the layer at hand
  Real* curvature_seed;  // square_pull * (d g / d (input of the unit))^2, of the layer at hand
  Real* gates;           // where the units of the last hidden layer are on
  Real* products;        // pull * source, square_pull * source^2: one row for each source at hand
  double* risk;          // sum of squared residuals
  // One vector per active coordinate, then per candidate, whose lanes add up to the derivative:
  // they are summed once for all blocks of a group.
  Real* gradient_lanes;
  Real* curvature_lanes;
};

// All take a block of `length` rows (a multiple of `row_unit`, at most block_rows) that starts at
// row `begin`. The order of every sum is fixed by the instruction set, block_rows and groups, so
// the number of threads changes no bit.
void forward_block(const BlockPass<float>& pass, std::size_t begin, std::size_t length);
void forward_block(const BlockPass<double>& pass, std::size_t begin, std::size_t length);
void backward_block(const BlockPass<float>& pass, std::size_t begin, std::size_t length);
void backward_block(const BlockPass<double>& pass, std::size_t begin, std::size_t length);

// The sums of the lanes of `count` vectors.
void fold_lanes(const float* lanes, std::size_t count, double* sums);
void fold_lanes(const double* lanes, std::size_t count, double* sums);

// After forward_block: adds products of the inputs of the output layer, in the order of its edges
// and then its shift, to gram (pairs (i, j), j <= i), and products with the targets to cross.
void output_moments_block(const BlockPass<float>& pass, std::size_t begin, std::size_t length,
                          double* gram, double* cross);
void output_moments_block(const BlockPass<double>& pass, std::size_t begin, std::size_t length,
                          double* gram, double* cross);

}  // namespace lacuna
