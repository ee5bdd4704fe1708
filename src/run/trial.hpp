// One shape of network trained in one fold, and short chains that start from it.
#pragma once

#include <functional>
#include <vector>

#include "lacuna/config.hpp"
#include "network/architecture.hpp"
#include "posterior/prior.hpp"
#include "run/folds.hpp"
#include "support/random.hpp"
#include "warmup/start.hpp"

namespace lacuna {

struct Trial {
  Architecture architecture;
  Prior prior;
  std::vector<PathStage> path;   // trained, then pruned step by step
  double held_out_square = 0.0;  // mean squared error of the best stage on the held-out rows
  std::vector<double> held_out;  // what that stage predicts for them
};

// Round by round a trial for each fold.
using TrainedRounds = std::vector<std::vector<Trial>>;

Trial make_trial(const Fold& fold, const Config& config, const std::vector<std::size_t>& widths,
                 double lambda, RandomStream& stream, const std::function<bool()>& stop);

// How long a short chain runs where rows are many enough (see effort.hpp): steps of burn-in and
// after it, and the multiply-adds they may take.
struct ShortChain {
  std::uint64_t burn_in, sampled, work;
};

// Mean and variance of f at the held-out rows over a short chain of the default sampler, started at
// the stage of the path that is heaviest at this lambda. `number` names its random stream.
HeldOut run_short_chain(const Trial& trial, const Fold& fold, const Config& config, double lambda,
                        ShortChain length, std::uint32_t number);

}  // namespace lacuna
