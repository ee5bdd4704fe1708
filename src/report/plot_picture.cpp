// Pictures of measurements over plain or logarithmic axes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/plot.hpp"
#include "report/axes.hpp"

namespace lacuna {
namespace {

using namespace report;

// Values as the axes see them: their decimal logarithms on a logarithmic scale.
std::vector<double> on_scale(const std::vector<double>& values, bool logarithmic) {
  std::vector<double> result = values;
  if (logarithmic) {
    for (double& value : result) {
      value = value > 0.0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return result;
}

struct ScaledCurve {
  std::vector<double> x, y, lower, upper;
};

ScaledCurve scaled(const PlotCurve& curve, const Plot& plot) {
  return {on_scale(curve.x, plot.log_x), on_scale(curve.y, plot.log_y),
          on_scale(curve.lower, plot.log_y), on_scale(curve.upper, plot.log_y)};
}

Range joined(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

void add_legend(const Plot& plot, AxesOptions& options) {
  for (const PlotCurve& curve : plot.curves) {
    if (curve.label.empty()) continue;
    const Mark mark = curve.style == CurveStyle::points ? Mark::dot
                      : curve.style == CurveStyle::line ? Mark::line
                                                        : Mark::dashes;
    options.legend.push_back(
        {mark, palette::series[curve.colour % palette::series.size()], curve.label});
  }
}

void draw_curve(Axes& axes, const PlotCurve& curve, const ScaledCurve& at) {
  const Colour colour = palette::series[curve.colour % palette::series.size()];
  if (curve.style != CurveStyle::points) {
    axes.curve(at.x, at.y,
               {.colour = colour, .width = 2.0, .dashed = curve.style == CurveStyle::dashes});
    return;
  }
  std::vector<std::pair<Point, Point>> intervals;
  for (std::size_t i = 0; i < std::min(at.lower.size(), at.upper.size()); ++i) {
    intervals.emplace_back(axes.at(at.x[i], at.lower[i]), axes.at(at.x[i], at.upper[i]));
  }
  axes.canvas().segments(intervals, {.colour = colour, .width = 1.4});
  std::vector<Point> centres;
  for (std::size_t i = 0; i < at.x.size(); ++i) centres.push_back(axes.at(at.x[i], at.y[i]));
  axes.canvas().circles(centres, 3.6, {.colour = colour});
}

}  // namespace

std::string picture_of_plot(const Plot& plot) {
  std::vector<ScaledCurve> curves;
  std::vector<double> all_x, all_y;
  for (const PlotCurve& curve : plot.curves) {
    curves.push_back(scaled(curve, plot));
    const ScaledCurve& at = curves.back();
    all_x.insert(all_x.end(), at.x.begin(), at.x.end());
    for (const auto* values : {&at.y, &at.lower, &at.upper}) {
      all_y.insert(all_y.end(), values->begin(), values->end());
    }
  }
  AxesOptions options;
  options.title = plot.title;
  options.note = plot.note;
  options.description = plot.description;
  options.x_label = plot.x_label;
  options.y_label = plot.y_label;
  options.x = padded(range_of({all_x}), 0.04);
  options.y = padded(range_of({all_y}), 0.05);
  std::vector<double> mark_x;
  for (const PlotMark& mark : plot.marks) mark_x.push_back(mark.x);
  mark_x = on_scale(mark_x, plot.log_x);
  if (!mark_x.empty()) options.x = joined(options.x, padded(range_of({mark_x}), 0.04));
  if (plot.log_x) options.x_marks = logarithmic_ticks(options.x);
  if (plot.log_y) options.y_marks = logarithmic_ticks(options.y);
  add_legend(plot, options);
  Axes axes(options);
  for (std::size_t k = 0; k < plot.marks.size(); ++k) {
    const Point bottom = axes.at(mark_x[k], options.y.low);
    const Point top = axes.at(mark_x[k], options.y.high);
    axes.canvas().line(bottom, top, {.colour = palette::axis, .width = 1.4, .dashed = true});
    axes.canvas().text({top.x + 5.0, top.y + 14.0 + 17.0 * static_cast<double>(k % 2)},
                       plot.marks[k].label, {.size = 13.0, .colour = palette::muted});
  }
  for (std::size_t k = 0; k < curves.size(); ++k) draw_curve(axes, plot.curves[k], curves[k]);
  return axes.finish();
}

}  // namespace lacuna
