// The options of a fit by name and text: one table for the command line, the configuration file and
// Python.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lacuna/config.hpp"

namespace lacuna {

struct ConfigOption {
  std::string name;   // without dashes; also the key in a configuration file
  std::string value;  // what follows it, for the help text
  std::string group;
  std::string help;
  // Throws Error(usage) with `name=text: rule`.
  std::function<void(Config&, const std::string& text)> set;
};

const std::vector<ConfigOption>& config_options();

// Throws Error(usage) with the known name that comes closest.
[[noreturn]] void refuse_unknown(const std::string& name, const std::vector<std::string>& known);

// The option of a table that is called `name`.
template <class Option>
const Option& option_named(const std::vector<Option>& table, const std::string& name) {
  std::vector<std::string> names;
  for (const Option& option : table) {
    if (option.name == name) return option;
    names.push_back(option.name);
  }
  refuse_unknown(name, names);
}

// Numbers and lists from text: throw Error(usage) with `name=text: rule`.
double number_from(const std::string& name, const std::string& text);
std::uint64_t count_from(const std::string& name, const std::string& text);
std::vector<std::string> list_from(const std::string& text);  // at commas
// The position of `text` among `words`.
std::size_t choice_from(const std::string& name, const std::string& text,
                        const std::vector<std::string>& words);

}  // namespace lacuna
