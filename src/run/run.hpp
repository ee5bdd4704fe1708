// A run: walkers advance in rounds of steps, and between rounds one thread writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lacuna/fit.hpp"
#include "run/fit_file.hpp"
#include "run/ladder.hpp"
#include "run/resume_point.hpp"
#include "run/setup.hpp"

namespace lacuna {

using Clock = std::chrono::steady_clock;

// How long it may take on the clock; says nothing about draws.
struct TimeLimit {
  Clock::time_point began = Clock::now();
  std::optional<double> seconds;

  double spent() const { return std::chrono::duration<double>(Clock::now() - began).count(); }
  bool beyond(double share) const { return seconds && spent() > share * *seconds; }
};

// Everything but the moment at which it stops is a function of data, options and seed. The steps of
// a round follow from the work that steps have cost, never from the clock, so that the file does
// not depend on the speed of the machine or the number of threads.
class Run {
 public:
  Run(Setup setup, FitWriter writer, TimeLimit limit, std::size_t threads, Observer& observer);

  // True if it came to its planned end.
  bool from_the_start();
  // From where another run left the file; then up to `draws` per chain, if that is more than were
  // planned.
  bool from(const ResumePoint& point, std::optional<std::uint64_t> draws);

 private:
  bool stopped() const { return observer_.stop_requested() || limit_.beyond(1.0); }
  bool enough_starts() const { return observer_.stop_requested() || limit_.beyond(0.7); }
  bool all_steps_known() const { return burn_in_ && gap_ && !planned_by_time_; }
  std::uint64_t total_steps() const;  // of a walker
  std::size_t walkers_per_chain() const { return *config_.walkers; }
  std::uint64_t draws_of_walker(std::size_t w) const;
  double work() const;  // of a walker, on average
  std::uint64_t round_steps() const;
  bool time_for_a_mark() const;

  void start();
  void start_each(const std::function<bool()>& enough);
  void restore(const ResumePoint& point);
  Engine engine_for(std::size_t size) const;
  template <class Work>
  void round(std::uint64_t steps, Work&& step_walker);
  bool burn_in();
  void plan(double steps_per_second);
  bool sample();
  bool sample_to_the_end();
  void write_draws();
  void write_checkpoints();
  void write_note(const nlohmann::json& note);
  void write_plan();
  void write_mark(bool stop);
  void mark();
  void write_end(bool whole);
  void report(const char* phase, std::uint64_t steps);

  Observer& observer_;
  const TimeLimit limit_;
  Setup setup_;
  const Config config_;  // with what was found out about the model
  FitWriter writer_;
  const double effort_;
  std::size_t threads_;
  std::optional<std::uint64_t> burn_in_, gap_;  // found on the way where not given
  std::uint64_t draws_;                         // per chain
  bool planned_by_time_;
  std::vector<Ladder> walkers_;  // of the first chain, then of the second, ...

  bool burning_ = true;
  std::uint64_t done_ = 0;          // steps of each walker in burn-in, or since its end
  std::uint64_t qualifying_ = 0;    // steps of burn-in made while starts were compared
  std::uint64_t rounds_ = 0;        // in burn-in, or since its end
  double work_per_step_ = 0.0;      // in the last round
  double work_before_ = 0.0;        // burn-in
  std::uint64_t steps_before_ = 0;  // of each walker, made by the run that this one continues
  Clock::time_point sampling_began_, last_report_;
};

}  // namespace lacuna
