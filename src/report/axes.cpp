// The frame of a plot: title, legend, axes with ticks, and the map from data to pixels.
#include "report/axes.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace lacuna::report {
namespace {

constexpr double kMargin = 18.0;
constexpr double kTitleSize = 17.0;
constexpr double kNoteSize = 13.0;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kRowHeight = 21.0;
constexpr double kMiddleOfText = 0.36;  // of the font size, from the baseline up
constexpr double kBoldness = 1.12;      // width of bold text relative to plain

double key_width(Mark mark) { return mark == Mark::dot || mark == Mark::ring ? 10.0 : 26.0; }

double widest(const std::vector<std::string>& labels, double size) {
  double width = 0.0;
  for (const auto& label : labels) width = std::max(width, text_width(label, size));
  return width;
}

// As many ticks as their labels leave room for.
Ticks x_ticks(Range range, double length, double size) {
  for (int most = 9; most > 2; --most) {
    Ticks ticks = nice_ticks(range, most);
    const double room = length / static_cast<double>(std::max<std::size_t>(ticks.at.size(), 1));
    if (widest(ticks.labels, size) + 14.0 <= room) return ticks;
  }
  return nice_ticks(range, 2);
}

Ticks y_ticks(const AxesOptions& options) {
  if (options.y_categories) return *options.y_categories;
  return options.y_marks ? *options.y_marks : nice_ticks(options.y, 7);
}

}  // namespace

Axes::Axes(const AxesOptions& options)
    : canvas_(options.sheet, options.title.empty() ? "Figure" : options.title, options.description),
      text_(options.sheet.medium == Medium::page ? TextSizes{12.5, 12.0} : TextSizes{14.0, 13.0}),
      x_(options.x),
      y_(options.y) {
  const double label_room =
      std::min(widest(y_ticks(options).labels, text_.tick), 0.4 * options.sheet.width);
  margin_ = options.sheet.medium == Medium::page ? 4.0 : kMargin;
  left_ = margin_ + label_room + 10.0 + (options.y_label.empty() ? 0.0 : 24.0);
  right_ = options.sheet.width - margin_ - 8.0;
  bottom_ = options.sheet.height - margin_ - 20.0 - (options.x_label.empty() ? 0.0 : 22.0);
  draw_heading(options);
  draw_x_axis(options);
  draw_y_axis(options);
}

void Axes::draw_heading(const AxesOptions& options) {
  const double room = options.sheet.width - 2.0 * margin_;
  const bool in_page = options.sheet.medium == Medium::page;
  double y = margin_;
  if (!options.title.empty() && !in_page) {
    y += kTitleSize;
    canvas_.text({margin_, y}, shortened(options.title, kTitleSize, room / kBoldness),
                 {.size = kTitleSize, .bold = true});
    y += 8.0;
  }
  if (!options.note.empty() && !in_page) {
    y += kNoteSize;
    canvas_.text({margin_, y}, shortened(options.note, kNoteSize, room),
                 {.size = kNoteSize, .colour = palette::muted});
    y += 7.0;
  }
  double x = margin_;
  for (const auto& entry : options.legend) {
    const double width = key_width(entry.mark) + 7.0 + text_width(entry.label, kNoteSize) + 18.0;
    if (x > margin_ && (entry.new_row || x + width > options.sheet.width - margin_)) {
      x = margin_;
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
  const Ticks ticks =
      options.x_marks ? *options.x_marks : x_ticks(options.x, right_ - left_, text_.tick);
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double x = at(ticks.at[i], y_.low).x;
    canvas_.line({x, top_}, {x, bottom_}, {.colour = palette::grid});
    canvas_.line({x, bottom_}, {x, bottom_ + 5.0}, {.colour = palette::axis});
    // Labels at the ends move inward rather than out of the picture.
    const double reach = 0.5 * text_width(ticks.labels[i], text_.tick) + 4.0;
    const double middle = std::max(reach, std::min(x, options.sheet.width - reach));
    canvas_.text({middle, bottom_ + 8.0 + text_.tick}, ticks.labels[i],
                 {.size = text_.tick, .colour = palette::muted, .anchor = Anchor::middle});
  }
  canvas_.line({left_, bottom_}, {right_, bottom_}, {.colour = palette::axis});
  canvas_.text({0.5 * (left_ + right_), options.sheet.height - margin_},
               shortened(options.x_label, text_.label, right_ - left_),
               {.size = text_.label, .anchor = Anchor::middle});
}

void Axes::draw_y_axis(const AxesOptions& options) {
  const Ticks ticks = y_ticks(options);
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double y = at(x_.low, ticks.at[i]).y;
    if (!options.y_categories) canvas_.line({left_, y}, {right_, y}, {.colour = palette::grid});
    canvas_.text({left_ - 9.0, y + kMiddleOfText * text_.tick},
                 shortened(ticks.labels[i], text_.tick, 0.4 * options.sheet.width),
                 {.size = text_.tick,
                  .colour = options.y_categories ? palette::ink : palette::muted,
                  .anchor = Anchor::end});
  }
  canvas_.line({left_, top_}, {left_, bottom_}, {.colour = palette::axis});
  canvas_.text({margin_ + 0.75 * text_.label, 0.5 * (top_ + bottom_)},
               shortened(options.y_label, text_.label, bottom_ - top_),
               {.size = text_.label, .anchor = Anchor::middle, .upward = true});
}

Point Axes::at(double x, double y) const {
  if (!drawable(x) || !drawable(y)) return {kNone, kNone};
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

void Axes::hover_strips(std::span<const double> x, std::span<const std::string> tips) {
  const auto border = [&](std::size_t i) { return at(0.5 * (x[i] + x[i + 1]), y_.low).x; };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double from = i == 0 ? left_ : border(i - 1);
    const double to = i + 1 == x.size() ? right_ : border(i);
    canvas_.hover_area({from, top_}, to - from, bottom_ - top_, tips[i]);
  }
}

}  // namespace lacuna::report
