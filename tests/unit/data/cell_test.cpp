// Numbers, missing values and everything else that a cell can hold.
#include "data/cell.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "support/random.hpp"

namespace lacuna {
namespace {

TEST(Cell, ReadsTheFormsOfNumbers) {
  const std::pair<const char*, double> cases[] = {
      {"1", 1},
      {"-1", -1},
      {"+1", 1},
      {".5", 0.5},
      {"5.", 5},
      {"-.5", -0.5},
      {"+.5e1", 5},
      {"1e5", 1e5},
      {"1E+05", 1e5},
      {" 7\t", 7},
      {"007", 7},
      {"0.1", 0.1},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"5e-324", 5e-324},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"9007199254740993", 9007199254740992.0},
      {"1e-999", 0.0},
      {"0e999999999", 0.0},
      {"0.0000000001e309", 1e299},
      {"1e-99999999999999999999999", 0.0},
      {"18446744073709551616", 18446744073709551616.0}};
  for (const auto& [text, value] : cases) {
    const Cell cell = read_cell(text);
    EXPECT_EQ(cell.kind, CellKind::number) << text;
    EXPECT_EQ(cell.value, value) << text;
  }
  EXPECT_TRUE(std::signbit(read_cell("-0").value));
  EXPECT_TRUE(std::signbit(read_cell("-1e-999").value));
  EXPECT_EQ(read_cell("1" + std::string(400, '0') + "e-400").value, 1.0);
  EXPECT_EQ(read_cell("0." + std::string(400, '0') + "1e401").value, 1.0);
}

TEST(Cell, KnowsTheSpellingsOfMissing) {
  for (const char* text :
       {"",     "  ",     "NA",      "N/A",     "n/a",      "#N/A", "#NA",  "#N/A N/A",
        "<NA>", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "NULL", "null", "None",
        "nan",  "NaN",    "-nan",    "-NaN",    "NAN",      " NA "}) {
    EXPECT_EQ(read_cell(text).kind, CellKind::missing) << text;
  }
}

TEST(Cell, FindsTheInfinite) {
  for (const char* text : {"inf", "-inf", "+Inf", "INFINITY", "-Infinity", "1e999", "-1e309",
                           "1.7976931348623159e308", "0.0001e320", "1e99999999999999999999999"}) {
    EXPECT_EQ(read_cell(text).kind, CellKind::infinite) << text;
  }
  EXPECT_EQ(read_cell("1" + std::string(400, '0')).kind, CellKind::infinite);
}

TEST(Cell, LeavesTheRestAsText) {
  for (const char* text :
       {"male", "1x",   "1e",    "1e+",    "+",  "-",    ".",    "e5",    "--1",   "+-1",  "1,5",
        "1 2",  "0x10", "1_000", "nan(1)", "na", "none", "True", "1.2.3", "infin", "\"1\""}) {
    EXPECT_EQ(read_cell(text).kind, CellKind::text) << text;
  }
}

// Against the C library, whose strtod rounds correctly: random digits, and random bit patterns
// written shortest, with 17 digits and with many digits.
TEST(Cell, RoundsLikeTheCLibraryToTheLastBit) {
  RandomStream random(StreamKey{20240611, 0, 0, 0, Purpose::test});
  const auto check = [](const std::string& text) {
    const double expected = std::strtod(text.c_str(), nullptr);
    const Cell cell = read_cell(text);
    if (std::isinf(expected)) {
      EXPECT_EQ(cell.kind, CellKind::infinite) << text;
    } else {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(cell.value), std::bit_cast<std::uint64_t>(expected))
          << text;
    }
  };
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::uint64_t k = random.below(30); k-- > 0;) text += char('0' + random.below(10));
    text += "." + std::to_string(random.bits());
    if (random.below(2) == 0) text += fmt::format("e{}", static_cast<int>(random.below(720)) - 370);
    check(text);
    const double value = std::bit_cast<double>(random.bits());
    if (!std::isfinite(value)) continue;
    check(fmt::format("{}", value));
    check(fmt::format("{:.17g}", value));
    check(fmt::format("{:.40e}", value));
  }
}

}  // namespace
}  // namespace lacuna
