#include "run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "lacuna/errors.hpp"
#include "run/effort.hpp"
#include "run/tournament.hpp"
#include "support/bounded_json.hpp"
#include "support/parallel.hpp"

namespace lacuna {

using nlohmann::json;

namespace {

// Multiply-adds between two looks at the clock: a few hundredths of a second.
constexpr double work_per_round = 4e8;
// A walker advances in so many pieces: with whole rounds, eight walkers on two threads had left one
// of them idle for a tenth of the time.
constexpr std::uint64_t pieces_of_round = 8;
// Multiply-adds of a chain in burn-in and for 1,000 draws, where nothing else is asked for and rows
// are many enough (see effort.hpp): with four chains some twenty seconds on two cores.
constexpr double burn_in_work = 3e10, sampling_work = 6e10;
constexpr std::uint64_t least_burn_in = 500;
constexpr double usual_draws = 1000.0;
constexpr int attempts_per_walker = 3;
// Marks come after 8, 16, 32, 64 rounds and so on; after burn-in not more than 128 rounds, some ten
// seconds, apart. In burn-in they hold all that was learnt, which may be a lot.
constexpr std::uint64_t first_mark = 8, rounds_between_marks = 128;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

}  // namespace

Run::Run(Setup setup, FitWriter writer, TimeLimit limit, std::size_t threads, Observer& observer)
    : observer_(observer),
      limit_(limit),
      setup_(std::move(setup)),
      config_(setup_.info.config),
      writer_(std::move(writer)),
      effort_(effort_for(setup_.target.samples->rows(), config_)),
      threads_(thread_count(threads)),
      burn_in_(run_length(config_).burn_in),
      gap_(run_length(config_).gap),
      draws_(run_length(config_).draws),
      planned_by_time_(planned_by_time(config_)) {}

bool Run::from_the_start() {
  const FitInfo& info = setup_.info;
  const std::string inputs =
      info.network_inputs.empty()
          ? ""
          : fmt::format(", {} of {} inputs", info.network_inputs.size(), info.input_names.size());
  observer_.inform(fmt::format("lambda {:.6g} ({}), P = {} weights{}", info.lambda,
                               info.lambda_origin, info.parameter_count, inputs));
  start();
  // Training that was cut short is not where a run that goes on would begin.
  const bool whole = !observer_.stop_requested() && sample_to_the_end();
  writer_.sync();
  writer_.close();
  return whole;
}

bool Run::from(const ResumePoint& point, std::optional<std::uint64_t> draws) {
  if (point.walkers.empty()) {
    start();
    if (observer_.stop_requested()) return false;
  } else {
    try {
      restore(point);
    } catch (const Error&) {
      throw;
    } catch (const std::exception& trouble) {
      throw Error(ErrorKind::bad_data,
                  fmt::format("the fit cannot be continued: a damaged checkpoint ({})",
                              reason_of(trouble)));
    }
  }
  const bool nothing_left = point.finished && !burning_ && point.mark.draws == draws_;
  bool whole = nothing_left || sample_to_the_end();
  if (whole && draws && *draws > draws_) {
    draws_ = *draws;
    write_plan();
    whole = sample_to_the_end();
  }
  writer_.sync();
  writer_.close();
  return whole;
}

bool Run::sample_to_the_end() {
  const bool whole = (!burning_ || burn_in()) && sample();
  write_end(whole);
  return whole;
}

std::uint64_t Run::draws_of_walker(std::size_t w) const {
  // Draw d of a chain is one of its walker d % W.
  const std::uint64_t walkers = walkers_per_chain(), place = w % walkers;
  return (draws_ + walkers - 1 - place) / walkers;
}

std::uint64_t Run::total_steps() const {
  return all_steps_known() ? *burn_in_ + *gap_ * draws_of_walker(0) : 0;
}

double Run::work() const {
  double sum = 0.0;
  for (const Ladder& walker : walkers_) sum += walker.work();
  return sum / static_cast<double>(walkers_.size());
}

// Steps of the next round: by what the last ones cost. After burn-in whole gaps, so that rounds end
// with a draw, where chains know nothing but their point.
std::uint64_t Run::round_steps() const {
  const auto steps = static_cast<std::uint64_t>(
      std::clamp(work_per_round / std::max(work_per_step_, 1.0), 8.0, 8192.0));
  return burning_ ? steps : std::max<std::uint64_t>(1, steps / *gap_) * *gap_;
}

bool Run::time_for_a_mark() const {
  if (rounds_ < first_mark) return false;
  return std::has_single_bit(rounds_) || (!burning_ && rounds_ % rounds_between_marks == 0);
}

void Run::start() {
  Progress progress;
  progress.phase = "start";
  observer_.progress(progress);
  const std::function<bool()> enough = [this] { return enough_starts(); };
  if (!uses_paper_kernel(config_) && config_.start == StartKind::automatic) {
    const std::uint64_t most = planned_by_time_ || !burn_in_ ? UINT64_MAX : *burn_in_ / 4;
    for (Chain& chain : tournament(setup_.target, config_, most, threads_, enough)) {
      qualifying_ = chain.iteration();
      walkers_.emplace_back(std::move(chain), config_.rungs);
    }
  } else {
    start_each(enough);
  }
  for (Ladder& walker : walkers_) {
    walker.refresh();
    if (!std::isfinite(walker.coldest().state().evaluation.risk)) {
      throw Error(
          ErrorKind::usage,
          "the starting network overflows on these data; use --scale auto or a smaller bound");
    }
  }
  done_ = qualifying_;
  work_before_ = work();
  work_per_step_ = work_per_round / 16.0;
  sampling_began_ = last_report_ = Clock::now();
}

Engine Run::engine_for(std::size_t size) const {
  return uses_paper_kernel(config_) ? Engine(PaperEngine(setup_.target, config_, size))
                                    : Engine(MixtureEngine(setup_.target));
}

void Run::start_each(const std::function<bool()>& enough) {
  std::vector<SparseTheta> starts(walkers_in_all(config_));
  parallel_for(starts.size(), threads_, [&](std::size_t w) {
    starts[w] = first_point(setup_.target, config_, static_cast<std::uint32_t>(w),
                            attempts_per_walker, enough);
  });
  walkers_.reserve(starts.size());
  for (std::size_t w = 0; w < starts.size(); ++w) {
    Engine engine = engine_for(starts[w].size());
    walkers_.emplace_back(Chain(static_cast<std::uint32_t>(w), setup_.target, std::move(engine),
                                std::move(starts[w])),
                          config_.rungs);
  }
}

void Run::restore(const ResumePoint& point) {
  const RunMark& mark = point.mark;
  burning_ = mark.burning;
  done_ = mark.done;
  qualifying_ = mark.qualifying;
  rounds_ = mark.rounds;
  work_per_step_ = mark.work_per_step;
  work_before_ = mark.work_before;
  if (point.plan) {
    // Also where burn-in has to be made again from an earlier mark: a plan by the clock would come
    // out differently.
    burn_in_ = point.plan->burn_in;
    gap_ = point.plan->gap;
    draws_ = point.plan->draws;
    planned_by_time_ = false;
  }
  for (std::size_t w = 0; w < point.walkers.size(); ++w) {
    walkers_.emplace_back(static_cast<std::uint32_t>(w), setup_.target, engine_for(1),
                          config_.rungs, point.walkers[w]);
    Chain& chain = walkers_.back().coldest();
    if (chain.burning() != burning_) throw std::runtime_error("a walker of another phase");
    if (!burning_) chain.count_draws_from(chain.steps_since_burn_in() / *gap_);
  }
  steps_before_ = burning_ ? done_ : *burn_in_ + done_;
  sampling_began_ = last_report_ = Clock::now();
  if (!burning_ && mark.draws != draws_) write_plan();
}

template <class Work>
void Run::round(std::uint64_t steps, Work&& step_walker) {
  const double before = work();
  // What walkers leave idle goes to their rungs.
  const std::size_t each = std::max<std::size_t>(1, threads_ / walkers_.size());
  parallel_in_pieces(walkers_.size(), pieces_of_round, threads_,
                     [&](std::size_t w, std::size_t piece) {
                       step_walker(w, steps * piece / pieces_of_round,
                                   steps * (piece + 1) / pieces_of_round, each);
                     });
  work_per_step_ = (work() - before) / static_cast<double>(steps);
  done_ += steps;
  ++rounds_;
}

bool Run::burn_in() {
  const double began = limit_.spent();
  const std::uint64_t done_before = done_;
  // A run planned by time alone spends a third of it here.
  const auto more = [&] {
    if (planned_by_time_)
      return limit_.spent() < began + (limit_.seconds.value_or(*config_.time_limit) - began) / 3.0;
    if (burn_in_) return done_ < *burn_in_;
    return done_ < least_burn_in ||
           work() - work_before_ <
               effort_ * burn_in_work / static_cast<double>(walkers_per_chain());
  };
  while (more()) {
    if (stopped()) return false;
    const std::uint64_t steps =
        planned_by_time_ || !burn_in_ ? round_steps() : std::min(round_steps(), *burn_in_ - done_);
    round(steps, [&](std::size_t w, std::uint64_t from, std::uint64_t to, std::size_t threads) {
      walkers_[w].burn_in(to - from, threads);
      if (to == steps) walkers_[w].refresh();
    });
    if (time_for_a_mark()) {
      mark();
      writer_.sync();
    }
    report("burn-in", done_);
  }
  plan(static_cast<double>(done_ - done_before) / std::max(limit_.spent() - began, 1e-9));
  for (Ladder& walker : walkers_) walker.end_burn_in();
  burning_ = false;
  done_ = rounds_ = 0;
  write_checkpoints();
  write_plan();
  write_mark(false);
  writer_.sync();
  return true;
}

// Fills in what was not asked for: by the time left, or by the work that steps have cost so far.
void Run::plan(double steps_per_second) {
  const double mean_work = (work() - work_before_) /
                           static_cast<double>(std::max<std::uint64_t>(done_ - qualifying_, 1));
  burn_in_ = done_;
  if (planned_by_time_) {
    // Of all walkers of a chain, and a little less than the time allows, so that the last draw is
    // inside it.
    const double left = limit_.seconds.value_or(*config_.time_limit) - limit_.spent();
    const double steps =
        std::max(1.0, 0.93 * steps_per_second * left) * static_cast<double>(walkers_per_chain());
    gap_ = config_.gap.value_or(
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps / usual_draws)));
    draws_ =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps / static_cast<double>(*gap_)));
  } else if (!gap_) {
    gap_ = static_cast<std::uint64_t>(
        std::clamp(effort_ * sampling_work / usual_draws / std::max(mean_work, 1.0), 1.0, 1000.0));
  }
}

bool Run::sample() {
  auto synced = Clock::now();
  const std::uint64_t longest = *gap_ * draws_of_walker(0);
  while (done_ < longest) {
    // A run that the clock planned has at least its first draws, even if starts and burn-in took
    // all the time there was.
    const bool owed = planned_by_time_ && done_ == 0 && !observer_.stop_requested();
    if (!owed && stopped()) return false;
    const std::uint64_t steps = std::min(round_steps(), longest - done_), begin = done_;
    round(steps, [&](std::size_t w, std::uint64_t, std::uint64_t to, std::size_t threads) {
      // Not all walkers have the same number of draws, nor had they before this run was extended.
      const std::uint64_t until = std::min(begin + to, *gap_ * draws_of_walker(w));
      const std::uint64_t have = walkers_[w].coldest().steps_since_burn_in();
      if (until > have) walkers_[w].sample(until - have, *gap_, threads);
    });
    write_draws();
    if (time_for_a_mark()) mark();
    writer_.flush();
    if (seconds_since(synced) > config_.checkpoint_every) {
      writer_.sync();
      synced = Clock::now();
    }
    report("sampling", *burn_in_ + done_);
  }
  return true;
}

void Run::write_draws() {
  for (Ladder& walker : walkers_) {
    Chain& chain = walker.coldest();
    DrawBlock& block = chain.block();
    if (block.count == 0) continue;
    writer_.write_draws(chain.number(), block);
    block.clear(block.first + block.count);
  }
}

void Run::write_note(const json& note) { writer_.write_json(RecordType::note, 0, note.dump()); }

void Run::write_checkpoints() {
  for (const Ladder& walker : walkers_)
    writer_.write_json(RecordType::checkpoint, walker.coldest().number(), walker.checkpoint());
}

void Run::write_plan() { write_note({{"plan", json_of(RunPlan{*burn_in_, *gap_, draws_})}}); }

// The note that closes a group of checkpoints; see ResumePoint.
void Run::write_mark(bool stop) {
  write_note({{"mark", json_of(RunMark{burning_, done_, draws_, qualifying_, rounds_,
                                       work_per_step_, work_before_, stop})}});
}

void Run::mark() {
  write_checkpoints();
  write_mark(false);
}

void Run::write_end(bool whole) {
  if (!whole) write_note({{"stopping", true}});
  write_checkpoints();
  write_note({{"end", {{"finished", whole}}}});
  write_mark(!whole);
}

void Run::report(const char* phase, std::uint64_t steps) {
  const auto now = Clock::now();
  if (std::chrono::duration<double>(now - last_report_).count() < 0.1) return;
  last_report_ = now;
  Progress progress;
  progress.phase = phase;
  const double elapsed = std::chrono::duration<double>(now - sampling_began_).count();
  const auto walkers = static_cast<double>(walkers_.size());
  progress.steps_done = steps * walkers_.size();
  progress.steps_total = total_steps() * walkers_.size();
  const std::uint64_t now_done = steps - std::min(steps, steps_before_);
  progress.steps_per_second = static_cast<double>(now_done) * walkers / elapsed;
  if (planned_by_time_) {
    const double limit = limit_.seconds.value_or(*config_.time_limit);
    progress.fraction = std::min(1.0, limit_.spent() / limit);
    progress.seconds_left = limit - limit_.spent();
  } else {
    progress.fraction = all_steps_known()
                            ? static_cast<double>(steps) / static_cast<double>(total_steps())
                            : 0.3 * std::min(1.0, work() / (effort_ * burn_in_work) *
                                                      static_cast<double>(walkers_per_chain()));
    progress.seconds_left = elapsed * (1.0 - progress.fraction) / progress.fraction *
                            static_cast<double>(steps) /
                            static_cast<double>(std::max<std::uint64_t>(now_done, 1));
    if (limit_.seconds)
      progress.seconds_left = std::min(progress.seconds_left, *limit_.seconds - limit_.spent());
  }
  for (Ladder& ladder : walkers_) {
    Chain& chain = ladder.coldest();
    progress.acceptance += chain.acceptance_since_last_asked() / walkers;
    progress.risk += chain.state().evaluation.risk / walkers;
    progress.active += static_cast<double>(chain.state().theta.size()) / walkers;
  }
  observer_.progress(progress);
}

}  // namespace lacuna
