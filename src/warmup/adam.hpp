// Gradient descent with Adam on the active coordinates of a network, for starting points.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "network/evaluator.hpp"

namespace lacuna {

struct Training {
  std::size_t steps = 2000;
  std::size_t batch = 64;  // consecutive rows of the (shuffled) samples; a multiple of `row_unit`
  double rate = 0.005;     // falls to zero along a half cosine
  double decay = 0.1;      // decoupled weight decay, towards small and removable weights
  double bound = 3.0;      // values are kept inside the box
};

// Trains theta in place; if `stop` says yes on the way, a few ever smaller steps end it. Rows must
// be in random order: each step takes the next window of them.
void train(SparseTheta& theta, Evaluator& evaluator, const Samples& samples, const Training& how,
           const std::function<bool()>& stop = {});

}  // namespace lacuna
