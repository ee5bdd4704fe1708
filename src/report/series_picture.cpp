#include "report/series_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "report/axes.hpp"
#include "report/picture_support.hpp"
#include "support/random.hpp"

namespace lacuna::report {
namespace {

constexpr std::size_t kMostTracePoints = 4800;
constexpr std::size_t kFewDraws = 60;  // are drawn as dots too
constexpr std::size_t kMostBins = 20, kDrawsPerBin = 20;
constexpr std::size_t kMostKeys = 6;

std::size_t longest(const std::vector<std::vector<double>>& series) {
  std::size_t most = 0;
  for (const auto& one : series) most = std::max(most, one.size());
  return most;
}

std::size_t chains_of(const SeriesPicture& picture) {
  return picture.series.size() / std::max<std::size_t>(picture.walkers, 1);
}

Colour colour_of(std::size_t chain) { return palette::series[chain % palette::series.size()]; }

std::vector<LegendEntry> legend(const SeriesPicture& picture) {
  std::vector<LegendEntry> entries;
  const std::size_t chains = chains_of(picture);
  if (chains < 2 || chains > kMostKeys) return entries;
  for (std::size_t c = 0; c < chains; ++c)
    entries.push_back({Mark::line, colour_of(c), fmt::format("chain {}", c)});
  return entries;
}

Range range_over(const std::vector<std::vector<double>>& series) {
  std::vector<double> all;
  for (const auto& one : series) all.insert(all.end(), one.begin(), one.end());
  return range_of({all});
}

// Draws every walker in the group of its chain.
template <class Draw>
void for_each_walker(const SeriesPicture& picture, SvgCanvas& canvas, const Draw& draw) {
  for (std::size_t w = 0; w < picture.series.size(); ++w) {
    const std::size_t chain = w / std::max<std::size_t>(picture.walkers, 1);
    canvas.begin_chain(chain);
    draw(w, colour_of(chain));
    canvas.end_chain();
  }
}

}  // namespace

std::size_t shown_draws(const SeriesPicture& picture) {
  const std::size_t most =
      std::max<std::size_t>(kMostTracePoints / std::max<std::size_t>(picture.series.size(), 1), 20);
  return std::min(longest(picture.series), most);
}

std::string draw_trace(const SeriesPicture& picture) {
  AxesOptions options;
  options.title = picture.title;
  options.x_label = picture.walkers > 1 ? "draw of a walker" : "draw";
  options.y_label = picture.label;
  options.sheet = picture.sheet;
  options.legend = legend(picture);
  const std::size_t length = longest(picture.series), shown = shown_draws(picture);
  options.description =
      fmt::format("{} draw by draw, one line for each of {} {}.", picture.title,
                  picture.series.size(), picture.walkers > 1 ? "walkers" : "chains");
  options.x = {0.0, std::max(static_cast<double>(length) - 1.0, 1.0)};
  options.y = padded(range_over(picture.series), 0.05);
  Axes axes(options);
  const double width = picture.series.size() > 8 ? 0.7 : 1.0;
  for_each_walker(picture, axes.canvas(), [&](std::size_t w, const Colour& colour) {
    const std::vector<double>& values = picture.series[w];
    std::vector<Point> line;
    for (const std::size_t k : evenly_chosen(values.size(), shown))
      line.push_back(axes.at(static_cast<double>(k), values[k]));
    axes.canvas().polyline(line, {.colour = colour, .width = width, .opacity = 0.85});
    if (length <= kFewDraws) axes.canvas().circles(line, 2.6, {.colour = colour});
  });
  return axes.finish();
}

RankHistogram rank_histogram(const std::vector<std::vector<double>>& series) {
  struct Entry {
    double value;
    std::uint64_t tie;  // ties are broken in an order that no walker can know
    std::size_t walker;
  };
  std::vector<Entry> all;
  RandomStream stream({1, 0, 0, 0, Purpose::report});
  std::size_t shortest = series.empty() ? 0 : series.front().size();
  for (std::size_t w = 0; w < series.size(); ++w) {
    shortest = std::min(shortest, series[w].size());
    for (const double value : series[w]) all.push_back({value, stream.bits(), w});
  }
  std::ranges::sort(all, [](const Entry& a, const Entry& b) {
    return std::tie(a.value, a.tie) < std::tie(b.value, b.tie);
  });
  RankHistogram out;
  out.bins = std::clamp<std::size_t>(shortest / kDrawsPerBin, 1, kMostBins);
  out.heights.assign(series.size(), std::vector<double>(out.bins, 0.0));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::size_t w = all[k].walker;
    out.heights[w][k * out.bins / all.size()] +=
        static_cast<double>(out.bins) / static_cast<double>(series[w].size());
  }
  out.spread = 1.96 * std::sqrt(static_cast<double>(out.bins - 1) /
                                static_cast<double>(std::max<std::size_t>(shortest, 1)));
  return out;
}

std::string draw_ranks(const SeriesPicture& picture) {
  const RankHistogram ranks = rank_histogram(picture.series);
  double highest = 1.0 + ranks.spread;
  for (const auto& heights : ranks.heights) highest = std::max(highest, std::ranges::max(heights));
  AxesOptions options;
  options.title = picture.title;
  options.x_label = "rank among all draws (0 lowest, 1 highest)";
  options.y_label = "share, 1 = expected";
  options.description = fmt::format(
      "Rank histograms of {} {}; level lines at 1 mean agreement. The largest step is {:.2f}.",
      picture.series.size(), picture.walkers > 1 ? "walkers" : "chains", highest);
  options.sheet = picture.sheet;
  options.legend = legend(picture);
  options.x = {0.0, 1.0};
  options.y = {0.0, 1.08 * highest};
  Axes axes(options);
  const std::vector<double> ends = {0.0, 1.0};
  const double low = std::max(0.0, 1.0 - ranks.spread), high = 1.0 + ranks.spread;
  axes.band(ends, std::vector<double>{low, low}, std::vector<double>{high, high},
            {.colour = palette::grid});
  axes.canvas().line(axes.at(0.0, 1.0), axes.at(1.0, 1.0),
                     {.colour = palette::axis, .dashed = true});
  for_each_walker(picture, axes.canvas(), [&](std::size_t w, const Colour& colour) {
    std::vector<Point> stairs;
    for (std::size_t b = 0; b < ranks.bins; ++b) {
      const auto bins = static_cast<double>(ranks.bins);
      const double height = ranks.heights[w][b];
      stairs.push_back(axes.at(static_cast<double>(b) / bins, height));
      stairs.push_back(axes.at(static_cast<double>(b + 1) / bins, height));
    }
    axes.canvas().polyline(stairs, {.colour = colour, .width = 1.4, .opacity = 0.9});
  });
  return axes.finish();
}

}  // namespace lacuna::report
