// How far the sweeps of a certificate are, for whoever waits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "lacuna/sinks.hpp"

namespace lacuna {

class SweepProgress {
 public:
  // No observer: nobody waits, and nobody stops it.
  SweepProgress(std::uint64_t rungs, Observer* observer) : total_(rungs), observer_(observer) {}

  // One more rung is done; says whether to go on. Called by several threads.
  bool rung_done();

 private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t total_;
  Observer* observer_;
  std::atomic<std::uint64_t> done_ = 0;
  std::mutex mutex_;  // of what follows, and of telling
  Clock::time_point began_ = Clock::now(), told_ = began_;
};

}  // namespace lacuna
