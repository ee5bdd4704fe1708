// JSON from files that may come from anywhere: bounded in depth, so that no text can exhaust the
// stack.
#pragma once

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace lacuna {

inline constexpr int deepest_json = 16;

// Looks at brackets outside of strings only; whether they match is for the parser to say.
inline void check_json_depth(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) {
      if (c == '\\') ++i;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_json) throw std::runtime_error("JSON nested too deeply");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

inline nlohmann::json parse_bounded_json(std::string_view text) {
  check_json_depth(text);
  return nlohmann::json::parse(text);
}

// What an exception says, without the name that the JSON library puts in brackets before it.
inline std::string reason_of(const std::exception& trouble) {
  const std::string_view what = trouble.what();
  const std::size_t end = what.starts_with("[json.exception.") ? what.find("] ") : what.npos;
  return std::string(end == what.npos ? what : what.substr(end + 2));
}

}  // namespace lacuna
