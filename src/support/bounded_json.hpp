// JSON from files that may come from anywhere: bounded in depth, so that no text can exhaust the
// stack.
#pragma once

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace lacuna {

inline constexpr int deepest_json = 16;

inline nlohmann::json parse_bounded_json(std::string_view text) {
  return nlohmann::json::parse(text, [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth > deepest_json) throw std::runtime_error("JSON nested too deeply");
    return true;
  });
}

// What an exception says, without the name that the JSON library puts in brackets before it.
inline std::string reason_of(const std::exception& trouble) {
  const std::string_view what = trouble.what();
  const std::size_t end = what.starts_with("[json.exception.") ? what.find("] ") : what.npos;
  return std::string(end == what.npos ? what : what.substr(end + 2));
}

}  // namespace lacuna
