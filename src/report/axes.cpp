// The frame of a plot: title, legend, axes with ticks, and the map from data to pixels.
#include "report/axes.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace lacuna::report {
namespace {

constexpr double kMargin = 18.0;
constexpr double kTitleSize = 17.0;
constexpr double kLabelSize = 14.0;
constexpr double kTickSize = 13.0;
constexpr double kNoteSize = 13.0;
constexpr double kRowHeight = 21.0;
constexpr double kMiddleOfText = 0.36;  // of the font size, from the baseline up
constexpr double kBoldness = 1.12;      // width of bold text relative to plain

double key_width(Mark mark) { return mark == Mark::dot || mark == Mark::ring ? 10.0 : 26.0; }

double widest(const std::vector<std::string>& labels) {
  double width = 0.0;
  for (const auto& label : labels) width = std::max(width, text_width(label, kTickSize));
  return width;
}

// As many ticks as their labels leave room for.
Ticks x_ticks(Range range, double length) {
  for (int most = 9; most > 2; --most) {
    Ticks ticks = nice_ticks(range, most);
    const double room = length / static_cast<double>(std::max<std::size_t>(ticks.at.size(), 1));
    if (widest(ticks.labels) + 14.0 <= room) return ticks;
  }
  return nice_ticks(range, 2);
}

Ticks y_ticks(const AxesOptions& options) {
  return options.y_categories ? *options.y_categories : nice_ticks(options.y, 7);
}

}  // namespace

Axes::Axes(const AxesOptions& options)
    : canvas_(options.width, options.height, options.title.empty() ? "Figure" : options.title,
              options.description),
      x_(options.x),
      y_(options.y) {
  const double label_room = std::min(widest(y_ticks(options).labels), 0.4 * options.width);
  left_ = kMargin + label_room + 10.0 + (options.y_label.empty() ? 0.0 : 24.0);
  right_ = options.width - kMargin - 8.0;
  bottom_ = options.height - kMargin - 20.0 - (options.x_label.empty() ? 0.0 : 22.0);
  draw_heading(options);
  draw_x_axis(options);
  draw_y_axis(options);
}

void Axes::draw_heading(const AxesOptions& options) {
  const double room = options.width - 2.0 * kMargin;
  double y = kMargin;
  if (!options.title.empty()) {
    y += kTitleSize;
    canvas_.text({kMargin, y}, shortened(options.title, kTitleSize, room / kBoldness),
                 {.size = kTitleSize, .bold = true});
    y += 8.0;
  }
  if (!options.note.empty()) {
    y += kNoteSize;
    canvas_.text({kMargin, y}, shortened(options.note, kNoteSize, room),
                 {.size = kNoteSize, .colour = palette::muted});
    y += 7.0;
  }
  double x = kMargin;
  for (const auto& entry : options.legend) {
    const double width = key_width(entry.mark) + 7.0 + text_width(entry.label, kNoteSize) + 18.0;
    if (x > kMargin && (entry.new_row || x + width > options.width - kMargin)) {
      x = kMargin;
      y += kRowHeight;
    }
    draw_legend_entry({x, y}, entry);
    x += width;
  }
  top_ = y + (options.legend.empty() ? 4.0 : kRowHeight + 8.0);
}

void Axes::draw_legend_entry(Point corner, const LegendEntry& entry) {
  const double middle = corner.y + 0.5 * kRowHeight;
  const double key = key_width(entry.mark);
  const Point left{corner.x, middle};
  const Point right{corner.x + key, middle};
  const Point centre{corner.x + 0.5 * key, middle};
  switch (entry.mark) {
    case Mark::band:
      canvas_.rectangle({corner.x, middle - 6.5}, key, 13.0, {.colour = entry.colour}, 2.0);
      break;
    case Mark::line:
      canvas_.line(left, right, {.colour = entry.colour, .width = 2.4});
      break;
    case Mark::dashes:
      canvas_.line(left, right, {.colour = entry.colour, .width = 2.0, .dashed = true});
      break;
    case Mark::dot:
      canvas_.circles({&centre, 1}, 3.2, {.colour = entry.colour});
      break;
    case Mark::ring:
      canvas_.rings({&centre, 1}, 3.2, {.colour = entry.colour, .width = 1.6});
      break;
  }
  canvas_.text({right.x + 7.0, middle + kMiddleOfText * kNoteSize}, entry.label,
               {.size = kNoteSize, .colour = palette::ink});
}

void Axes::draw_x_axis(const AxesOptions& options) {
  const Ticks ticks = x_ticks(options.x, right_ - left_);
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double x = at(ticks.at[i], y_.low).x;
    canvas_.line({x, top_}, {x, bottom_}, {.colour = palette::grid});
    canvas_.line({x, bottom_}, {x, bottom_ + 5.0}, {.colour = palette::axis});
    // Labels at the ends move inward rather than out of the picture.
    const double reach = 0.5 * text_width(ticks.labels[i], kTickSize) + 4.0;
    const double middle = std::max(reach, std::min(x, options.width - reach));
    canvas_.text({middle, bottom_ + 8.0 + kTickSize}, ticks.labels[i],
                 {.size = kTickSize, .colour = palette::muted, .anchor = Anchor::middle});
  }
  canvas_.line({left_, bottom_}, {right_, bottom_}, {.colour = palette::axis});
  canvas_.text({0.5 * (left_ + right_), options.height - kMargin},
               shortened(options.x_label, kLabelSize, right_ - left_),
               {.size = kLabelSize, .anchor = Anchor::middle});
}

void Axes::draw_y_axis(const AxesOptions& options) {
  const Ticks ticks = y_ticks(options);
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double y = at(x_.low, ticks.at[i]).y;
    if (!options.y_categories) canvas_.line({left_, y}, {right_, y}, {.colour = palette::grid});
    canvas_.text({left_ - 9.0, y + kMiddleOfText * kTickSize},
                 shortened(ticks.labels[i], kTickSize, 0.4 * options.width),
                 {.size = kTickSize,
                  .colour = options.y_categories ? palette::ink : palette::muted,
                  .anchor = Anchor::end});
  }
  canvas_.line({left_, top_}, {left_, bottom_}, {.colour = palette::axis});
  canvas_.text({kMargin + 0.75 * kLabelSize, 0.5 * (top_ + bottom_)},
               shortened(options.y_label, kLabelSize, bottom_ - top_),
               {.size = kLabelSize, .anchor = Anchor::middle, .upward = true});
}

Point Axes::at(double x, double y) const {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  if (!drawable(x) || !drawable(y)) return {nowhere, nowhere};
  return {left_ + (right_ - left_) * ((x - x_.low) / (x_.high - x_.low)),
          bottom_ - (bottom_ - top_) * ((y - y_.low) / (y_.high - y_.low))};
}

void Axes::curve(std::span<const double> x, std::span<const double> y, const Stroke& stroke) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) points.push_back(at(x[i], y[i]));
  canvas_.polyline(points, stroke);
}

void Axes::band(std::span<const double> x, std::span<const double> low,
                std::span<const double> high, const Fill& fill) {
  std::vector<Point> corners;
  const std::size_t n = std::min({x.size(), low.size(), high.size()});
  const auto whole = [&](std::size_t i) { return drawable(low[i]) && drawable(high[i]); };
  for (std::size_t i = 0; i < n; ++i) {
    if (whole(i)) corners.push_back(at(x[i], high[i]));
  }
  for (std::size_t i = n; i-- > 0;) {
    if (whole(i)) corners.push_back(at(x[i], low[i]));
  }
  canvas_.polygon(corners, fill);
}

}  // namespace lacuna::report
