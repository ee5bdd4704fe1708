// What the pictures share: thinning of crowded points, wording of numbers, checks of lengths.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::report {

inline constexpr std::size_t kMostPoints = 2000;

// Indices 0 .. n - 1, or `most` of them in increasing order when there are more: one from each of
// `most` equal stretches, at a place that varies, lest data with a period show only one phase of
// it.
std::vector<std::size_t> evenly_chosen(std::size_t n, std::size_t most);

// "Showing 2,000 of 50,000 data points." or nothing.
std::string thinning_note(std::size_t n, std::string_view things);

std::string number(double value);   // four digits, or all before the point; NaN is a dash
std::string percent(double share);  // 0.9 -> "90%", 0.975 -> "97.5%"
std::string with_separators(std::size_t count);  // 50000 -> "50,000"

// Throws an internal error that names function and field.
void require_length(std::string_view function, std::string_view field, std::size_t length,
                    std::size_t expected);

struct DotSize {
  double radius;
  double opacity;
};
DotSize dot_size(std::size_t n_points);

}  // namespace lacuna::report
