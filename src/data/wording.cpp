// Escaping, counting and listing for error messages.
#include "data/wording.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "data/utf8.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kNamesListed = 10;

std::string escaped(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character == "\n") return "\\n";
  if (character == "\r") return "\\r";
  if (character == "\t") return "\\t";
  // U+0080 to U+009F: terminals obey some of them.
  const bool second_control_block =
      lead == 0xC2 && character.size() == 2 && static_cast<unsigned char>(character[1]) < 0xA0;
  const bool safe = lead >= 0x20 && lead != 0x7F && utf8_length(character) == character.size();
  if (!safe || second_control_block) {
    return fmt::format("\\x{:02x}", static_cast<unsigned char>(character.back()));
  }
  return std::string(character);
}

}  // namespace

std::string shown(std::string_view text, std::size_t longest) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t count = 0; at < text.size(); ++count) {
    if (count == longest) return result + "...";
    const std::size_t length = std::max<std::size_t>(utf8_length(text.substr(at)), 1);
    result += escaped(text.substr(at, length));
    at += length;
  }
  return result;
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesListed); ++i) {
    if (i > 0) result += ", ";
    result += shown(names[i]);
  }
  if (names.size() > kNamesListed) result += " ...";
  return result;
}

}  // namespace lacuna
