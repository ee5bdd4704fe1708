// A fit with one input drawn over its data: posterior mean, credible band, predictive band, and the
// truth if known.
#include "report/fit_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "report/axes.hpp"
#include "report/picture_support.hpp"

namespace lacuna {
namespace {

using namespace report;

constexpr std::size_t kMostTicks = 200;

using Curve = std::pair<std::vector<double>, std::vector<double>>;

void check(const FitPicture& picture) {
  const auto require = [](std::string_view field, std::size_t length, std::size_t expected) {
    require_length("draw_fit", field, length, expected);
  };
  require("mean", picture.mean.size(), picture.x.size());
  if (!picture.f_lower.empty()) require("f_lower", picture.f_lower.size(), picture.x.size());
  require("f_upper", picture.f_upper.size(), picture.f_lower.size());
  if (!picture.y_lower.empty()) require("y_lower", picture.y_lower.size(), picture.x.size());
  require("y_upper", picture.y_upper.size(), picture.y_lower.size());
  require("data_y", picture.data_y.size(), picture.data_x.size());
  require("truth_y", picture.truth_y.size(), picture.truth_x.size());
}

std::vector<LegendEntry> legend(const FitPicture& picture) {
  std::vector<LegendEntry> entries;
  if (!picture.data_x.empty()) entries.push_back({Mark::dot, palette::ink, "data"});
  if (!picture.x.empty()) entries.push_back({Mark::line, palette::strong, "posterior mean"});
  if (!picture.truth_x.empty()) entries.push_back({Mark::dashes, palette::accent, "truth"});
  const std::string level = percent(picture.level);
  const bool has_f = !picture.f_lower.empty();
  if (has_f) {
    entries.push_back(
        {Mark::band, palette::middle, level + " credible band (function only)", true});
  }
  if (!picture.y_lower.empty()) {
    entries.push_back(
        {Mark::band, palette::pale, level + " predictive band (noise included)", !has_f});
  }
  return entries;
}

std::string describe(const FitPicture& picture) {
  std::string text = fmt::format(
      "Fit of {} against {}: {} data points", picture.y_label.empty() ? "y" : picture.y_label,
      picture.x_label.empty() ? "x" : picture.x_label, with_separators(picture.data_x.size()));
  if (!picture.x.empty()) text += ", the posterior mean";
  if (!picture.f_lower.empty()) {
    text += fmt::format(", a {} credible band for the function only", percent(picture.level));
  }
  if (!picture.y_lower.empty()) {
    text += fmt::format(", a {} predictive band with noise included", percent(picture.level));
  }
  if (!picture.truth_x.empty()) text += ", the true function as a dashed line";
  text += ".";
  const std::string note = thinning_note(picture.data_x.size(), "data points");
  return note.empty() ? text : text + " " + note;
}

// The truth in order of x, cut where neighbours lie much farther apart than is usual: nothing is
// known in between.
std::vector<Curve> truth_in_pieces(const FitPicture& picture, Range x_range) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < picture.truth_x.size(); ++i) {
    if (drawable(picture.truth_x[i]) && drawable(picture.truth_y[i])) {
      points.emplace_back(picture.truth_x[i], picture.truth_y[i]);
    }
  }
  std::ranges::sort(points);
  std::vector<double> spacings;
  for (std::size_t i = 1; i < points.size(); ++i) {
    spacings.push_back(points[i].first - points[i - 1].first);
  }
  double widest = 0.02 * (x_range.high - x_range.low);
  if (!spacings.empty()) {
    auto sorted = spacings;
    std::ranges::sort(sorted);
    widest = std::max(widest, 20.0 * sorted[sorted.size() / 2]);
  }

  std::vector<Curve> pieces;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == 0 || spacings[i - 1] > widest) pieces.emplace_back();
    pieces.back().first.push_back(points[i].first);
    pieces.back().second.push_back(points[i].second);
  }
  return pieces;
}

std::vector<std::string> tips(const FitPicture& picture) {
  std::vector<std::string> tips;
  for (std::size_t i = 0; i < picture.x.size(); ++i) {
    std::string tip = fmt::format("{} = {}: mean {}", picture.x_label, number(picture.x[i]),
                                  number(picture.mean[i]));
    if (!picture.f_lower.empty()) {
      tip += fmt::format("; f {} to {}", number(picture.f_lower[i]), number(picture.f_upper[i]));
    }
    if (!picture.y_lower.empty()) {
      tip += fmt::format("; observations {} to {}", number(picture.y_lower[i]),
                         number(picture.y_upper[i]));
    }
    tips.push_back(tip);
  }
  return tips;
}

}  // namespace

std::string draw_fit(const FitPicture& picture) {
  check(picture);
  AxesOptions options;
  options.title = picture.title;
  options.description = describe(picture);
  options.x_label = picture.x_label;
  options.y_label = picture.y_label;
  options.x = padded(range_of({picture.x, picture.data_x, picture.truth_x, picture.rug}), 0.02);
  options.y = padded(range_of({picture.mean, picture.f_lower, picture.f_upper, picture.y_lower,
                               picture.y_upper, picture.data_y, picture.truth_y}),
                     0.05);
  if (picture.y_range) options.y = padded(*picture.y_range, 0.05);
  if (picture.legend) options.legend = legend(picture);
  options.sheet = picture.sheet;

  Axes axes(options);
  axes.band(picture.x, picture.y_lower, picture.y_upper,
            {.colour = palette::pale, .opacity = 0.85});
  axes.band(picture.x, picture.f_lower, picture.f_upper,
            {.colour = palette::middle, .opacity = 0.9});
  std::vector<Point> dots;
  for (const std::size_t i : evenly_chosen(picture.data_x.size(), kMostPoints)) {
    dots.push_back(axes.at(picture.data_x[i], picture.data_y[i]));
  }
  const DotSize dot = dot_size(dots.size());
  axes.canvas().circles(dots, dot.radius, {.colour = palette::ink, .opacity = dot.opacity});
  axes.curve(picture.x, picture.mean, {.colour = palette::strong, .width = 2.4});
  for (const auto& [x, y] : truth_in_pieces(picture, options.x)) {
    axes.curve(x, y, {.colour = palette::accent, .width = 2.0, .dashed = true});
  }
  std::vector<std::pair<Point, Point>> rug;
  for (const std::size_t i : evenly_chosen(picture.rug.size(), kMostTicks)) {
    const Point foot = axes.at(picture.rug[i], options.y.low);
    rug.emplace_back(foot, Point{foot.x, foot.y - 8.0});
  }
  axes.canvas().segments(rug, {.colour = palette::axis, .opacity = 0.6});
  axes.hover_strips(picture.x, tips(picture));
  return axes.finish();
}

}  // namespace lacuna
