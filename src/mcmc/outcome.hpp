// What happened in a step, and how often.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcmc/accept.hpp"

namespace lacuna {

enum class Move : std::uint8_t {
  keep,
  remove,
  add,
  swap,
  trajectory,
  output,
  rescale,
  remove_unit,
  add_unit,
  dead,
  redraw
};
inline constexpr std::size_t move_count = 11;
inline constexpr std::array<std::string_view, move_count> move_names = {
    "keep",    "remove",      "add",      "swap", "trajectory", "output",
    "rescale", "remove-unit", "add-unit", "dead", "redraw"};

struct StepOutcome {
  Move move = Move::keep;
  Verdict verdict = Verdict::rejected;
  double log_ratio = 0.0;
};

// What steps took, whatever the machine: passes over the rows, and the work in them.
struct Cost {
  std::uint64_t passes = 0, work = 0;
};

struct MoveCount {
  std::uint64_t proposed = 0, accepted = 0, invalid = 0;
  Cost cost;
};

// Proposals by move.
struct MoveCounts {
  std::array<MoveCount, move_count> of{};

  void add(const StepOutcome& outcome, Cost cost) {
    MoveCount& count = of[static_cast<std::size_t>(outcome.move)];
    ++count.proposed;
    count.accepted += outcome.verdict == Verdict::accepted;
    count.invalid += outcome.verdict == Verdict::invalid;
    count.cost.passes += cost.passes;
    count.cost.work += cost.work;
  }
};

}  // namespace lacuna
