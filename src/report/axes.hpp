// The frame of a plot: title, legend, axes with ticks, and the map from data to pixels.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/svg.hpp"
#include "report/ticks.hpp"

namespace lacuna::report {

enum class Mark { band, line, dashes, dot, ring };

struct LegendEntry {
  Mark mark = Mark::line;
  Colour colour = palette::ink;
  std::string label;
  bool new_row = false;
};

struct AxesOptions {
  std::string title;
  std::string description;
  std::string x_label;
  std::string y_label;
  std::string note;  // one line under the title; in a page both are in words around the picture
  Range x;
  Range y;  // y.low is at the bottom, also where it is the larger
  Sheet sheet;
  std::vector<LegendEntry> legend;
  // Instead of numbers that suit the range: of another scale, or names, which have no grid lines.
  std::optional<Ticks> x_marks = std::nullopt, y_marks = std::nullopt, y_categories = std::nullopt;
};

struct TextSizes {
  double label, tick;
};

class Axes {
 public:
  explicit Axes(const AxesOptions& options);

  Point at(double x, double y) const;
  // Through all drawable points, across those that are not.
  void curve(std::span<const double> x, std::span<const double> y, const Stroke& stroke);
  void band(std::span<const double> x, std::span<const double> low, std::span<const double> high,
            const Fill& fill);
  // Tips for a curve: strips of the whole height around each x, which must increase.
  void hover_strips(std::span<const double> x, std::span<const std::string> tips);
  SvgCanvas& canvas() { return canvas_; }
  std::string finish() const { return canvas_.finish(); }

 private:
  void draw_heading(const AxesOptions& options);
  void draw_legend_entry(Point corner, const LegendEntry& entry);
  void draw_x_axis(const AxesOptions& options);
  void draw_y_axis(const AxesOptions& options);

  SvgCanvas canvas_;
  TextSizes text_;
  Range x_;
  Range y_;
  double margin_ = 0.0;
  double left_ = 0.0;
  double right_ = 0.0;
  double top_ = 0.0;
  double bottom_ = 0.0;
};

}  // namespace lacuna::report
