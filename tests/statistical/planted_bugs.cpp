// Switches on each of the fifteen classical mistakes in turn and reports which experiment sees it.
//
// Usage: planted_bugs [all]. With `all` no experiment is skipped, and the table shows the power of
// each on its own.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

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
    Bug{PlantedBug::vacant_units_not_counted, "vacant_units_not_counted"},
    Bug{PlantedBug::dead_counted_before_birth, "dead_counted_before_birth"},
};
static_assert(bugs.size() == 15);

constexpr std::uint64_t seed = 20240229;

// The names of the experiments that raise an alarm; only the first one unless `all`.
std::string alarms(PlantedBug bug, bool all) {
  planted_bug = bug;
  std::string caught;
  for (const Experiment& experiment : all_experiments()) {
    if (!experiment.run(seed, Budget::fast).alarm) continue;
    caught += fmt::format("{}{}", caught.empty() ? "" : " ", experiment.name);
    if (!all) break;
  }
  planted_bug = PlantedBug::none;
  return caught;
}

}  // namespace

int main(int argc, char** argv) {
  const bool all = argc > 1 && std::string_view(argv[1]) == "all";
  const auto begin = std::chrono::steady_clock::now();
  const std::string without = alarms(PlantedBug::none, true);
  fmt::print("{:<28} {}\n", "none", without.empty() ? "no alarm" : without);
  std::size_t caught = 0;
  for (const Bug& bug : bugs) {
    const std::string by = alarms(bug.bug, all);
    caught += !by.empty();
    fmt::print("{:<28} {}\n", bug.name, by.empty() ? "NOT CAUGHT" : by);
    std::fflush(stdout);
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  fmt::print("{} of {} caught, {:.0f} s\n", caught, bugs.size(), spent.count());
  return caught == bugs.size() && without.empty() ? 0 : 1;
}
