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

constexpr int attempts_per_chain = 3;

class Run {
 public:
  Run(const Dataset& data, const Config& config, const std::filesystem::path& out,
      const std::string& command, Observer& observer)
      : config_(config),
        observer_(observer),
        setup_(set_up(data, config, command, observer, [this] { return no_more_search(0.4); })),
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
    for (const Ladder& chain : chains_)
      writer_.write_json(RecordType::checkpoint, chain.coldest().number(), chain.checkpoint());
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
    return observer_.stop_requested() ||
           (config_.time_limit && seconds() > share * *config_.time_limit);
  }
  bool out_of_time() const { return config_.time_limit && seconds() > *config_.time_limit; }
  bool all_steps_known() const { return burn_in_ && gap_ && !planned_by_time_; }
  std::uint64_t total_steps() const { return all_steps_known() ? *burn_in_ + *gap_ * draws_ : 0; }

  void start() {
    Progress progress;
    progress.phase = "start";
    observer_.progress(progress);
    const std::function<bool()> enough = [this] { return no_more_search(0.7); };
    if (!uses_paper_kernel(config_) && config_.start == StartKind::automatic) {
      std::uint64_t most = planned_by_time_ || !burn_in_ ? UINT64_MAX : *burn_in_ / 4;
      for (Chain& chain : tournament(setup_.target, config_, most, threads_, enough)) {
        qualifying_ = chain.iteration();
        chains_.emplace_back(std::move(chain), config_.rungs);
      }
    } else {
      start_each(enough);
    }
    for (const Ladder& chain : chains_) {
      if (!std::isfinite(chain.coldest().state().evaluation.risk)) {
        throw Error(
            ErrorKind::usage,
            "the starting network overflows on these data; use --scale auto or a smaller bound");
      }
    }
    sampling_began_ = last_report_ = Clock::now();
  }

  void start_each(const std::function<bool()>& enough) {
    std::vector<SparseTheta> starts(config_.chains);
    parallel_for(config_.chains, threads_, [&](std::size_t c) {
      starts[c] = first_point(setup_.target, config_, static_cast<std::uint32_t>(c),
                              attempts_per_chain, enough);
    });
    chains_.reserve(config_.chains);
    for (std::size_t c = 0; c < config_.chains; ++c) {
      Engine engine = uses_paper_kernel(config_)
                          ? Engine(PaperEngine(setup_.target, config_, starts[c].size()))
                          : Engine(MixtureEngine(setup_.target));
      chains_.emplace_back(Chain(static_cast<std::uint32_t>(c), setup_.target, std::move(engine),
                                 std::move(starts[c])),
                           config_.rungs);
    }
  }

  bool stopped() { return observer_.stop_requested() || out_of_time(); }

  double work() const {  // of a chain, on average
    double sum = 0.0;
    for (const Ladder& chain : chains_) sum += chain.work() / static_cast<double>(chains_.size());
    return sum;
  }

  // Steps of the next round: by what the last ones cost.
  std::uint64_t round_steps() const {
    return static_cast<std::uint64_t>(
        std::clamp(work_per_round / std::max(work_per_step_, 1.0), 8.0, 8192.0));
  }

  template <class Work>
  void round(std::uint64_t steps, Work&& step_chain) {
    const double before = work();
    // What chains leave idle goes to their rungs.
    const std::size_t each = std::max<std::size_t>(1, threads_ / chains_.size());
    parallel_for(chains_.size(), threads_, [&](std::size_t c) { step_chain(chains_[c], each); });
    work_per_step_ = (work() - before) / static_cast<double>(steps);
  }

  bool burn_in() {
    const double began = seconds(), work_before = work();
    std::uint64_t done = qualifying_;
    // A run planned by time alone spends a third of it here.
    const auto more = [&] {
      if (planned_by_time_) return seconds() < began + (*config_.time_limit - began) / 3.0;
      if (burn_in_) return done < *burn_in_;
      return done < least_burn_in || work() - work_before < burn_in_work;
    };
    work_per_step_ = work_per_round / 16.0;
    while (more()) {
      if (stopped()) return false;
      const std::uint64_t steps =
          planned_by_time_ || !burn_in_ ? round_steps() : std::min(round_steps(), *burn_in_ - done);
      round(steps, [&](Ladder& chain, std::size_t threads) { chain.burn_in(steps, threads); });
      done += steps;
      report("burn-in", done);
    }
    const double steps_per_second =
        static_cast<double>(done - qualifying_) / std::max(seconds() - began, 1e-9);
    const double mean_work = (work() - work_before) /
                             static_cast<double>(std::max<std::uint64_t>(done - qualifying_, 1));
    plan(done, steps_per_second, mean_work);
    for (Ladder& chain : chains_) {
      chain.end_burn_in();
      writer_.write_json(RecordType::checkpoint, chain.coldest().number(), chain.checkpoint());
    }
    const nlohmann::json plan = {{"burn-in", *burn_in_}, {"gap", *gap_}, {"draws", draws_}};
    writer_.write_json(RecordType::note, 0, nlohmann::json{{"plan", plan}}.dump());
    writer_.flush();
    return true;
  }

  // Fills in what was not asked for: by the time left, or by the work that steps have cost so far.
  void plan(std::uint64_t done, double steps_per_second, double mean_work) {
    burn_in_ = done;
    if (planned_by_time_) {
      // A little less than the time allows, so that the last draw is inside it.
      const double steps =
          std::max(1.0, 0.93 * steps_per_second * (*config_.time_limit - seconds()));
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
    const std::uint64_t total = *gap_ * draws_;
    auto synced = Clock::now();
    for (std::uint64_t done = 0; done < total;) {
      if (stopped()) return false;
      const std::uint64_t steps = std::min(round_steps(), total - done);
      round(steps,
            [&](Ladder& chain, std::size_t threads) { chain.sample(steps, *gap_, threads); });
      done += steps;
      for (Ladder& chain : chains_) write_block(chain.coldest());
      if (std::chrono::duration<double>(Clock::now() - synced).count() > config_.checkpoint_every) {
        writer_.sync();
        synced = Clock::now();
      }
      report("sampling", *burn_in_ + done);
    }
    return true;
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
    const auto chains = static_cast<double>(chains_.size());
    progress.steps_done = steps * chains_.size();
    progress.steps_total = total_steps() * chains_.size();
    progress.steps_per_second = static_cast<double>(progress.steps_done) / elapsed;
    if (planned_by_time_) {
      progress.fraction = std::min(1.0, seconds() / *config_.time_limit);
      progress.seconds_left = *config_.time_limit - seconds();
    } else {
      progress.fraction = all_steps_known()
                              ? static_cast<double>(steps) / static_cast<double>(total_steps())
                              : 0.3 * std::min(1.0, work() / burn_in_work);
      progress.seconds_left = elapsed * (1.0 - progress.fraction) / progress.fraction;
      if (config_.time_limit)
        progress.seconds_left = std::min(progress.seconds_left, *config_.time_limit - seconds());
    }
    for (Ladder& ladder : chains_) {
      Chain& chain = ladder.coldest();
      progress.acceptance += chain.acceptance_since_last_asked() / chains;
      progress.risk += chain.state().evaluation.risk / chains;
      progress.active += static_cast<double>(chain.state().theta.size()) / chains;
    }
    observer_.progress(progress);
  }

  const Clock::time_point began_ = Clock::now();
  const Config config_;
  Observer& observer_;
  Setup setup_;
  FitWriter writer_;
  std::size_t threads_;
  std::optional<std::uint64_t> burn_in_, gap_;  // found on the way where not given
  std::uint64_t draws_;
  double work_per_step_ = 0.0;
  bool planned_by_time_;
  std::uint64_t qualifying_ = 0;  // steps of burn-in already made while starts were compared
  std::vector<Ladder> chains_;
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
