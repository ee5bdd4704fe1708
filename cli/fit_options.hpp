// The options of `lacuna fit`: those of the library and those that concern files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/config.hpp"
#include "lacuna/dataset.hpp"

namespace lacuna::cli {

struct FitArguments {
  std::string data, target, out, weights, config_file;
  std::vector<std::string> ignore;
  MissingValues missing = MissingValues::error;
  Config config;
  bool quiet = false;
};

struct FitOption {
  std::string name;   // without dashes; also the key in a configuration file
  std::string value;  // what follows it, for the help text
  std::string group;
  std::string help;
  std::function<void(FitArguments&, const std::string& text)>
      set;  // throws Error(usage) with `name=text: rule`
};

const std::vector<FitOption>& fit_options();

// Applies `text` to the option called `name`; an unknown name is an error that suggests the closest
// one.
void set_fit_option(FitArguments& arguments, const std::string& name, const std::string& text);

// Applies every key of a TOML file. Keys may stand in tables of any name, such as [model].
void apply_config_file(FitArguments& arguments, const std::string& path);
// The same for text that was read from `path`.
void apply_config_text(FitArguments& arguments, const std::string& text, const std::string& path);

// The value of --time-limit, or none where it was not given.
std::optional<double> time_limit_from(const std::string& text);

// Throws Error(usage) if `out` is the file that is read: no command destroys its input.
void check_not_input(const std::string& out, const std::string& input);

}  // namespace lacuna::cli
