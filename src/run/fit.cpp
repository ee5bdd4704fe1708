// Fitting and going on with a fit: from data and options, or from data and a file, to a run.
#include "lacuna/fit.hpp"

#include <fmt/format.h>

#include "lacuna/errors.hpp"
#include "run/run.hpp"
#include "support/bounded_json.hpp"
#include "support/check.hpp"

namespace lacuna {
namespace {

template <class T>
void check_same(const char* option, const T& asked, const T& there, const std::string& file) {
  if (asked == there) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is not what it was when {} was begun; give the same command as then, "
                          "or start anew without --resume",
                          option, file));
}

ResumePoint resume_point_of(const FitReader& reader, const std::filesystem::path& file) {
  try {
    return find_resume_point(reader);
  } catch (const std::exception& trouble) {
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: has draws, but not what it takes to go on ({})", file.string(),
                            reason_of(trouble)));
  }
}

}  // namespace

bool fit(const Dataset& data, const Config& config, const std::filesystem::path& out,
         const std::string& command, Observer& observer) {
  std::error_code absent;
  if (config.start == StartKind::file &&
      std::filesystem::equivalent(config.start_file, out, absent)) {
    refuse("start", config.start_file, "is also where the fit would go; give another --out");
  }
  const TimeLimit limit{Clock::now(), config.time_limit};
  // Looking for lambda may take two fifths of the time there is.
  const auto enough = [&] { return observer.stop_requested() || limit.beyond(0.4); };
  Setup setup = set_up(data, config, command, observer, enough);
  if (observer.stop_requested()) {
    // A file with a lambda that was looked for in haste would be taken up as if it were the best.
    throw Error(ErrorKind::interrupted,
                "interrupted before the first step; there is nothing to save yet");
  }
  FitWriter writer(out, setup.info);
  return Run(std::move(setup), std::move(writer), limit, config.threads, observer).from_the_start();
}

bool can_go_on(const std::filesystem::path& file) {
  return std::filesystem::exists(file) && !ends_inside_the_header(file);
}

FitInfo read_info(const std::filesystem::path& file) { return FitReader(file).info(); }

std::uint64_t count_draws(const std::filesystem::path& file) {
  const FitReader reader(file);
  std::uint64_t sum = 0;
  for (const RecordPlace& place : reader.records())
    if (place.type == RecordType::draws) sum += reader.draw_count(place);
  return sum;
}

std::uint64_t planned_draws(const std::filesystem::path& file, std::uint64_t more) {
  const FitReader reader(file);
  const ResumePoint point = resume_point_of(reader, file);
  std::uint64_t sum = 0;
  const bool too_many = __builtin_add_overflow(
      point.plan ? point.plan->draws : run_length(reader.info().config).draws, more, &sum);
  return too_many ? UINT64_MAX : sum;  // which check_config refuses
}

bool go_on(const Dataset& data, const std::filesystem::path& file, const Continuation& how,
           Observer& observer) {
  const FitReader reader(file);
  Setup setup = set_up_again(data, reader.info(), file.string());
  const ResumePoint point = resume_point_of(reader, file);
  if (!reader.damage().empty()) observer.warn(reader.damage());
  const std::optional<double> seconds =
      how.time_limit ? how.time_limit : (point.plan ? std::nullopt : setup.info.config.time_limit);
  if (how.draws) {
    Config longer = setup.info.config;
    if (point.plan) longer.burn_in = point.plan->burn_in, longer.gap = point.plan->gap;
    longer.draws = how.draws;
    check_config(longer);
  }
  FitWriter writer(file, point.offset, point.end);
  return Run(std::move(setup), std::move(writer), {Clock::now(), seconds}, how.threads, observer)
      .from(point, how.draws);
}

void check_same_run(const Config& asked, const std::filesystem::path& file) {
  const std::string name = file.string();
  const Config there = FitReader(file).info().config;
  check_same("--scale", asked.standardise, there.standardise, name);
  check_same("--prior", asked.prior, there.prior, name);
  check_same("--base", asked.base, there.base, name);
  if (!asked.widths.empty()) check_same("--widths", asked.widths, there.widths, name);
  if (asked.depth) check_same("--depth", *asked.depth, there.widths.size(), name);
  if (asked.width) check_same("--width", *asked.width, there.widths.front(), name);
  if (asked.inputs == InputRule::all)  // otherwise the file says which were chosen
    check_same("--inputs", asked.inputs, there.inputs, name);
  check_same("--bound", asked.bound, there.bound, name);
  check_same("--clip", asked.clip, there.clip, name);
  check_same("--lambda", asked.lambda_rule, there.lambda_rule, name);
  check_same("--lambda", asked.lambda, there.lambda, name);
  check_same("--noise", asked.noise, there.noise, name);
  check_same("--noise-sd", asked.noise_sd, there.noise_sd, name);
  check_same("--noise-tail", asked.noise_tail, there.noise_tail, name);
  check_same("--sampler", asked.sampler, there.sampler, name);
  check_same("--learning-rate", asked.learning_rate, there.learning_rate, name);
  check_same("--proposal-sd", asked.proposal_sd, there.proposal_sd, name);
  check_same("--rungs", asked.rungs, there.rungs, name);
  check_same("--start", asked.start, there.start, name);
  check_same("--start", asked.start_file, there.start_file, name);
  check_same("--chains", asked.chains, there.chains, name);
  if (asked.walkers) check_same("--walkers", asked.walkers, there.walkers, name);
  check_same("--burn-in", asked.burn_in, there.burn_in, name);
  check_same("--gap", asked.gap, there.gap, name);
  check_same("--seed", asked.seed, there.seed, name);
}

}  // namespace lacuna
