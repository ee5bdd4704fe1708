// Tuning of a step size during burn-in, by stochastic approximation; frozen afterwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mcmc/outcome.hpp"

namespace lacuna {

// Moves the log of the step size by t^-0.6 (acceptance probability - wanted) after each step of one
// kind of move.
class StepSizeTuner {
 public:
  StepSizeTuner(Move move, double wanted, double first, double most)
      : move_(move), wanted_(wanted), log_size_(std::log(first)), log_most_(std::log(most)) {}

  void learn(const StepOutcome& outcome) {
    if (outcome.move != move_) return;
    const double probability =
        std::isnan(outcome.log_ratio) ? 0.0 : std::exp(std::min(0.0, outcome.log_ratio));
    ++steps_;
    log_size_ += std::pow(static_cast<double>(steps_), -0.6) * (probability - wanted_);
    log_size_ = std::clamp(log_size_, -30.0, log_most_);
  }
  double size() const { return std::exp(log_size_); }

  struct Memory {
    double log_size;
    std::uint64_t steps;
  };
  Memory memory() const { return {log_size_, steps_}; }
  void restore(Memory memory) {
    log_size_ = memory.log_size;
    steps_ = memory.steps;
  }

 private:
  Move move_;
  double wanted_, log_size_, log_most_;
  std::uint64_t steps_ = 0;
};

}  // namespace lacuna
