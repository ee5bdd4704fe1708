// One block of rows through the live network, forward and back: the inner loops of every
// evaluation.
#pragma once

#include <cstddef>

#include "network/evaluator.hpp"

namespace lacuna {

// Rows per block. Each unit's row of a buffer is 1 KiB, so that the units of a sparse network stay
// in cache.
inline constexpr std::size_t block_rows = 128;

// Buffers hold one row of `block_rows` numbers per evaluated unit, in the order of layers and of
// units in a layer.
struct BlockPass {
  const LiveNetwork& network;
  const double* theta;  // active values
  const Samples& samples;
  const std::size_t* first_unit;
  Request request;
  double clip;
  double scale;            // 2 / n
  double* activation;      // the output unit's row holds g before clipping
  double* backward;        // d f / d (input of the unit)
  double* gradient_seed;   // (2/n) (f - y) * backward
  double* curvature_seed;  // (2/n) backward^2
  double* residual;        // f - y, one row
  double* risk_sums;       // `lanes` partial sums of squared residuals
  double* gradient_sums;   // `lanes` partial sums per active coordinate, then per candidate
  double* curvature_sums;
};

// Both take a block of `length` rows (a multiple of `lanes`, at most block_rows) that starts at row
// `begin`. The order of every sum is fixed by `lanes` and `block_rows` alone, so all instruction
// sets give the same bits.
void forward_block(const BlockPass& pass, std::size_t begin, std::size_t length);
void risk_and_backward_block(const BlockPass& pass, std::size_t begin, std::size_t length);

// After forward_block: adds products of the inputs of the output layer, in the order of its edges
// and then its shift, to `lanes` partial sums per pair (i, j), j <= i, and products with the
// targets to `lanes` per input.
void output_moments_block(const BlockPass& pass, std::size_t begin, std::size_t length,
                          double* gram, double* cross);

}  // namespace lacuna
