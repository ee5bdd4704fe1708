// One Markov chain: a target, a kernel, a state, and random streams keyed by (seed, chain, rung,
// iteration).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

#include "mcmc/prior_draw.hpp"
#include "run/batch_means.hpp"
#include "run/engine.hpp"
#include "run/fit_file.hpp"
#include "run/target.hpp"

namespace lacuna {

class Chain {
 public:
  // On rung 0, at the target's lambda.
  Chain(std::uint32_t number, const Target& target, Engine engine, SparseTheta start);
  // As it was when to_json was called, `engine` being one of its kind. A checkpoint without the
  // state of its engine needs that of an earlier one.
  Chain(std::uint32_t number, const Target& target, Engine engine, const nlohmann::json& state);
  // The same chain at its present point, on a hotter rung with its own lambda and random streams.
  Chain on_rung(std::uint32_t rung, double lambda) const;
  // In burn-in only. A rung at lambda = 0 draws its points from the prior instead of using its
  // kernel.
  void set_lambda(double lambda);

  void burn_in(std::uint64_t steps);  // tunes the kernel if that is asked for
  // Takes `steps` steps and records the state after every `gap`-th step since the end of burn-in.
  void sample(std::uint64_t steps, std::uint64_t gap);
  void end_burn_in();  // freezes the kernel; draws are counted from here
  // Forgets what happens to be known of the present point beyond its evaluation. What follows is
  // then a function of the point alone, so that a chain can go on from a checkpoint taken here. A
  // chain does this by itself at every draw.
  void refresh();
  // See Evaluator. Copies of the chain would share the team, which works for one chain at a time.
  void work_with(Team* team) { risk_.evaluator().work_with(team); }
  void count_draws_from(std::uint64_t next) { block_.clear(next); }

  std::uint32_t number() const { return number_; }
  // Gives the chain another number in the file; its random streams stay those of the number it was
  // made with.
  void renumber(std::uint32_t number) { number_ = number; }
  std::uint64_t iteration() const { return iteration_; }
  bool burning() const { return burning_; }
  std::uint64_t steps_since_burn_in() const { return iteration_ - burn_in_end_; }
  double lambda() const { return lambda_; }
  const Target& target() const { return target_; }
  const Point& state() const { return state_; }
  // The random stream of this chain for another purpose at the present iteration.
  RandomStream stream_of(std::uint32_t rung, Purpose purpose) const;
  // Tries to exchange points with a chain at another lambda; tells the log of the ratio.
  Verdict exchange_with(Chain& other, RandomStream& stream, double& log_ratio);
  const MoveCounts& counts() const {
    return counts_;
  }                                      // since the end of burn-in, or since the start before that
  DrawBlock& block() { return block_; }  // draws not yet written
  const BatchMeans& risks() const { return risks_; }  // R_n after each step since burn-in
  // In burn-in and at its end with the state of the engine, which does not change later.
  nlohmann::json to_json() const;
  std::string checkpoint() const;  // the same as text
  double acceptance_since_last_asked();
  std::uint64_t work() const { return risk_.work() + work_before_; }  // multiply-adds so far

 private:
  StepOutcome advance();
  double recorded_risk();
  bool draws_prior() const { return rung_ > 0 && lambda_ == 0.0; }
  Request first_request() const;
  Cost cost_so_far() const;

  std::uint32_t number_, stream_, rung_ = 0;
  const Target& target_;
  double lambda_;
  EmpiricalRisk risk_;
  Engine engine_;
  Point state_;
  std::uint64_t iteration_ = 0;
  std::uint64_t burn_in_end_ = 0;
  std::uint64_t work_before_ = 0;  // of the run that this one continues; wraps around
  bool burning_ = true;
  MoveCounts counts_;
  BatchMeans risks_;
  DrawBlock block_;
  PriorDrawScratch prior_scratch_;
  std::uint64_t seen_proposed_ = 0, seen_accepted_ = 0;
};

}  // namespace lacuna
