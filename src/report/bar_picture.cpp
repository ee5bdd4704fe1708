// Named numbers as horizontal bars, such as the inclusion probability of each input.
#include "report/bar_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/axes.hpp"
#include "report/picture_support.hpp"

namespace lacuna {
namespace {

using namespace report;

constexpr std::size_t kMostBars = 40;
constexpr double kRow = 26.0;
constexpr double kBar = 17.0;

std::vector<std::size_t> chosen_bars(const BarPicture& picture) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < picture.values.size(); ++i) {
    if (drawable(picture.values[i])) rows.push_back(i);
  }
  if (rows.size() <= kMostBars) return rows;
  std::ranges::stable_sort(
      rows, [&](std::size_t a, std::size_t b) { return picture.values[a] > picture.values[b]; });
  rows.resize(kMostBars);
  std::ranges::sort(rows);
  return rows;
}

Range axis_range(const std::vector<double>& values) {
  const Range all = range_of({values, std::vector<double>{0.0}});
  if (values.empty() || (all.low >= 0.0 && all.high <= 1.0)) return {0.0, 1.0};
  const double extra = 0.05 * (all.high - all.low);
  return {all.low < 0.0 ? all.low - extra : 0.0, all.high > 0.0 ? all.high + extra : 0.0};
}

std::string written(double value) {
  const double size = std::abs(value);
  const std::string text = size == 0.0 || (size >= 0.005 && size < 1e4)
                               ? fmt::format("{:.2f}", value)
                               : fmt::format("{:.2g}", value);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

}  // namespace

std::string draw_bars(const BarPicture& picture) {
  require_length("draw_bars", "values", picture.values.size(), picture.labels.size());
  const auto rows = chosen_bars(picture);
  std::vector<double> values;
  Ticks names;
  std::string listed;
  for (const std::size_t i : rows) {
    names.at.push_back(static_cast<double>(values.size()));
    names.labels.push_back(picture.labels[i]);
    values.push_back(picture.values[i]);
    listed += fmt::format("{}{} {}", listed.empty() ? "" : ", ", picture.labels[i],
                          written(values.back()));
  }
  const double n = static_cast<double>(std::max<std::size_t>(rows.size(), 1));

  AxesOptions options;
  options.title = picture.title;
  options.x_label = picture.x_label;
  options.description =
      fmt::format("Bars of {}: {}.", picture.x_label, listed.empty() ? "none" : listed);
  if (rows.size() < picture.values.size()) {
    options.note =
        fmt::format("Showing {} of {}.", rows.size(), with_separators(picture.values.size()));
    options.description += " " + options.note;
  }
  options.x = axis_range(values);
  options.y = {n - 0.5, -0.5};
  options.y_categories = names;
  options.height = 120.0 + (options.note.empty() ? 0.0 : 20.0) + kRow * n;

  Axes axes(options);
  if (options.x.low < 0.0) {
    axes.canvas().line(axes.at(0.0, options.y.low), axes.at(0.0, options.y.high),
                       {.colour = palette::axis});
  }
  for (std::size_t row = 0; row < values.size(); ++row) {
    const Point zero = axes.at(0.0, static_cast<double>(row));
    const Point tip = axes.at(values[row], static_cast<double>(row));
    axes.canvas().rectangle({std::min(zero.x, tip.x), zero.y - 0.5 * kBar},
                            std::abs(tip.x - zero.x), kBar, {.colour = palette::strong}, 2.0);
    // Inside the bar where it is long enough, beside it otherwise.
    const std::string number = written(values[row]);
    const double width = text_width(number, 12.0) + 12.0;
    const bool inside = std::abs(tip.x - zero.x) > width;
    const double direction = values[row] < 0.0 ? -1.0 : 1.0;
    axes.canvas().text({tip.x + direction * (inside ? -6.0 : 6.0), zero.y + 4.3}, number,
                       {.size = 12.0,
                        .colour = inside ? palette::background : palette::ink,
                        .anchor = (direction > 0.0) == inside ? Anchor::end : Anchor::start});
  }
  return axes.finish();
}

}  // namespace lacuna
