// Tuning of the proposal's standard deviation during burn-in, by stochastic approximation; frozen
// afterwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mcmc/outcome.hpp"

namespace lacuna {

// Moves log s by t^-0.6 (acceptance probability - target) after each step that keeps the active
// set. The target is the optimum of Langevin proposals in high dimension, 0.574 (Roberts and
// Rosenthal 1998).
class StepSizeTuner {
 public:
  explicit StepSizeTuner(double first_sd, double most = 10.0)
      : log_sd_(std::log(first_sd)), log_most_(std::log(most)) {}

  void learn(const StepOutcome& outcome) {
    if (outcome.move != Move::keep) return;
    const double probability =
        std::isnan(outcome.log_ratio) ? 0.0 : std::exp(std::min(0.0, outcome.log_ratio));
    ++steps_;
    log_sd_ += std::pow(static_cast<double>(steps_), -0.6) * (probability - 0.574);
    log_sd_ = std::clamp(log_sd_, -30.0, log_most_);
  }
  double proposal_sd() const { return std::exp(log_sd_); }

 private:
  double log_sd_, log_most_;
  std::uint64_t steps_ = 0;
};

}  // namespace lacuna
