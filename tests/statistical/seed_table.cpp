// Every statistical experiment at 20 fresh seeds with the full budget: at most one alarm each.
//
// Usage: seed_table [base seed] [name of one experiment]. Without a base seed the clock gives one;
// it is printed, for replay.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "statistical/experiment.hpp"

namespace {

using namespace lacuna::statistical;

constexpr std::size_t seeds = 20;

double seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::array<Result, seeds> run_seeds(const Experiment& experiment, std::uint64_t base) {
  std::array<Result, seeds> results;
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (unsigned w = 0; w < std::max(1U, std::thread::hardware_concurrency()); ++w) {
    workers.emplace_back([&] {
      for (std::size_t i = next++; i < seeds; i = next++) {
        results[i] = experiment.run(base + i, Budget::full);
      }
    });
  }
  workers.clear();  // joins
  return results;
}

// Prints one row of the table, the worst seed's details and every alarm; returns the alarms.
std::size_t report(const Experiment& experiment, std::uint64_t base) {
  const double begin = seconds();
  const std::array<Result, seeds> results = run_seeds(experiment, base);
  std::size_t alarms = 0, worst = 0;
  for (std::size_t i = 0; i < seeds; ++i) {
    const Result& r = results[i];
    alarms += r.alarm;
    if (r.statistic * results[worst].threshold > results[worst].statistic * r.threshold) worst = i;
  }
  fmt::print("{:<22} {:>12} {:>12.4g} {:>12.4g} {:>8.0f}\n", experiment.name, alarms,
             results[worst].statistic, results[worst].threshold, seconds() - begin);
  fmt::print("    worst, seed {}: {}\n", base + worst, results[worst].details);
  for (std::size_t i = 0; i < seeds; ++i) {
    if (results[i].alarm) fmt::print("    ALARM at seed {}: {}\n", base + i, results[i].details);
  }
  std::fflush(stdout);
  return alarms;
}

}  // namespace

int main(int argc, char** argv) {
  const auto clock = std::chrono::system_clock::now().time_since_epoch().count();
  const std::uint64_t base = argc > 1 ? std::strtoull(argv[1], nullptr, 10)
                                      : static_cast<std::uint64_t>(clock) % 1000000000U;
  const std::string_view only = argc > 2 ? argv[2] : "";
  fmt::print("base seed {}\n{:<22} {:>12} {:>12} {:>12} {:>8}\n", base, "experiment",
             "alarms of 20", "worst", "threshold", "seconds");
  std::size_t run = 0, failed = 0;
  for (const Experiment& experiment : all_experiments()) {
    if (!only.empty() && experiment.name != only) continue;
    failed += report(experiment, base) > 1;
    ++run;
  }
  if (run == 0) {
    fmt::print(stderr, "seed_table: no experiment named {}\n", only);
    return 2;
  }
  fmt::print("{}\n", failed > 0 ? "FAILED: an experiment has more than one alarm" : "passed");
  return failed > 0 ? 1 : 0;
}
