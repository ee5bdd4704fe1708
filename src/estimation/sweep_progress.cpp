#include "estimation/sweep_progress.hpp"

#include <fmt/format.h>

namespace lacuna {
namespace {

constexpr double seconds_between = 0.2;

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

bool SweepProgress::rung_done() {
  const std::uint64_t done = ++done_;
  if (observer_ == nullptr) return true;
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) {
    const Clock::time_point now = Clock::now();
    if (seconds(now - told_) >= seconds_between) {
      told_ = now;
      Progress progress;
      progress.phase = "certify";
      progress.fraction = static_cast<double>(done) / static_cast<double>(total_);
      progress.steps_done = done;
      progress.steps_total = total_;
      progress.seconds_left = seconds(now - began_) * (1.0 / progress.fraction - 1.0);
      progress.words = fmt::format("{} of {} temperatures", done, total_);
      observer_->progress(progress);
    }
  }
  return !observer_->stop_requested();
}

}  // namespace lacuna
