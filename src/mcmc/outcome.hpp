// What happened in a step, and how often.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcmc/accept.hpp"

namespace lacuna {

enum class Move : std::uint8_t { keep, remove, add, swap, trajectory, output, rescale };
inline constexpr std::size_t move_count = 7;
inline constexpr std::array<std::string_view, move_count> move_names = {
    "keep", "remove", "add", "swap", "trajectory", "output", "rescale"};

struct StepOutcome {
  Move move = Move::keep;
  Verdict verdict = Verdict::rejected;
  double log_ratio = 0.0;
};

struct MoveCount {
  std::uint64_t proposed = 0, accepted = 0, invalid = 0;
  std::uint64_t passes = 0;  // over the rows: what the proposals cost, whatever the machine
};

// Proposals by move.
struct MoveCounts {
  std::array<MoveCount, move_count> of{};

  void add(const StepOutcome& outcome, std::uint64_t passes) {
    MoveCount& count = of[static_cast<std::size_t>(outcome.move)];
    ++count.proposed;
    count.accepted += outcome.verdict == Verdict::accepted;
    count.invalid += outcome.verdict == Verdict::invalid;
    count.passes += passes;
  }
};

}  // namespace lacuna
