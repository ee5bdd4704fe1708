// How much of the usual work a data set is worth.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lacuna/config.hpp"
#include "warmup/start.hpp"

namespace lacuna {

// Few rows say little, and what they say is found soon: below this many, everything that a run
// plans by itself (training, short chains, burn-in, draws' distance) shrinks in proportion, unless
// it was given the time to do more.
inline constexpr double rows_worth_all_effort = 800.0, seconds_worth_all_effort = 60.0;
inline constexpr double least_effort = 0.04;

inline double effort_for(std::size_t rows, const Config& config) {
  // Only of a run that the clock plans: otherwise a time limit must not change a single draw.
  const double seconds = planned_by_time(config) ? *config.time_limit : 0.0;
  return std::clamp(std::max(static_cast<double>(rows) / rows_worth_all_effort,
                             seconds / seconds_worth_all_effort),
                    least_effort, 1.0);
}

// So many of these steps.
inline std::uint64_t with_effort(double effort, std::uint64_t steps) {
  return std::max<std::uint64_t>(1,
                                 static_cast<std::uint64_t>(effort * static_cast<double>(steps)));
}
inline PathLength with_effort(double effort, PathLength length) {
  return {with_effort(effort, std::uint64_t{length.first_steps}),
          with_effort(effort, std::uint64_t{length.steps_between})};
}

}  // namespace lacuna
