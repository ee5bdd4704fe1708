// Predictions for many inputs at a glance: predicted against observed, each with its predictive
// interval.
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

std::string coverage_sentence(const ScatterPicture& picture,
                              const std::vector<std::size_t>& points) {
  if (points.empty()) return "No points to show.";
  std::size_t inside = 0;
  for (const std::size_t i : points) inside += covered(picture, i) ? 1 : 0;
  return fmt::format(
      "{} of {} observations ({:.1f}%) lie in their {} predictive interval (noise included)",
      with_separators(inside), with_separators(points.size()),
      100.0 * static_cast<double>(inside) / static_cast<double>(points.size()),
      percent(picture.level));
}

}  // namespace

std::string draw_observed_against_predicted(const ScatterPicture& picture) {
  check(picture);
  const auto points = complete_points(picture);
  const std::string note = thinning_note(points.size(), "points");

  AxesOptions options;
  options.title = picture.title;
  options.note = coverage_sentence(picture, points);
  options.description = "Predicted against observed values with predictive intervals. " +
                        options.note + (note.empty() ? "" : ". " + note);
  options.x_label = "observed";
  options.y_label = "predicted";
  options.x = padded(range_of({picture.observed}), 0.03);
  options.y =
      padded(range_of({picture.observed, picture.mean, picture.y_lower, picture.y_upper}), 0.03);
  options.height = 560.0;
  options.legend = {{Mark::dot, palette::strong, "inside its interval"},
                    {Mark::ring, palette::accent, "outside its interval"},
                    {Mark::dashes, palette::muted, "predicted = observed"}};

  Axes axes(options);
  // Element 0: outside their interval, element 1: inside.
  std::array<std::vector<Point>, 2> dots;
  std::array<std::vector<std::pair<Point, Point>>, 2> bars;
  for (const std::size_t k : evenly_chosen(points.size(), kMostPoints)) {
    const std::size_t i = points[k];
    const double x = picture.observed[i];
    const std::size_t inside = covered(picture, i) ? 1 : 0;
    dots[inside].push_back(axes.at(x, picture.mean[i]));
    bars[inside].emplace_back(axes.at(x, picture.y_lower[i]), axes.at(x, picture.y_upper[i]));
  }
  const DotSize dot = dot_size(dots[0].size() + dots[1].size());
  const double bar_width = 0.4 * dot.radius;
  axes.canvas().segments(bars[1], {.colour = palette::middle, .width = bar_width, .opacity = 0.7});
  axes.canvas().segments(bars[0], {.colour = palette::accent, .width = bar_width, .opacity = 0.5});
  axes.canvas().line(axes.at(options.x.low, options.x.low), axes.at(options.x.high, options.x.high),
                     {.colour = palette::muted, .width = 1.5, .dashed = true});
  axes.canvas().circles(dots[1], dot.radius, {.colour = palette::strong, .opacity = dot.opacity});
  axes.canvas().rings(dots[0], dot.radius + 0.2, {.colour = palette::accent, .width = 1.6});
  return axes.finish();
}

}  // namespace lacuna
