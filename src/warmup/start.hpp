// Where chains begin: a draw from the prior, or a trained network pruned by the posterior's own
// criterion.
#pragma once

#include <functional>
#include <vector>

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

// -lambda R_n + log pi + sum_i min(log 2B, log(2 pi / (lambda h_i + 1e-3)) / 2): the log posterior
// at a point plus the log volume around it. Needs curvature.
double approximate_log_mass(const Prior& prior, double lambda, const SparseTheta& theta,
                            const Evaluation& at);

// Trains a network on up to 16 units per layer, then removes weights in rounds (those whose loss
// costs least against what the prior gains) with brief retraining, and returns the state of that
// path with the largest approximate log posterior mass. Under the dense prior all weights stay. The
// best of `attempts` such paths counts. `stop` is asked now and then: once it says yes, the best so
// far is returned.
SparseTheta trained_start(const StartProblem& problem, RandomStream& stream, int attempts = 3,
                          const std::function<bool()>& stop = {});

// The same for several lambda at once, from the same paths; problem.lambda only orders the
// removals.
std::vector<SparseTheta> trained_starts(const StartProblem& problem,
                                        const std::vector<double>& lambdas, RandomStream& stream,
                                        int attempts, const std::function<bool()>& stop);

}  // namespace lacuna
