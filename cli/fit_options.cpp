#include "cli/fit_options.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "lacuna/errors.hpp"
#include "lacuna/options.hpp"

namespace lacuna::cli {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& text,
                         const std::string& rule) {
  throw Error(ErrorKind::usage, fmt::format("{}={}: {}", name, text, rule));
}

void set_missing(FitArguments& arguments, const std::string& text) {
  constexpr MissingValues meant[] = {MissingValues::drop, MissingValues::error};
  arguments.missing = meant[choice_from("na", text, {"drop", "error"})];
}

// What concerns files stands here, all else in the table of the library.
std::vector<FitOption> make_options() {
  using Args = FitArguments;
  using Text = const std::string&;
  std::vector<FitOption> options = {
      {"target", "COL", "Data", "the column to predict (required)",
       [](Args& a, Text t) { a.target = t; }},
      {"out", "FILE", "Data", "where the fit is written, FILE.lacuna (required)",
       [](Args& a, Text t) { a.out = t; }},
      {"ignore", "COL,COL", "Data", "columns that are neither target nor input",
       [](Args& a, Text t) { a.ignore = list_from(t); }},
      {"weights", "COL", "Data", "column of weights: weight k counts as k copies of the row",
       [](Args& a, Text t) { a.weights = t; }},
      {"na", "drop|error", "Data", "rows with missing values: leave them out, or stop [error]",
       set_missing},
  };
  for (const ConfigOption& option : config_options()) {
    options.push_back({option.name, option.value, option.group, option.help,
                       [set = option.set](Args& a, Text t) { set(a.config, t); }});
  }
  return options;
}

}  // namespace

std::optional<double> time_limit_from(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const double seconds = number_from("time-limit", text);
  if (!(seconds > 0.0)) refuse("time-limit", text, "must be > 0");
  return seconds;
}

void check_not_input(const std::string& out, const std::string& input) {
  std::error_code absent;
  if (std::filesystem::equivalent(out, input, absent)) {
    refuse("out", out, "is also the input and would be lost; give another file");
  }
}

const std::vector<FitOption>& fit_options() {
  static const std::vector<FitOption> options = make_options();
  return options;
}

void set_fit_option(FitArguments& arguments, const std::string& name, const std::string& text) {
  option_named(fit_options(), name).set(arguments, text);
}

}  // namespace lacuna::cli
