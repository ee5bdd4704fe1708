// Reads a TOML file into the options of `lacuna fit`.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>
#include <fstream>

#include "cli/fit_options.hpp"
#include "lacuna/errors.hpp"

namespace lacuna::cli {
namespace {

constexpr std::size_t largest_config = 1 << 20;

std::string text_of(const toml::node& node, const std::string& key);

std::string list_of(const toml::array& items, const std::string& key) {
  std::vector<std::string> words;
  for (const toml::node& item : items) words.push_back(text_of(item, key));
  return fmt::format("{}", fmt::join(words, ","));
}

std::string text_of(const toml::node& node, const std::string& key) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  if (const auto* items = node.as_array()) return list_of(*items, key);
  throw Error(ErrorKind::usage, fmt::format("key '{}': must be a number, a text or a list", key));
}

void apply(FitArguments& arguments, const toml::table& table, bool top) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (const toml::table* inner = node.as_table(); inner != nullptr && top) {
      apply(arguments, *inner, false);
    } else {
      set_fit_option(arguments, name, text_of(node, name));
    }
  }
}

}  // namespace

void apply_config_file(FitArguments& arguments, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorKind::no_input, fmt::format("{}: no such file", path));
  if (std::filesystem::is_directory(path)) {
    throw Error(ErrorKind::no_input, fmt::format("{}: is a folder, not a file", path));
  }
  std::string text(largest_config + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > largest_config) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: larger than 1 MiB; not a configuration file", path));
  }
  apply_config_text(arguments, text, path);
}

void apply_config_text(FitArguments& arguments, const std::string& text, const std::string& path) {
  try {
    apply(arguments, toml::parse(text, path), true);
  } catch (const toml::parse_error& trouble) {
    throw Error(ErrorKind::usage,
                fmt::format("{}:{}: {}", path, trouble.source().begin.line, trouble.description()));
  } catch (const Error& trouble) {
    throw Error(trouble.kind(), fmt::format("{}: {}", path, trouble.what()));
  }
}

}  // namespace lacuna::cli
