// One Markov chain: a target, a kernel, a state, and random streams keyed by (seed, chain, rung,
// iteration).
#pragma once

#include <cstdint>
#include <string>

#include "run/engine.hpp"
#include "run/fit_file.hpp"
#include "run/target.hpp"

namespace lacuna {

class Chain {
 public:
  Chain(std::uint32_t number, const Target& target, Engine engine, SparseTheta start);

  void burn_in(std::uint64_t steps);  // tunes the kernel if that is asked for
  // Takes `steps` steps and records the state after every `gap`-th step since the end of burn-in.
  void sample(std::uint64_t steps, std::uint64_t gap);
  void end_burn_in();  // freezes the kernel; draws are counted from here

  std::uint32_t number() const { return number_; }
  // Gives the chain another number in the file; its random streams stay those of the number it was
  // made with.
  void renumber(std::uint32_t number) { number_ = number; }
  std::uint64_t iteration() const { return iteration_; }
  const Point& state() const { return state_; }
  const MoveCounts& counts() const {
    return counts_;
  }                                      // since the end of burn-in, or since the start before that
  DrawBlock& block() { return block_; }  // draws not yet written
  std::string checkpoint() const;        // as JSON
  double acceptance_since_last_asked();
  std::uint64_t work() const { return risk_.work(); }  // multiply-adds so far

 private:
  StepOutcome advance();

  std::uint32_t number_, stream_;
  const Target& target_;
  EmpiricalRisk risk_;
  Engine engine_;
  Point state_;
  std::uint64_t iteration_ = 0;
  std::uint64_t burn_in_end_ = 0;
  bool burning_ = true;
  MoveCounts counts_;
  DrawBlock block_;
  std::uint64_t seen_proposed_ = 0, seen_accepted_ = 0;
};

}  // namespace lacuna
