// One Markov chain: a target, a kernel, a state, and random streams keyed by (seed, chain, rung,
// iteration).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "mcmc/outcome.hpp"
#include "mcmc/paper_kernel.hpp"
#include "posterior/gibbs.hpp"
#include "run/fit_file.hpp"
#include "warmup/step_size.hpp"

namespace lacuna {

// What all chains of a run share.
struct Target {
  Architecture architecture;
  Prior prior;
  std::shared_ptr<const Samples> samples;
  double clip;
  double lambda;
  std::uint64_t seed;
};

// How a chain's kernel is set: given, or with its standard deviation tuned in burn-in.
struct KernelChoice {
  std::optional<double> learning_rate, proposal_sd;

  bool tuned() const { return !proposal_sd; }
  PaperKernel kernel(double lambda, double sd) const {
    return learning_rate ? PaperKernel{*learning_rate, sd} : PaperKernel::langevin(lambda, sd);
  }
};

class Chain {
 public:
  Chain(std::uint32_t number, const Target& target, const KernelChoice& choice, SparseTheta start);

  void burn_in(std::uint64_t steps);  // tunes the kernel if that is asked for
  // Takes `steps` steps and records the state after every `gap`-th step since the end of burn-in.
  void sample(std::uint64_t steps, std::uint64_t gap);
  void end_burn_in();  // freezes the kernel; draws are counted from here

  std::uint32_t number() const { return number_; }
  std::uint64_t iteration() const { return iteration_; }
  const Point& state() const { return state_; }
  const MoveCounts& counts() const {
    return counts_;
  }                                      // since the end of burn-in, or since the start before that
  DrawBlock& block() { return block_; }  // draws not yet written
  std::string checkpoint() const;        // as JSON
  double acceptance_since_last_asked();

 private:
  StepOutcome advance();

  std::uint32_t number_;
  const Target& target_;
  KernelChoice choice_;
  EmpiricalRisk risk_;
  StepSizeTuner tuner_;
  PaperKernel kernel_;
  Point state_;
  PaperScratch scratch_;
  std::uint64_t iteration_ = 0;
  std::uint64_t burn_in_end_ = 0;
  bool burning_ = true;
  MoveCounts counts_;
  DrawBlock block_;
  std::uint64_t seen_proposed_ = 0, seen_accepted_ = 0;
};

}  // namespace lacuna
