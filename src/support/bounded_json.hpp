// JSON from files that may come from anywhere: bounded in depth, so that no text can exhaust the
// stack, and with counts that are whole. Nothing in src/ includes the JSON library but through
// here.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

// The library would cast 1e300, -1 and 2.5 to a count without a word.
template <class Count>
struct WholeNumber {
  template <class Json>
  static void from_json(const Json& j, Count& value) {
    const auto* number = j.template get_ptr<const typename Json::number_unsigned_t*>();
    if (number == nullptr || *number > std::numeric_limits<Count>::max())
      throw std::runtime_error("a number that is no count");
    value = static_cast<Count>(*number);
  }
  template <class Json>
  static void to_json(Json& j, Count value) {
    ::nlohmann::to_json(j, value);
  }
};
namespace nlohmann {
template <>
struct adl_serializer<std::uint32_t> : WholeNumber<std::uint32_t> {};
template <>
struct adl_serializer<std::uint64_t> : WholeNumber<std::uint64_t> {};
}  // namespace nlohmann

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
