// Ranges of values and round tick marks for them.
#include "report/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

namespace lacuna::report {
namespace {

constexpr double kLargest = 1e300;
constexpr double kShortest = 1e-290;
constexpr double kRelativeLength = 1e-12;  // shorter ranges leave no room for distinct tick labels

bool too_short(Range range) {
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  return !(range.high - range.low > std::max(kShortest, kRelativeLength * size));
}

Range widened_if_too_short(Range range) {
  if (!too_short(range)) return range;
  const double middle = 0.5 * range.low + 0.5 * range.high;
  const double reach =
      std::abs(middle) > kShortest / kRelativeLength ? 0.1 * std::abs(middle) : 1.0;
  return {middle - reach, middle + reach};
}

struct Step {
  int digit = 1;  // 1, 2 or 5
  int exponent = 0;
  double size() const { return digit * std::pow(10.0, exponent); }
  Step next() const {
    if (digit == 1) return {2, exponent};
    if (digit == 2) return {5, exponent};
    return {1, exponent + 1};
  }
};

// Multiples of the step, as integers, that lie in the range; a hair of slack keeps ends that only
// rounding excludes.
std::pair<double, double> multiples_in(Range range, double step) {
  const double slack = 1e-9 * (range.high / step - range.low / step);
  return {std::ceil(range.low / step - slack), std::floor(range.high / step + slack)};
}

std::string superscript(int value) {
  static constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴",
                                                              "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = value < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(value))) {
    text += digits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

std::string with_true_minus(const std::string& number) {
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

std::vector<std::string> decimal_labels(const std::vector<double>& values, Step step) {
  std::vector<std::string> labels;
  for (const double value : values) {
    labels.push_back(with_true_minus(fmt::format("{:.{}f}", value, std::max(0, -step.exponent))));
  }
  return labels;
}

// All with the power of ten of the largest, so that they can be compared by eye.
std::vector<std::string> scientific_labels(const std::vector<double>& values, Step step,
                                           double largest) {
  const int exponent = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
  const int decimals = std::max(0, exponent - step.exponent);
  std::vector<std::string> labels;
  for (const double value : values) {
    const std::string mantissa = fmt::format("{:.{}f}", value / std::pow(10.0, exponent), decimals);
    const std::string power = "10" + superscript(exponent);
    if (value == 0.0) {
      labels.emplace_back("0");
    } else if (mantissa == "1" || mantissa == "-1") {
      labels.push_back((value < 0.0 ? "−" : "") + power);
    } else {
      labels.push_back(with_true_minus(mantissa) + "×" + power);
    }
  }
  return labels;
}

std::size_t longest(const std::vector<std::string>& labels) {
  std::size_t length = 0;
  for (const auto& label : labels) {
    // Continuation bytes of UTF-8 do not count.
    const auto characters = std::ranges::count_if(label, [](char c) { return (c & 0xC0) != 0x80; });
    length = std::max(length, static_cast<std::size_t>(characters));
  }
  return length;
}

Ticks multiples_of_powers(Range range, std::initializer_list<int> digits, int stride) {
  Ticks ticks;
  const int first = static_cast<int>(std::floor(range.low));
  const int last = static_cast<int>(std::floor(range.high));
  for (int power = first; power <= last; ++power) {
    if (power % stride != 0) continue;
    for (const int digit : digits) {
      const double at = power + std::log10(digit);
      if (at < range.low - 1e-9 || at > range.high + 1e-9) continue;
      ticks.at.push_back(at);
      ticks.labels.push_back(fmt::format("{:g}", digit * std::pow(10.0, power)));
    }
  }
  return ticks;
}

}  // namespace

bool drawable(double value) { return std::abs(value) <= kLargest; }

Range range_of(std::initializer_list<std::span<const double>> groups) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const auto group : groups) {
    for (const double value : group) {
      if (!drawable(value)) continue;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  return range.low > range.high ? Range{} : widened_if_too_short(range);
}

Range padded(Range range, double share) {
  const double extra = share * (range.high - range.low);
  return {range.low - extra, range.high + extra};
}

Ticks nice_ticks(Range range, int most) {
  assert(most >= 2);
  range = widened_if_too_short(range);
  Step step{1, static_cast<int>(std::floor(std::log10((range.high - range.low) / most))) - 1};
  auto [first, last] = multiples_in(range, step.size());
  while (last - first + 1.0 > most) {
    step = step.next();
    std::tie(first, last) = multiples_in(range, step.size());
  }

  Ticks ticks;
  // Adding 0.0 turns -0 into 0.
  for (double k = first; k <= last; ++k) ticks.at.push_back(k * step.size() + 0.0);
  ticks.labels = decimal_labels(ticks.at, step);
  const double largest = std::max({std::abs(first), std::abs(last), 1.0}) * step.size();
  if (largest >= 1e6 || step.exponent < -4) {
    auto labels = scientific_labels(ticks.at, step, largest);
    if (longest(labels) < longest(ticks.labels)) ticks.labels = std::move(labels);
  }
  return ticks;
}

Ticks logarithmic_ticks(Range range) {
  const double decades = range.high - range.low;
  if (decades < 1.0) return multiples_of_powers(range, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1);
  if (decades < 3.0) return multiples_of_powers(range, {1, 2, 5}, 1);
  return multiples_of_powers(range, {1}, static_cast<int>(std::ceil(decades / 7.0)));
}

}  // namespace lacuna::report
