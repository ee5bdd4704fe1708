// JSON from files that may come from anywhere: bounded in depth, so that no text can exhaust the
// stack.
#pragma once

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string_view>

namespace lacuna {

inline constexpr int deepest_json = 16;

inline nlohmann::json parse_bounded_json(std::string_view text) {
  return nlohmann::json::parse(text, [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth > deepest_json) throw std::runtime_error("JSON nested too deeply");
    return true;
  });
}

}  // namespace lacuna
