// `lacuna fit` and `lacuna extend`: options to Config, run, and a word about what came out.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "cli/commands.hpp"
#include "cli/fit_options.hpp"
#include "cli/terminal.hpp"
#include "cli/training_data.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"
#include "lacuna/options.hpp"

namespace lacuna::cli {
namespace {

struct Parsed {
  std::string data, config_file;
  std::vector<std::pair<std::string, std::string>> options;  // in the order given
  bool quiet = false, resume = false;
};

FitArguments gather(const Parsed& parsed) {
  FitArguments arguments;
  if (!parsed.config_file.empty()) apply_config_file(arguments, parsed.config_file);
  for (const auto& [name, text] : parsed.options) set_fit_option(arguments, name, text);
  arguments.data = parsed.data;
  arguments.quiet = parsed.quiet;
  if (arguments.target.empty())
    throw Error(ErrorKind::usage, "fit: which column is the target? Give --target COL");
  if (arguments.out.empty())
    throw Error(ErrorKind::usage, "fit: where should the fit go? Give --out FILE.lacuna");
  check_not_input(arguments.out, arguments.data);
  check_config(arguments.config);
  return arguments;
}

void tell_about(const Dataset& data, Terminal& terminal) {
  terminal.inform(
      fmt::format("{}: {} rows, {} inputs, target '{}'{}", data.path, grouped(data.rows),
                  data.inputs, data.target_name,
                  data.weight_name.empty() ? "" : fmt::format(", weights '{}'", data.weight_name)));
  if (data.dropped_rows > 0) {
    terminal.warn(
        fmt::format("rows left out because of missing values: {}", grouped(data.dropped_rows)));
  }
}

// What came out, and how to go on.
int close_run(const std::string& file, bool whole, std::chrono::steady_clock::time_point began,
              bool quiet, const std::string& advice) {
  const std::uint64_t draws = count_draws(file);
  if (interrupted()) {
    throw Error(ErrorKind::interrupted,
                fmt::format("interrupted; the {} draws sampled so far are in {}; {}",
                            grouped(draws), file, advice));
  }
  if (draws == 0) {
    throw Error(ErrorKind::usage,
                "the time was up before the first draw; raise --time-limit or lower --burn-in");
  }
  if (quiet) return 0;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print(stderr, "{}{} draws in {} after {:.1f} s{}\n",
             whole ? "" : "time is up: ", grouped(draws), file, seconds,
             whole ? "" : fmt::format("; {}", advice));
  fmt::print(stderr, "next: lacuna summary {0}   |   lacuna predict {0} NEW.csv --out PRED.csv\n",
             file);
  return 0;
}

int run(const Parsed& parsed, const std::string& command_line) {
  const FitArguments arguments = gather(parsed);
  const bool goes_on = parsed.resume && can_go_on(arguments.out);
  if (goes_on) check_same_run(arguments.config, arguments.out);
  const Dataset data = read_dataset(arguments.data, arguments.target, arguments.ignore,
                                    arguments.missing, arguments.weights);
  const auto began = std::chrono::steady_clock::now();
  bool whole = false;
  {
    Terminal terminal(arguments.quiet);
    tell_about(data, terminal);
    const Config& config = arguments.config;
    whole = goes_on ? go_on(data, arguments.out, {config.draws, config.time_limit, config.threads},
                            terminal)
                    : fit(data, config, arguments.out, command_line, terminal);
  }
  return close_run(arguments.out, whole, began, arguments.quiet,
                   "the same command with --resume goes on");
}

struct ExtendArguments {
  std::string file, data, draws, time_limit, threads = "0";
  bool quiet = false;
};

int extend(const ExtendArguments& a) {
  const std::uint64_t more = count_from("draws", a.draws);
  Continuation how;
  how.time_limit = time_limit_from(a.time_limit);
  how.threads = count_from("threads", a.threads);
  const auto began = std::chrono::steady_clock::now();
  const FitInfo info = read_info(a.file);
  const Dataset data = training_data(a.file, info, a.data);
  bool whole = false;
  {
    Terminal terminal(a.quiet);
    tell_about(data, terminal);
    how.draws = planned_draws(a.file, more);
    whole = go_on(data, a.file, how, terminal);
  }
  // Once the new length is in the file, it need not be asked for again.
  return close_run(a.file, whole, began, a.quiet,
                   fmt::format("lacuna extend {} --draws {} goes on", a.file,
                               *how.draws - planned_draws(a.file)));
}

}  // namespace

void add_extend(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("extend", "Add draws to a fit, as if it had never ended");
  command->footer(
      "Examples:\n"
      "  lacuna extend houses.lacuna --draws 1000\n"
      "The data are read again from where they were, and must be the same. A run that was stopped\n"
      "is brought to its end first; --draws 0 does only that.");
  auto a = std::make_shared<ExtendArguments>();
  command->add_option("FILE", a->file, "the fit, FILE.lacuna")->required();
  command->add_option("--draws", a->draws, "draws per chain to add, 0 or more")
      ->required()
      ->type_name("N");
  command->add_option("--data", a->data, "the data, if they lie elsewhere now")
      ->type_name("DATA.csv");
  command->add_option("--time-limit", a->time_limit, "stop cleanly after this time")
      ->type_name("SECONDS");
  command->add_option("--threads", a->threads, "threads to use [one per core]")->type_name("T");
  command->add_flag("--quiet", a->quiet, "no progress, only warnings and errors");
  command->callback([a, &action] { action = [a] { return extend(*a); }; });
}

void add_fit(CLI::App& app, Action& action, const std::string& command_line) {
  CLI::App* fit =
      app.add_subcommand("fit", "Sample the posterior of sparse networks given a table of data");
  fit->footer(
      "Examples:\n"
      "  lacuna fit houses.csv --target price --out houses.lacuna\n"
      "  lacuna fit houses.csv --target price --out houses.lacuna --time-limit 60\n"
      "  lacuna fit houses.csv --target price --out houses.lacuna --config run.toml --seed 7\n"
      "The paper's sampler to the letter:\n"
      "  lacuna fit d.csv --target y --out d.lacuna --sampler paper --scale none --start prior "
      "--lambda 50 \\\n"
      "      --learning-rate 0.001 --proposal-sd 0.1 --burn-in 10000 --gap 10 --draws 5000");
  auto parsed = std::make_shared<Parsed>();
  fit->add_option("DATA", parsed->data, "CSV (also gzipped) with a header line, or a .npy matrix")
      ->required();
  fit->add_option("--config", parsed->config_file,
                  "TOML file with any of the options below; the command line wins")
      ->type_name("run.toml");
  fit->add_flag("--resume", parsed->resume,
                "go on with the fit in --out, stopped or killed, where it was");
  fit->add_flag("--quiet", parsed->quiet, "no progress, only warnings and errors");
  for (const FitOption& option : fit_options()) {
    fit->add_option_function<std::string>(
           "--" + option.name,
           [parsed, name = option.name](const std::string& text) {
             parsed->options.emplace_back(name, text);
           },
           option.help)
        ->type_name(option.value)
        ->group(option.group);
  }
  fit->callback([parsed, &action, command_line] {
    action = [parsed, command_line] { return run(*parsed, command_line); };
  });
}

}  // namespace lacuna::cli
