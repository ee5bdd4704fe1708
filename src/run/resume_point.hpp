// Where a fit file can be taken up again.
#pragma once

#include <cstdint>
#include <vector>

#include <optional>
#include <vector>

#include "run/fit_file.hpp"
#include "support/bounded_json.hpp"

namespace lacuna {

// How long the run is to be, once that is known: at the end of burn-in.
struct RunPlan {
  std::uint64_t burn_in, gap, draws;
};

// The state of a run besides its walkers; see Run for the meaning of each.
struct RunMark {
  bool burning = true;
  std::uint64_t done = 0, draws = 0, qualifying = 0, rounds = 0;
  double work_per_step = 0.0, work_before = 0.0;
  bool stop = false;  // written on being asked to stop
};

nlohmann::json json_of(const RunPlan& plan);
nlohmann::json json_of(const RunMark& mark);

// A run writes, from time to time and always after the same steps, a checkpoint of each walker and
// then a note, the mark, with its own state. When it is asked to stop it writes another such group,
// announced by a note, which is taken back when the run goes on: so the file becomes the one of a
// run that was never stopped.
struct ResumePoint {
  std::uint64_t offset = 0;  // where the run goes on writing
  std::uint64_t end = 0;     // what the file holds up to here comes once more; the rest is cut off
  RunMark mark;
  // Their checkpoints, with the state of their engines; none if the run has to begin with its
  // starting points.
  std::vector<nlohmann::json> walkers;
  std::optional<RunPlan> plan;  // none in burn-in
  bool finished = false;        // the run came to its planned end
};

// Throws std::exception where a record is not what it should be.
ResumePoint find_resume_point(const FitReader& reader);

}  // namespace lacuna
