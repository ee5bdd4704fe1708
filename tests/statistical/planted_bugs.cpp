// Switches on each of the classical mistakes in turn and reports which experiment sees it.
//
// Usage: planted_bugs [all | name of a mistake]. With `all` no experiment is skipped, and the table
// shows the power of each on its own; with a name, likewise for that mistake alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "statistical/experiment.hpp"
#include "support/planted_bug.hpp"

#ifndef LACUNA_PLANTED_BUGS
#error "this program must be linked to the library with planted bugs"
#endif

namespace {

using namespace lacuna;
using namespace lacuna::statistical;

struct Bug {
  PlantedBug bug;
  std::string_view name;
  std::string_view tried_first = {};  // the experiment made for it; none: the cheapest one
};

constexpr std::array bugs = {
    Bug{PlantedBug::prior_without_binomial, "prior_without_binomial"},
    Bug{PlantedBug::prior_without_box_volume, "prior_without_box_volume"},
    Bug{PlantedBug::edge_probability, "edge_probability"},
    Bug{PlantedBug::forward_weight_backward, "forward_weight_backward"},
    Bug{PlantedBug::gradient_at_wrong_end, "gradient_at_wrong_end"},
    Bug{PlantedBug::box_forgotten, "box_forgotten"},
    Bug{PlantedBug::exchange_sign, "exchange_sign"},
    Bug{PlantedBug::stale_cache_after_rejection, "stale_cache_after_rejection"},
    Bug{PlantedBug::ties_counted_below, "ties_counted_below"},
    Bug{PlantedBug::gradient_through_clip, "gradient_through_clip"},
    Bug{PlantedBug::wrong_dimension, "wrong_dimension"},
    Bug{PlantedBug::swap_sign, "swap_sign"},
    Bug{PlantedBug::exchange_one_lambda, "exchange_one_lambda"},
    Bug{PlantedBug::vacant_units_not_counted, "vacant_units_not_counted", "unit_wide"},
    Bug{PlantedBug::dead_counted_before_birth, "dead_counted_before_birth", "dead_wide"},
    Bug{PlantedBug::count_of_all_active, "count_of_all_active", "birth_death_thirteen"},
    Bug{PlantedBug::class_probability_missing, "class_probability_missing", "birth_death_thirteen"},
    Bug{PlantedBug::unit_probability_missing, "unit_probability_missing", "birth_death_thirteen"},
    Bug{PlantedBug::langevin_without_normaliser, "langevin_without_normaliser",
        "langevin_thirteen"},
    Bug{PlantedBug::momentum_not_turned, "momentum_not_turned", "trajectory_thirteen"},
    Bug{PlantedBug::output_box_forgotten, "output_box_forgotten", "output_thirteen"},
    Bug{PlantedBug::rescale_without_jacobian, "rescale_without_jacobian", "rescale_thirteen"},
    Bug{PlantedBug::scales_of_moving_layer, "scales_of_moving_layer", "trajectory_thirteen"},
};
static_assert(bugs.size() == planted_bug_count);

constexpr std::uint64_t seed = 20240229;

// The names of the experiments that raise an alarm; only the first one unless `all`.
std::string alarms(const Bug& bug, bool all) {
  planted_bug = bug.bug;
  std::vector<Experiment> experiments(all_experiments().begin(), all_experiments().end());
  std::stable_partition(experiments.begin(), experiments.end(),
                        [&](const Experiment& e) { return e.name == bug.tried_first; });
  std::string caught;
  for (const Experiment& experiment : experiments) {
    if (!experiment.run(seed, Budget::fast).alarm) continue;
    caught += fmt::format("{}{}", caught.empty() ? "" : " ", experiment.name);
    if (!all) break;
  }
  planted_bug = PlantedBug::none;
  return caught;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view only = argc > 1 ? argv[1] : "";
  const bool all = !only.empty();
  const auto begin = std::chrono::steady_clock::now();
  std::size_t tried = 0, caught = 0;
  bool false_alarm = false;
  if (only.empty() || only == "all") {
    const std::string without = alarms({PlantedBug::none, "none"}, true);
    fmt::print("{:<28} {}\n", "none", without.empty() ? "no alarm" : without);
    false_alarm = !without.empty();
  }
  for (const Bug& bug : bugs) {
    if (all && only != "all" && only != bug.name) continue;
    const std::string by = alarms(bug, all);
    ++tried;
    caught += !by.empty();
    fmt::print("{:<28} {}\n", bug.name, by.empty() ? "NOT CAUGHT" : by);
    std::fflush(stdout);
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  fmt::print("{} of {} caught, {:.0f} s\n", caught, tried, spent.count());
  return tried > 0 && caught == tried && !false_alarm ? 0 : 1;
}
