// A tempered chain: one chain per rung, of which the coldest is the posterior, that exchange their
// points.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "run/chain.hpp"
#include "run/round_trips.hpp"
#include "support/team.hpp"

namespace lacuna {

// Exchanges tried between a rung and the next hotter one.
struct ExchangeCount {
  std::uint64_t proposed = 0, accepted = 0, invalid = 0;
  double rejection = 0.0;  // sum of the probabilities of being rejected

  double mean_rejection() const;  // not a number where nothing was proposed
};

// With one rung this is a plain chain. With more, every `steps_between_exchanges` steps the pairs
// of rungs (0, 1), (2, 3), ... and the pairs (1, 2), (3, 4), ... try to exchange their points in
// turn: the deterministic even-odd scheme, under which points travel along the ladder instead of
// diffusing (Syed et al. 2022). In burn-in the rungs are placed anew at growing intervals so that
// all pairs reject equally often; afterwards they stay.
class Ladder {
 public:
  static constexpr std::uint64_t steps_between_exchanges = 10;

  // All rungs begin at the point of the coldest.
  Ladder(Chain coldest, std::size_t rungs);
  // As it was at a checkpoint; `engine` is one of the kind that its rungs have.
  Ladder(std::uint32_t number, const Target& target, const Engine& engine, std::size_t rungs,
         const nlohmann::json& state);

  // Steps are counted per rung; rungs run on up to `threads` threads, and where there is only one,
  // its passes over many rows do. That changes no result.
  void burn_in(std::uint64_t steps, std::size_t threads);
  void end_burn_in();
  void sample(std::uint64_t steps, std::uint64_t gap, std::size_t threads);
  void refresh();  // see Chain

  Chain& coldest() { return rungs_.front(); }
  const Chain& coldest() const { return rungs_.front(); }
  const std::vector<Chain>& rungs() const { return rungs_; }
  const std::vector<ExchangeCount>& exchanges() const { return exchanges_; }
  const RoundTrips& round_trips() const { return trips_; }
  std::string checkpoint() const;  // as JSON
  double work() const;             // multiply-adds of all rungs so far

 private:
  template <class Work>
  void advance(std::uint64_t steps, std::size_t threads, const Work& work);
  void exchange_neighbours();
  void place_rungs();
  void forget_exchanges();

  std::vector<Chain> rungs_;    // rung 0, the posterior, first
  std::unique_ptr<Team> team_;  // of a ladder with one rung, once it has been given threads
  std::vector<ExchangeCount> exchanges_;
  RoundTrips trips_;
  double reach_;  // see rung_placement.hpp
  bool burning_ = true;
  std::uint64_t sweeps_until_placement_, sweeps_of_window_;
};

}  // namespace lacuna
