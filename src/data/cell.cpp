// Reading numbers out of cells, independent of the locale.
#include "data/cell.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace lacuna {
namespace {

// With `nan` in any case and with any sign, which is tested apart, the list of pandas.
constexpr std::array<std::string_view, 15> kMissing = {
    "",       "NA",      "N/A",     "n/a",      "#N/A", "#NA",  "#N/A N/A", "<NA>",
    "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "NULL", "null", "None"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_sign(char c) { return c == '+' || c == '-'; }

bool same_letters(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

// Whether a decimal beyond the range of double is too large rather than too small; digits before
// the first non-zero one and after the last are what decides, so the exponent alone does not.
bool too_large(std::string_view digits) {
  constexpr long long kFar = 1LL << 40;  // beyond any exponent a cell's length could make up for
  const std::size_t mark = std::min(digits.find_first_of("eE"), digits.size());
  long long exponent = 0;
  if (mark < digits.size()) {
    std::string_view power = digits.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, status] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    const bool huge = status == std::errc::result_out_of_range;
    if (huge) exponent = power.starts_with('-') ? -kFar : kFar;
    exponent = std::clamp(exponent, -kFar, kFar);
  }
  const std::string_view mantissa = digits.substr(0, mark);
  const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<long long>(mantissa.find_first_of("123456789"));
  return point - first + exponent > 0;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto padding = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && padding(text.front())) text.remove_prefix(1);
  while (!text.empty() && padding(text.back())) text.remove_suffix(1);
  return text;
}

Cell read_cell(std::string_view text) {
  text = trimmed(text);
  std::string_view digits = text;  // without the sign
  if (!digits.empty() && is_sign(digits.front())) digits.remove_prefix(1);
  if (!digits.empty() && (is_digit(digits.front()) || digits.front() == '.')) {
    Cell cell{CellKind::number, 0.0};
    const char* stop = digits.data() + digits.size();
    const auto [end, status] = std::from_chars(digits.data(), stop, cell.value);
    if (end == stop && status != std::errc::invalid_argument) {
      if (status == std::errc::result_out_of_range) {
        if (too_large(digits)) return {CellKind::infinite, 0.0};
        cell.value = 0.0;
      }
      if (text.front() == '-') cell.value = -cell.value;
      return cell;
    }
  }
  if (same_letters(digits, "inf") || same_letters(digits, "infinity")) {
    return {CellKind::infinite, 0.0};
  }
  const bool missing = same_letters(digits, "nan") ||
                       std::find(kMissing.begin(), kMissing.end(), text) != kMissing.end();
  return {missing ? CellKind::missing : CellKind::text, 0.0};
}

}  // namespace lacuna
