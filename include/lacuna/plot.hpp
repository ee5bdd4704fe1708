// Pictures of measurements: points with their intervals, curves and marks over plain or logarithmic
// axes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lacuna {

enum class CurveStyle { points, line, dashes };

struct PlotCurve {
  std::string label = {};  // in the legend; curves without one are not in it
  std::vector<double> x = {}, y = {};
  std::vector<double> lower = {}, upper = {};  // of an interval around each y, or none
  CurveStyle style = CurveStyle::points;
  std::size_t colour = 0;  // curves that belong together share one
};

// A value of x that deserves a name.
struct PlotMark {
  double x = 0.0;
  std::string label;
};

struct Plot {
  std::string title, note, description;
  std::string x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<PlotCurve> curves;
  std::vector<PlotMark> marks;
};

// Self-contained SVG text. Points that cannot be drawn (not finite, or not positive on a
// logarithmic axis) are left out.
std::string picture_of_plot(const Plot& plot);

}  // namespace lacuna
