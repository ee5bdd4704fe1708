// Where a fit file can be taken up again.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

#include "run/fit_file.hpp"

namespace lacuna {

// A run writes, from time to time and always after the same steps, a checkpoint of each walker and
// then a note, the mark, with its own state. When it is asked to stop it writes another such group,
// announced by a note, which is taken back when the run goes on: so the file becomes the one of a
// run that was never stopped.
struct ResumePoint {
  std::uint64_t offset = 0;  // where the run goes on writing
  std::uint64_t end = 0;     // what the file holds up to here comes once more; the rest is cut off
  // The following are empty if the run has to begin with its starting points.
  nlohmann::json mark;
  std::vector<nlohmann::json> walkers;  // their checkpoints, with the state of their engines
  nlohmann::json plan;                  // burn-in, gap and draws; empty in burn-in
  bool finished = false;                // the run came to its planned end
};

// Throws std::exception where a record is not what it should be.
ResumePoint find_resume_point(const FitReader& reader);

}  // namespace lacuna
