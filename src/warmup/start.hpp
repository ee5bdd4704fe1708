// Where chains begin: a draw from the prior, or a trained network pruned by the posterior's own
// criterion.
#pragma once

#include <functional>

#include "posterior/prior.hpp"
#include "posterior/risk.hpp"

namespace lacuna {

struct StartProblem {
  const Samples& samples;
  const Architecture& architecture;
  const Prior& prior;
  double clip;
  double lambda;
};

// Trains a network on up to 16 units per layer, then removes weights in rounds (those whose loss
// costs least against what the prior gains) with brief retraining, and returns the state of that
// path with the largest approximate log posterior mass  -lambda R_n + log pi + sum_i min(log 2B,
// log(2 pi / (lambda h_i + 1e-3)) / 2). Under the dense prior all weights stay. The best of three
// such attempts is returned.
// `stop` is asked now and then: once it says yes, the best so far is returned.
SparseTheta trained_start(const StartProblem& problem, RandomStream& stream,
                          const std::function<bool()>& stop = {});

}  // namespace lacuna
