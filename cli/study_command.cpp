// `lacuna study`: the paper's theorems and examples, checked on this machine.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/options.hpp"
#include "studies/run.hpp"

namespace lacuna::cli {
namespace {

struct StudyArguments {
  std::string name, out, seed = "1", threads = "0";
  bool small = false, quiet = false;
};

int study(const StudyArguments& a) {
  StudyOptions options;
  options.folder = a.out;
  options.small = a.small;
  options.seed = count_from("seed", a.seed);
  options.threads = count_from("threads", a.threads);
  Terminal terminal(a.quiet);
  const StudyResult result = run_study(a.name, options, terminal);
  if (!result.finished) {
    throw Error(ErrorKind::interrupted,
                fmt::format("interrupted; what was measured is in {}/data.csv, and the same "
                            "command goes on from there",
                            a.out));
  }
  fmt::print("{}\n", result.page);
  for (const std::string& file : result.files) terminal.inform(fmt::format("{}/{}", a.out, file));
  return 0;
}

}  // namespace

void add_study(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "study", "Reproduce the paper: rates, oracle inequality, coverage, the authors' example");
  std::string known = "Studies:\n";
  for (const StudyName& one : known_studies())
    known += fmt::format("  {:<10} {}\n", one.name, one.about);
  command->footer(known +
                  "\nEach writes data.csv, pictures and summary.md.\n"
                  "A study that was stopped goes on with the same command.");
  auto a = std::make_shared<StudyArguments>();
  command->add_option("NAME", a->name, "which study (below)")->required();
  command->add_option("--out", a->out, "folder for data, pictures and the summary")
      ->required()
      ->type_name("DIR");
  command->add_flag("--small", a->small,
                    "a look in two minutes rather than a measurement in hours");
  command->add_option("--seed", a->seed, "of all data and fits [1]")->type_name("N");
  command->add_option("--threads", a->threads, "measurements at a time [one per core]")
      ->type_name("T");
  command->add_flag("--quiet", a->quiet, "no progress");
  command->callback([a, &action] { action = [a] { return study(*a); }; });
}

}  // namespace lacuna::cli
