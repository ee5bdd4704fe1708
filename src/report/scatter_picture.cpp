#include "report/scatter_picture.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "report/axes.hpp"
#include "report/picture_support.hpp"

namespace lacuna {
namespace {

using namespace report;

void check(const ScatterPicture& picture) {
  constexpr const char* function = "draw_observed_against_predicted";
  require_length(function, "mean", picture.mean.size(), picture.observed.size());
  require_length(function, "y_lower", picture.y_lower.size(), picture.observed.size());
  require_length(function, "y_upper", picture.y_upper.size(), picture.observed.size());
}

std::vector<std::size_t> complete_points(const ScatterPicture& picture) {
  std::vector<std::size_t> complete;
  for (std::size_t i = 0; i < picture.observed.size(); ++i) {
    if (drawable(picture.observed[i]) && drawable(picture.mean[i]) &&
        drawable(picture.y_lower[i]) && drawable(picture.y_upper[i])) {
      complete.push_back(i);
    }
  }
  return complete;
}

bool covered(const ScatterPicture& picture, std::size_t i) {
  return picture.y_lower[i] <= picture.observed[i] && picture.observed[i] <= picture.y_upper[i];
}

std::string tip_of(const ScatterPicture& picture, std::size_t i) {
  return fmt::format("row {}: observed {}, predicted {}, {} interval {} to {}",
                     picture.rows.empty() ? i : picture.rows[i], number(picture.observed[i]),
                     number(picture.mean[i]), percent(picture.level), number(picture.y_lower[i]),
                     number(picture.y_upper[i]));
}

// What is drawn, apart for points inside their interval (element 1) and outside (element 0).
struct Marks {
  std::array<std::vector<Point>, 2> dots;
  std::array<std::vector<std::pair<Point, Point>>, 2> bars;
  std::array<std::vector<std::string>, 2> tips;
};

// `place(i)` is where point i goes, `bar(i)` the ends of its interval.
template <class Place, class Bar>
Marks marks_of(const ScatterPicture& picture, const std::vector<std::size_t>& points,
               const Place& place, const Bar& bar) {
  Marks marks;
  for (const std::size_t k : evenly_chosen(points.size(), kMostPoints)) {
    const std::size_t i = points[k], inside = covered(picture, i) ? 1 : 0;
    marks.dots[inside].push_back(place(i));
    marks.bars[inside].push_back(bar(i));
    if (picture.sheet.medium == Medium::page) marks.tips[inside].push_back(tip_of(picture, i));
  }
  return marks;
}

void draw_marks(SvgCanvas& canvas, const Marks& marks) {
  const DotSize dot = dot_size(marks.dots[0].size() + marks.dots[1].size());
  const double width = 0.4 * dot.radius;
  canvas.segments(marks.bars[1], {.colour = palette::middle, .width = width, .opacity = 0.7});
  canvas.segments(marks.bars[0], {.colour = palette::accent, .width = width, .opacity = 0.5});
  canvas.circles(marks.dots[1], dot.radius, {.colour = palette::strong, .opacity = dot.opacity},
                 marks.tips[1]);
  canvas.rings(marks.dots[0], dot.radius + 0.2, {.colour = palette::accent, .width = 1.6},
               marks.tips[0]);
}

AxesOptions options_for(const ScatterPicture& picture, const std::vector<std::size_t>& points,
                        const std::string& what) {
  const std::string note = thinning_note(points.size(), "points");
  AxesOptions options;
  options.title = picture.title;
  options.note = coverage_sentence(picture);
  options.description = fmt::format("{} {}{}", what, options.note, note.empty() ? "" : ". " + note);
  options.sheet = picture.sheet;
  options.legend = {{Mark::dot, palette::strong, "inside its interval"},
                    {Mark::ring, palette::accent, "outside its interval"}};
  return options;
}

}  // namespace

std::string coverage_sentence(const ScatterPicture& picture) {
  check(picture);
  const auto points = complete_points(picture);
  if (points.empty()) return "No points to show.";
  std::size_t inside = 0;
  for (const std::size_t i : points) inside += covered(picture, i) ? 1 : 0;
  return fmt::format(
      "{} of {} observations ({:.1f}%) lie in their {} predictive interval (noise included)",
      with_separators(inside), with_separators(points.size()),
      100.0 * static_cast<double>(inside) / static_cast<double>(points.size()),
      percent(picture.level));
}

std::string draw_observed_against_predicted(const ScatterPicture& picture) {
  check(picture);
  const auto points = complete_points(picture);
  AxesOptions options =
      options_for(picture, points, "Predicted against observed values with predictive intervals.");
  options.x_label = "observed";
  options.y_label = "predicted";
  options.x = padded(range_of({picture.observed}), 0.03);
  options.y =
      padded(range_of({picture.observed, picture.mean, picture.y_lower, picture.y_upper}), 0.03);
  options.legend.push_back({Mark::dashes, palette::muted, "predicted = observed"});

  Axes axes(options);
  axes.canvas().line(axes.at(options.x.low, options.x.low), axes.at(options.x.high, options.x.high),
                     {.colour = palette::muted, .width = 1.5, .dashed = true});
  const auto place = [&](std::size_t i) { return axes.at(picture.observed[i], picture.mean[i]); };
  const auto bar = [&](std::size_t i) {
    return std::pair(axes.at(picture.observed[i], picture.y_lower[i]),
                     axes.at(picture.observed[i], picture.y_upper[i]));
  };
  draw_marks(axes.canvas(), marks_of(picture, points, place, bar));
  return axes.finish();
}

std::string draw_residuals(const ScatterPicture& picture) {
  check(picture);
  const auto points = complete_points(picture);
  AxesOptions options =
      options_for(picture, points, "Observed less predicted, against predicted values.");
  options.x_label = "predicted";
  options.y_label = "observed − predicted";
  std::vector<double> residuals, lower, upper;
  for (std::size_t i = 0; i < picture.observed.size(); ++i) {
    residuals.push_back(picture.observed[i] - picture.mean[i]);
    lower.push_back(picture.y_lower[i] - picture.mean[i]);
    upper.push_back(picture.y_upper[i] - picture.mean[i]);
  }
  options.x = padded(range_of({picture.mean}), 0.03);
  options.y = padded(range_of({residuals, lower, upper}), 0.03);
  Axes axes(options);
  axes.canvas().line(axes.at(options.x.low, 0.0), axes.at(options.x.high, 0.0),
                     {.colour = palette::muted, .width = 1.5, .dashed = true});
  const auto place = [&](std::size_t i) { return axes.at(picture.mean[i], residuals[i]); };
  const auto bar = [&](std::size_t i) {
    return std::pair(axes.at(picture.mean[i], lower[i]), axes.at(picture.mean[i], upper[i]));
  };
  draw_marks(axes.canvas(), marks_of(picture, points, place, bar));
  return axes.finish();
}

}  // namespace lacuna
