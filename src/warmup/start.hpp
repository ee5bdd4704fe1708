// Where chains begin: a trained network pruned by the posterior's own criterion.
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
  double lambda;  // orders the removals
};

// How long a network is trained before weights are removed, and after each round of removals.
struct PathLength {
  std::size_t first_steps = 16'000, steps_between = 1'500;
};

// A network on the way from all weights to one, with what is needed to weigh it at any lambda.
struct PathStage {
  SparseTheta theta;
  double risk = 0.0;
  std::vector<double> curvature;
};

// -lambda R_n + log pi + sum_i min(log 2B, log(2 pi / (lambda h_i + 1e-3)) / 2): the log posterior
// at a point plus the log volume around it.
double approximate_log_mass(const Prior& prior, double lambda, const SparseTheta& theta,
                            double risk, const std::vector<double>& curvature);

// Trains a network on up to 64 units per layer, then removes a quarter of the weights at a time
// (those whose loss costs least against what the prior gains) with brief retraining, down to a
// single weight. Under the dense prior all weights stay and the path has one stage. `stop` is asked
// now and then: once it says yes, the path goes on without training.
std::vector<PathStage> trained_path(const StartProblem& problem, PathLength length,
                                    RandomStream& stream, const std::function<bool()>& stop = {});

// The stage with the largest approximate log posterior mass at this lambda.
const PathStage& heaviest(const std::vector<PathStage>& path, const Prior& prior, double lambda);

}  // namespace lacuna
