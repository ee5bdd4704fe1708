// The run itself: chains advance in rounds of a fixed number of steps, and between rounds one
// thread writes.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"
#include "run/ladder.hpp"
#include "run/setup.hpp"
#include "run/tournament.hpp"
#include "support/check.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

// Multiply-adds between two looks at the clock: a few hundredths of a second. Work is a function of
// data and seed alone, so the file does not depend on the speed of the machine or the number of
// threads.
constexpr double work_per_round = 4e8;
// Multiply-adds of a chain in burn-in and for 1,000 draws, where nothing else is asked for: with
// four chains some twenty seconds on two cores.
constexpr double burn_in_work = 3e10, sampling_work = 6e10;
constexpr std::uint64_t least_burn_in = 500;
constexpr double usual_draws = 1000.0;

constexpr int attempts_per_walker = 3;

class Run {
 public:
  Run(const Dataset& data, const Config& config, const std::filesystem::path& out,
      const std::string& command, Observer& observer)
      : observer_(observer),
        time_limit_(config.time_limit),
        setup_(set_up(data, config, command, observer, [this] { return no_more_search(0.4); })),
        config_(setup_.info.config),
        writer_(out, setup_.info),
        threads_(thread_count(config.threads)),
        burn_in_(run_length(config).burn_in),
        gap_(run_length(config).gap),
        draws_(run_length(config).draws),
        planned_by_time_(config.time_limit && !config.burn_in && !config.draws) {}

  bool go() {
    observer_.inform(fmt::format("lambda {:.6g} ({}), P = {} weights", setup_.info.lambda,
                                 setup_.info.lambda_origin, setup_.info.parameter_count));
    start();
    bool whole = burn_in();
    if (whole) whole = sample();
    write_checkpoints();
    const nlohmann::json end = {{"finished", whole}, {"seconds", seconds()}};
    writer_.write_json(RecordType::note, 0, nlohmann::json{{"end", end}}.dump());
    writer_.sync();
    writer_.close();
    return whole;
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  // Looking for lambda, and then for starts, may take these shares of the time there is.
  bool no_more_search(double share) const {
    return observer_.stop_requested() || (time_limit_ && seconds() > share * *time_limit_);
  }
  bool out_of_time() const { return time_limit_ && seconds() > *time_limit_; }
  bool all_steps_known() const { return burn_in_ && gap_ && !planned_by_time_; }
  std::uint64_t total_steps() const {  // of a walker
    return all_steps_known() ? *burn_in_ + *gap_ * draws_of_walker(0) : 0;
  }

  void start() {
    Progress progress;
    progress.phase = "start";
    observer_.progress(progress);
    const std::function<bool()> enough = [this] { return no_more_search(0.7); };
    if (!uses_paper_kernel(config_) && config_.start == StartKind::automatic) {
      std::uint64_t most = planned_by_time_ || !burn_in_ ? UINT64_MAX : *burn_in_ / 4;
      for (Chain& chain : tournament(setup_.target, config_, most, threads_, enough)) {
        qualifying_ = chain.iteration();
        walkers_.emplace_back(std::move(chain), config_.rungs);
      }
    } else {
      start_each(enough);
    }
    for (const Ladder& walker : walkers_) {
      if (!std::isfinite(walker.coldest().state().evaluation.risk)) {
        throw Error(
            ErrorKind::usage,
            "the starting network overflows on these data; use --scale auto or a smaller bound");
      }
    }
    sampling_began_ = last_report_ = Clock::now();
  }

  void start_each(const std::function<bool()>& enough) {
    std::vector<SparseTheta> starts(walkers_in_all(config_));
    parallel_for(starts.size(), threads_, [&](std::size_t w) {
      starts[w] = first_point(setup_.target, config_, static_cast<std::uint32_t>(w),
                              attempts_per_walker, enough);
    });
    walkers_.reserve(starts.size());
    for (std::size_t w = 0; w < starts.size(); ++w) {
      Engine engine = uses_paper_kernel(config_)
                          ? Engine(PaperEngine(setup_.target, config_, starts[w].size()))
                          : Engine(MixtureEngine(setup_.target));
      walkers_.emplace_back(Chain(static_cast<std::uint32_t>(w), setup_.target, std::move(engine),
                                  std::move(starts[w])),
                            config_.rungs);
    }
  }

  bool stopped() { return observer_.stop_requested() || out_of_time(); }

  double work() const {  // of a walker, on average
    double sum = 0.0;
    for (const Ladder& walker : walkers_) sum += walker.work();
    return sum / static_cast<double>(walkers_.size());
  }

  // Steps of the next round: by what the last ones cost.
  std::uint64_t round_steps() const {
    return static_cast<std::uint64_t>(
        std::clamp(work_per_round / std::max(work_per_step_, 1.0), 8.0, 8192.0));
  }

  template <class Work>
  void round(std::uint64_t steps, Work&& step_walker) {
    const double before = work();
    // What walkers leave idle goes to their rungs.
    const std::size_t each = std::max<std::size_t>(1, threads_ / walkers_.size());
    parallel_for(walkers_.size(), threads_, [&](std::size_t w) { step_walker(w, each); });
    work_per_step_ = (work() - before) / static_cast<double>(steps);
  }

  bool burn_in() {
    const double began = seconds(), work_before = work();
    std::uint64_t done = qualifying_;
    // A run planned by time alone spends a third of it here.
    const auto more = [&] {
      if (planned_by_time_) return seconds() < began + (*time_limit_ - began) / 3.0;
      if (burn_in_) return done < *burn_in_;
      return done < least_burn_in ||
             work() - work_before < burn_in_work / static_cast<double>(walkers_per_chain());
    };
    work_per_step_ = work_per_round / 16.0;
    while (more()) {
      if (stopped()) return false;
      const std::uint64_t steps =
          planned_by_time_ || !burn_in_ ? round_steps() : std::min(round_steps(), *burn_in_ - done);
      round(steps,
            [&](std::size_t w, std::size_t threads) { walkers_[w].burn_in(steps, threads); });
      done += steps;
      report("burn-in", done);
    }
    const double steps_per_second =
        static_cast<double>(done - qualifying_) / std::max(seconds() - began, 1e-9);
    const double mean_work = (work() - work_before) /
                             static_cast<double>(std::max<std::uint64_t>(done - qualifying_, 1));
    plan(done, steps_per_second, mean_work);
    for (Ladder& walker : walkers_) walker.end_burn_in();
    write_checkpoints();
    const nlohmann::json plan = {{"burn-in", *burn_in_}, {"gap", *gap_}, {"draws", draws_}};
    writer_.write_json(RecordType::note, 0, nlohmann::json{{"plan", plan}}.dump());
    writer_.flush();
    return true;
  }

  // Fills in what was not asked for: by the time left, or by the work that steps have cost so far.
  void plan(std::uint64_t done, double steps_per_second, double mean_work) {
    burn_in_ = done;
    if (planned_by_time_) {
      // Of all walkers of a chain, and a little less than the time allows, so that the last draw is
      // inside it.
      const double steps = std::max(1.0, 0.93 * steps_per_second * (*time_limit_ - seconds())) *
                           static_cast<double>(walkers_per_chain());
      gap_ = config_.gap.value_or(
          std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps / usual_draws)));
      draws_ = std::max<std::uint64_t>(
          1, static_cast<std::uint64_t>(steps / static_cast<double>(*gap_)));
    } else if (!gap_) {
      gap_ = static_cast<std::uint64_t>(
          std::clamp(sampling_work / usual_draws / std::max(mean_work, 1.0), 1.0, 1000.0));
    }
  }

  bool sample() {
    auto synced = Clock::now();
    const std::uint64_t longest = *gap_ * draws_of_walker(0);
    for (std::uint64_t done = 0; done < longest;) {
      if (stopped()) return false;
      const std::uint64_t steps = std::min(round_steps(), longest - done);
      round(steps, [&](std::size_t w, std::size_t threads) {
        const std::uint64_t own = *gap_ * draws_of_walker(w);
        walkers_[w].sample(std::min(steps, own - std::min(own, done)), *gap_, threads);
      });
      done += steps;
      for (Ladder& walker : walkers_) write_block(walker.coldest());
      if (std::chrono::duration<double>(Clock::now() - synced).count() > config_.checkpoint_every) {
        writer_.sync();
        synced = Clock::now();
      }
      report("sampling", *burn_in_ + done);
    }
    return true;
  }

  std::size_t walkers_per_chain() const { return *config_.walkers; }

  // Draw d of a chain is one of its walker d % W.
  std::uint64_t draws_of_walker(std::size_t w) const {
    const std::uint64_t walkers = walkers_per_chain(), place = w % walkers;
    return (draws_ + walkers - 1 - place) / walkers;
  }

  void write_checkpoints() {
    for (const Ladder& walker : walkers_)
      writer_.write_json(RecordType::checkpoint, walker.coldest().number(), walker.checkpoint());
  }

  void write_block(Chain& chain) {
    DrawBlock& block = chain.block();
    if (block.count == 0) return;
    writer_.write_draws(chain.number(), block);
    block.clear(block.first + block.count);
  }

  void report(const char* phase, std::uint64_t steps) {
    const auto now = Clock::now();
    if (std::chrono::duration<double>(now - last_report_).count() < 0.1) return;
    last_report_ = now;
    Progress progress;
    progress.phase = phase;
    const double elapsed = std::chrono::duration<double>(now - sampling_began_).count();
    const auto walkers = static_cast<double>(walkers_.size());
    progress.steps_done = steps * walkers_.size();
    progress.steps_total = total_steps() * walkers_.size();
    progress.steps_per_second = static_cast<double>(progress.steps_done) / elapsed;
    if (planned_by_time_) {
      progress.fraction = std::min(1.0, seconds() / *time_limit_);
      progress.seconds_left = *time_limit_ - seconds();
    } else {
      progress.fraction = all_steps_known()
                              ? static_cast<double>(steps) / static_cast<double>(total_steps())
                              : 0.3 * std::min(1.0, work() / burn_in_work *
                                                        static_cast<double>(walkers_per_chain()));
      progress.seconds_left = elapsed * (1.0 - progress.fraction) / progress.fraction;
      if (time_limit_)
        progress.seconds_left = std::min(progress.seconds_left, *time_limit_ - seconds());
    }
    for (Ladder& ladder : walkers_) {
      Chain& chain = ladder.coldest();
      progress.acceptance += chain.acceptance_since_last_asked() / walkers;
      progress.risk += chain.state().evaluation.risk / walkers;
      progress.active += static_cast<double>(chain.state().theta.size()) / walkers;
    }
    observer_.progress(progress);
  }

  const Clock::time_point began_ = Clock::now();
  Observer& observer_;
  const std::optional<double> time_limit_;
  Setup setup_;
  const Config config_;  // with what was found out about the model
  FitWriter writer_;
  std::size_t threads_;
  std::optional<std::uint64_t> burn_in_, gap_;  // found on the way where not given
  std::uint64_t draws_;
  double work_per_step_ = 0.0;
  bool planned_by_time_;
  std::uint64_t qualifying_ = 0;  // steps of burn-in already made while starts were compared
  std::vector<Ladder> walkers_;   // of the first chain, then of the second, ...
  Clock::time_point sampling_began_ = began_, last_report_ = began_;
};

}  // namespace

bool fit(const Dataset& data, const Config& config, const std::filesystem::path& out,
         const std::string& command, Observer& observer) {
  std::error_code absent;
  if (config.start == StartKind::file &&
      std::filesystem::equivalent(config.start_file, out, absent)) {
    refuse("start", config.start_file, "is also where the fit would go; give another --out");
  }
  return Run(data, config, out, command, observer).go();
}

}  // namespace lacuna
