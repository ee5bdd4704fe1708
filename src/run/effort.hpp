// How much of the usual work a data set is worth.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lacuna/config.hpp"

namespace lacuna {

// Few rows say little, and what they say is found soon: below this many, everything that a run
// plans by itself (training, short chains, burn-in, draws' distance) shrinks in proportion, unless
// it was given the time to do more.
inline constexpr double rows_worth_all_effort = 800.0, seconds_worth_all_effort = 60.0;
inline constexpr double least_effort = 0.04;

inline double effort_for(std::size_t rows, const Config& config) {
  return std::clamp(std::max(static_cast<double>(rows) / rows_worth_all_effort,
                             config.time_limit.value_or(0.0) / seconds_worth_all_effort),
                    least_effort, 1.0);
}

// So many of these steps.
inline std::uint64_t with_effort(double effort, std::uint64_t steps) {
  return std::max<std::uint64_t>(1,
                                 static_cast<std::uint64_t>(effort * static_cast<double>(steps)));
}

}  // namespace lacuna
