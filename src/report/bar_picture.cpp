// Named numbers as horizontal bars, such as the inclusion probability of each input.
#include "report/bar_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "report/axes.hpp"
#include "report/picture_support.hpp"

namespace lacuna {
namespace {

using namespace report;

constexpr std::size_t kMostBars = 40;
constexpr double kRow = 26.0;
constexpr double kBar = 17.0;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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

// Cut at the ends of the axis. Returns how far it reaches from the tip of the bar, in pixels.
double draw_whisker(Axes& axes, Range range, std::size_t row, double value, double error) {
  if (!(error > 0.0) || !drawable(value + error) || !drawable(value - error)) return 0.0;
  const auto place = [&](double x) {
    return axes.at(std::clamp(x, range.low, range.high), static_cast<double>(row));
  };
  const Point tip = place(value), from = place(value - error), to = place(value + error);
  const std::vector<std::pair<Point, Point>> lines = {
      {from, to},
      {{from.x, from.y - 3.5}, {from.x, from.y + 3.5}},
      {{to.x, to.y - 3.5}, {to.x, to.y + 3.5}}};
  axes.canvas().segments(lines, {.colour = palette::accent, .width = 1.6});
  return std::max(tip.x - from.x, to.x - tip.x);
}

}  // namespace

std::string draw_bars(const BarPicture& picture) {
  require_length("draw_bars", "values", picture.values.size(), picture.labels.size());
  const auto rows = chosen_bars(picture);
  if (!picture.errors.empty())
    require_length("draw_bars", "errors", picture.errors.size(), picture.labels.size());
  if (!picture.expected.empty())
    require_length("draw_bars", "expected", picture.expected.size(), picture.labels.size());
  std::vector<double> values, errors, expected;
  Ticks names;
  std::string listed;
  for (const std::size_t i : rows) {
    names.at.push_back(static_cast<double>(values.size()));
    names.labels.push_back(picture.labels[i]);
    values.push_back(picture.values[i]);
    errors.push_back(picture.errors.empty() ? kNone : picture.errors[i]);
    expected.push_back(picture.expected.empty() ? kNone : picture.expected[i]);
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
  options.sheet = picture.sheet;
  const bool in_page = options.sheet.medium == Medium::page;
  options.sheet.height = (in_page ? 54.0 : 120.0 + (options.note.empty() ? 0.0 : 20.0)) + kRow * n;

  Axes axes(options);
  if (options.x.low < 0.0) {
    axes.canvas().line(axes.at(0.0, options.y.low), axes.at(0.0, options.y.high),
                       {.colour = palette::axis});
  }
  const bool compared = !picture.expected.empty();
  for (std::size_t row = 0; row < values.size(); ++row) {
    const Point zero = axes.at(0.0, static_cast<double>(row));
    const Point tip = axes.at(values[row], static_cast<double>(row));
    const std::string label = written(values[row]);
    axes.canvas().rectangle({std::min(zero.x, tip.x), zero.y - 0.5 * kBar},
                            std::abs(tip.x - zero.x), kBar,
                            {.colour = compared ? palette::middle : palette::strong}, 2.0,
                            fmt::format("{}: {}", names.labels[row], label));
    // Inside the bar where it is long enough, beside it and its whisker otherwise.
    if (drawable(expected[row])) {
      const Point goal = axes.at(expected[row], static_cast<double>(row));
      axes.canvas().line({goal.x, goal.y - 0.5 * kRow + 1.0}, {goal.x, goal.y + 0.5 * kRow - 1.0},
                         {.colour = palette::ink, .width = 2.2});
    }
    const double width = text_width(label, 12.0) + 12.0;
    const double whisker = draw_whisker(axes, options.x, row, values[row], errors[row]);
    const bool inside = std::abs(tip.x - zero.x) - whisker > width;
    const double direction = values[row] < 0.0 ? -1.0 : 1.0;
    const double gap = whisker + 6.0;
    if (compared) {  // what is of interest is near the tip, so the number goes to the foot
      axes.canvas().text({zero.x + 6.0 * direction, zero.y + 4.3}, label,
                         {.size = 12.0, .anchor = direction > 0.0 ? Anchor::start : Anchor::end});
      continue;
    }
    axes.canvas().text({tip.x + direction * (inside ? -gap : gap), zero.y + 4.3}, label,
                       {.size = 12.0,
                        .colour = inside ? palette::background : palette::ink,
                        .anchor = (direction > 0.0) == inside ? Anchor::end : Anchor::start});
  }
  return axes.finish();
}

}  // namespace lacuna
