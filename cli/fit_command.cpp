// `lacuna fit`: options to Config, run, and a word about what came out.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/fit_options.hpp"
#include "cli/terminal.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"

namespace lacuna::cli {
namespace {

struct Parsed {
  std::string data, config_file;
  std::vector<std::pair<std::string, std::string>> options;  // in the order given
  bool quiet = false;
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
  if (arguments.layers_listed && arguments.layers_counted) {
    throw Error(ErrorKind::usage, "fit: give either --widths or --depth and --width, not both");
  }
  check_not_input(arguments.out, arguments.data);
  check_config(arguments.config);
  return arguments;
}

int run(const Parsed& parsed, const std::string& command_line) {
  const FitArguments arguments = gather(parsed);
  const Dataset data =
      read_dataset(arguments.data, arguments.target, arguments.ignore, arguments.missing);
  bool whole = false;
  {
    Terminal terminal(arguments.quiet);
    terminal.inform(fmt::format("{}: {} rows, {} inputs, target '{}'", arguments.data,
                                grouped(data.rows), data.inputs, data.target_name));
    if (data.dropped_rows > 0) {
      terminal.warn(
          fmt::format("rows left out because of missing values: {}", grouped(data.dropped_rows)));
    }
    whole = fit(data, arguments.config, arguments.out, command_line, terminal);
  }
  const Fit result = Fit::open(arguments.out);
  if (interrupted()) {
    throw Error(ErrorKind::interrupted,
                fmt::format("interrupted; the {} draws sampled so far are in {}",
                            grouped(result.draws()), arguments.out));
  }
  if (result.draws() == 0) {
    throw Error(ErrorKind::usage,
                "the time was up before the first draw; raise --time-limit or lower --burn-in");
  }
  if (arguments.quiet) return 0;
  fmt::print(stderr, "{}{} draws in {}\n", whole ? "" : "time is up: ", grouped(result.draws()),
             arguments.out);
  fmt::print(stderr, "next: lacuna summary {0}   |   lacuna predict {0} NEW.csv --out PRED.csv\n",
             arguments.out);
  return 0;
}

}  // namespace

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
