// The command `lacuna`: parses arguments, runs one subcommand, turns errors into one line and an
// exit code.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/commands.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"
#include "lacuna/suggest.hpp"

namespace {

using lacuna::ErrorKind;

// One line whatever file names and arguments hold.
int complain(std::string sentence, ErrorKind kind) {
  std::ranges::replace_if(
      sentence, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  fmt::print(stderr, "lacuna: {}\n", sentence);
  return static_cast<int>(kind);
}

// What a command printed may still be in the buffer when the disk turns out to be full.
int after_flushing(int code) {
  if (std::fflush(stdout) == 0) return code;
  return complain(fmt::format("standard output: cannot write ({})", std::strerror(errno)),
                  ErrorKind::io);
}

// The subcommand that was being parsed, or the program itself.
const CLI::App& current(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::string sentence_for(const CLI::ParseError& trouble, const CLI::App& app, int argc,
                         char** argv) {
  const CLI::App& here = current(app);
  const std::string help =
      fmt::format("see '{}--help'", &here == &app ? "lacuna " : "lacuna " + here.get_name() + " ");
  if (dynamic_cast<const CLI::ExtrasError*>(&trouble) != nullptr) {
    std::vector<std::string> names;
    for (const CLI::Option* option : here.get_options()) names.push_back(option->get_name());
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    for (const std::string& extra : app.remaining(true)) {
      const std::string near = lacuna::did_you_mean(extra, names);
      return fmt::format("unknown {} '{}'{}; {}", extra.starts_with('-') ? "option" : "argument",
                         extra, near.empty() ? "" : fmt::format("; did you mean '{}'?", near),
                         help);
    }
  }
  if (trouble.get_name() == "RequiredError" && &here == &app) {
    if (argc > 1) {
      std::vector<std::string> names;
      for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
      const std::string near = lacuna::did_you_mean(argv[1], names);
      return fmt::format("unknown command '{}'{}; {}", argv[1],
                         near.empty() ? "" : fmt::format("; did you mean '{}'?", near), help);
    }
    return "which command? fit, extend, predict, draws, summary, report, certify, simulate, "
           "theory, study or demo; " +
           help;
  }
  return fmt::format("{}; {}", trouble.what(), help);
}

// The command line as a fit keeps it: without what changes nothing in the file, so that the same
// run gives the same bytes wherever it goes and however it came about.
std::string recorded_command(int argc, char** argv) {
  std::string command = "lacuna";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quiet" || word == "--resume" || word.starts_with("--out=") ||
        word.starts_with("--threads=")) {
      continue;
    }
    if (word == "--out" || word == "--threads") {
      ++i;
      continue;
    }
    command += ' ';
    command += word;
  }
  return command;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Regression with sparse ReLU networks and honest uncertainty.\n"
      "Lacuna samples the Gibbs posterior over networks in which most weights are exactly zero.\n"
      "Start with: lacuna demo",
      "lacuna"};
  app.set_version_flag("--version", std::string("lacuna ") + lacuna::library_version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(38);
  app.footer(
      "Exit codes: 0 done, 64 usage, 65 bad data, 66 no such input, 70 internal, 73 cannot create, "
      "74 I/O,\n"
      "130 interrupted (what was sampled is saved). 'lacuna COMMAND --help' explains each "
      "command.");

  const std::string command_line = recorded_command(argc, argv);
  lacuna::cli::Action action;
  lacuna::cli::add_fit(app, action, command_line);
  lacuna::cli::add_extend(app, action);
  lacuna::cli::add_predict(app, action);
  lacuna::cli::add_draws(app, action);
  lacuna::cli::add_summary(app, action);
  lacuna::cli::add_report(app, action);
  lacuna::cli::add_simulate(app, action);
  lacuna::cli::add_certify(app, action);
  lacuna::cli::add_theory(app, action);
  lacuna::cli::add_study(app, action);
  lacuna::cli::add_demo(app, action);

  try {
    app.parse(argc, argv);
    return after_flushing(action());
  } catch (const CLI::Success& wanted) {  // --help and --version
    return app.exit(wanted);
  } catch (const CLI::ParseError& trouble) {
    return complain(sentence_for(trouble, app, argc, argv), ErrorKind::usage);
  } catch (const lacuna::Error& error) {
    return complain(error.what(), error.kind());
  } catch (const std::bad_alloc&) {
    return complain("out of memory; use fewer draws, chains or rows", ErrorKind::internal);
  } catch (const std::system_error& error) {  // standard output cannot be written
    return complain(fmt::format("standard output: cannot write ({})", error.code().message()),
                    ErrorKind::io);
  } catch (const std::exception& error) {
    return complain(fmt::format("internal error: {}; please report it", error.what()),
                    ErrorKind::internal);
  }
}
