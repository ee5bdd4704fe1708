// Can its intervals be believed? Coverage, and where observations fall in their predictive laws.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/axes.hpp"
#include "report/bar_picture.hpp"
#include "report/picture_support.hpp"
#include "report/sections.hpp"

namespace lacuna::report {
namespace {

constexpr std::array levels = {0.5, 0.8, 0.9, 0.95};
constexpr std::size_t grid_points = 201;
constexpr double two_sided_95 = 1.96;

// Share of observations in the central interval of this probability: those with |2 pit - 1| <=
// level.
double covered(const std::vector<double>& pit, double level) {
  const auto inside =
      std::ranges::count_if(pit, [&](double p) { return std::abs(2.0 * p - 1.0) <= level; });
  return static_cast<double>(inside) / static_cast<double>(pit.size());
}

Figure coverage_figure(const std::vector<double>& pit) {
  const double n = static_cast<double>(pit.size());
  BarPicture picture;
  picture.title = "Coverage of predictive intervals";
  picture.x_label = "share of observations inside";
  picture.sheet = page_sheet;
  Table table{{"interval", "should hold", "holds", "± by chance"}, {}, {}};
  for (const double level : levels) {
    const double share = covered(pit, level);
    const double error = two_sided_95 * std::sqrt(level * (1.0 - level) / n);
    picture.labels.push_back(percent(level));
    picture.values.push_back(share);
    picture.errors.push_back(error);
    picture.expected.push_back(level);
    table.rows.push_back({percent(level), percent(level), fmt::format("{:.1f}%", 100.0 * share),
                          fmt::format("{:.1f}%", 100.0 * error)});
  }
  Figure figure;
  figure.heading = picture.title;
  figure.reading =
      "Each bar should end at its mark: an interval of 90% should hold 90% of observations y. "
      "Whiskers show what chance alone can do (95%).";
  figure.svg = draw_bars(picture);
  figure.table = table;
  return figure;
}

Figure pit_figure(std::vector<double> pit) {
  std::ranges::sort(pit);
  const double n = static_cast<double>(pit.size());
  // Dvoretzky, Kiefer and Wolfowitz with Massart's constant: the empirical distribution of n
  // uniform values stays within this of the diagonal, everywhere at once, with 95% probability.
  const double reach = std::sqrt(std::log(2.0 / 0.05) / (2.0 * n));
  std::vector<double> x, difference, low, high;
  std::vector<std::string> tips;
  Table table{{"PIT value", "share below", "expected", "difference"}, {}, {}};
  for (std::size_t g = 0; g < grid_points; ++g) {
    const double at = static_cast<double>(g) / (grid_points - 1);
    const double below = static_cast<double>(std::ranges::upper_bound(pit, at) - pit.begin()) / n;
    x.push_back(at);
    difference.push_back(below - at);
    low.push_back(-reach);
    high.push_back(reach);
    tips.push_back(fmt::format("{:.1f}% of observations lie below their {:.1f}% point",
                               100.0 * below, 100.0 * at));
    if (g % 10 == 0) {
      table.rows.push_back({fmt::format("{:.2f}", at), fmt::format("{:.3f}", below),
                            fmt::format("{:.3f}", at), number(below - at)});
    }
  }
  double largest = reach;
  for (const double d : difference) largest = std::max(largest, std::abs(d));
  const bool outside = largest > reach;
  AxesOptions options;
  options.title = "Probability integral transform (PIT)";
  options.description = fmt::format(
      "Difference between the share of observations below each predictive quantile and what is "
      "expected; it {} the 95% simultaneous band of ±{:.3f}.",
      outside ? "leaves" : "stays within", reach);
  options.x_label = "predicted probability of less than observed";
  options.y_label = "share below − expected";
  options.sheet = page_sheet;
  options.sheet.height = 250.0;
  options.x = {0.0, 1.0};
  options.y = padded({-largest, largest}, 0.12);
  options.legend = {{Mark::line, palette::strong, "observations"},
                    {Mark::band, palette::pale, "right, with 95% probability"}};
  Axes axes(options);
  axes.band(x, low, high, {.colour = palette::pale, .opacity = 0.85});
  axes.canvas().line(axes.at(0.0, 0.0), axes.at(1.0, 0.0),
                     {.colour = palette::muted, .dashed = true});
  axes.curve(x, difference, {.colour = palette::strong, .width = 2.0});
  axes.hover_strips(x, tips);
  Figure figure;
  figure.heading = options.title;
  figure.reading =
      "If the predictive laws are right, the whole line stays in the band with 95% probability. "
      "Above zero on the left and below on the right: intervals too narrow; the other way round: "
      "too wide.";
  figure.svg = axes.finish();
  figure.table = table;
  return figure;
}

}  // namespace

Section calibration_section(const Material& m) {
  Section section{"calibration", "Calibration", "How sure is it, and may you believe that?", ""};
  if (!m.rows) return section;
  const std::vector<double>& pit = m.rows->prediction.pit;
  const std::string some =
      m.rows->row.size() < m.rows->all
          ? fmt::format(" ({} of them, evenly chosen)", with_separators(m.rows->row.size()))
          : "";
  section.html = paragraph_html(
      fmt::format("All of this is about observations y, noise included, of the {} training rows{}. "
                  "They are not held out: the fit knows them, so intervals hold more of them than "
                  "they will of new rows. For a fair test, score rows that were not fitted: lacuna "
                  "predict FILE NEW.csv --score.",
                  with_separators(m.rows->all), some));
  section.html += figures_html({coverage_figure(pit), pit_figure(pit)});
  return section;
}

}  // namespace lacuna::report
