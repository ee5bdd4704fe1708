// What the pictures share: thinning of crowded points, wording of numbers, checks of lengths.
#include "report/picture_support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lacuna/errors.hpp"

namespace lacuna::report {

std::vector<std::size_t> evenly_chosen(std::size_t n, std::size_t most) {
  std::vector<std::size_t> chosen(std::min(n, most));
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::size_t begin = i * n / chosen.size();
    const std::size_t end = (i + 1) * n / chosen.size();
    state = state * 6364136223846793005u + 1442695040888963407u;
    chosen[i] = begin + static_cast<std::size_t>(state >> 33) % (end - begin);
  }
  return chosen;
}

std::string thinning_note(std::size_t n, std::string_view things) {
  if (n <= kMostPoints) return "";
  return fmt::format("Showing {} of {} {}.", with_separators(kMostPoints), with_separators(n),
                     things);
}

std::string number(double value) {
  if (std::isnan(value)) return "–";
  const double size = std::abs(value);
  const std::string text =
      size >= 1e3 && size < 1e7 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

std::string percent(double share) { return fmt::format("{:.3g}%", 100.0 * share); }

std::string with_separators(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, 1, ',');
  return text;
}

void require_length(std::string_view function, std::string_view field, std::size_t length,
                    std::size_t expected) {
  if (length == expected) return;
  throw Error(ErrorKind::internal,
              fmt::format("{}: {} must have {} values, got {}", function, field, expected, length));
}

DotSize dot_size(std::size_t n_points) {
  if (n_points <= 150) return {3.0, 0.85};
  if (n_points <= 600) return {2.3, 0.65};
  return {1.7, 0.4};
}

}  // namespace lacuna::report
