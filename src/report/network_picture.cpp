#include "report/network_picture.hpp"

#include <algorithm>
#include <numeric>

namespace lacuna::report {
namespace {

constexpr double kTop = 34.0;  // the legend is above
constexpr double kBottom = 10.0;
constexpr double kMostSpacing = 34.0;
constexpr double kLeastSpacing = 13.0;
constexpr double kTallest = 560.0;  // beyond it units move closer together, down to kLeastSpacing
constexpr int kSweeps = 12;

using Heights = std::vector<std::vector<double>>;  // from 0 at the top to 1

double spot(std::size_t position, std::size_t count) {
  return (static_cast<double>(position) + 0.5) / static_cast<double>(count);
}

// Each hidden unit near the mean of its neighbours, a few times to and fro.
Heights heights_with_few_crossings(const NetworkPicture& picture) {
  const std::vector<NetworkEdge>& edges =
      picture.arrangement.empty() ? picture.edges : picture.arrangement;
  Heights heights;
  for (const auto& layer : picture.layers) {
    heights.emplace_back();
    for (std::size_t i = 0; i < layer.size(); ++i) heights.back().push_back(spot(i, layer.size()));
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t layer = 1; layer < heights.size(); ++layer) {
      const std::size_t units = heights[layer].size();
      std::vector<double> sum(units, 0.0), weight(units, 0.0);
      for (const NetworkEdge& edge : edges) {
        if (edge.layer + 1 == layer) {
          sum[edge.to] += edge.strength * heights[layer - 1][edge.from];
          weight[edge.to] += edge.strength;
        } else if (edge.layer == layer) {
          sum[edge.from] += edge.strength * heights[layer + 1][edge.to];
          weight[edge.from] += edge.strength;
        }
      }
      const auto wanted = [&](std::size_t i) {
        return weight[i] > 0.0 ? sum[i] / weight[i] : heights[layer][i];
      };
      std::vector<std::size_t> order(units);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, {}, wanted);
      for (std::size_t k = 0; k < units; ++k) heights[layer][order[k]] = spot(k, units);
    }
  }
  return heights;
}

std::size_t tallest(const NetworkPicture& picture) {
  std::size_t most = 1;
  for (const auto& layer : picture.layers) most = std::max(most, layer.size());
  return most;
}

double widest_label(const std::vector<NetworkUnit>& layer, double size, double most) {
  double width = 0.0;
  for (const NetworkUnit& unit : layer) width = std::max(width, text_width(unit.label, size));
  return std::min(width, most);
}

void draw_legend(SvgCanvas& canvas, const NetworkPicture& picture) {
  constexpr double size = 12.0, y = 12.0;
  double x = 4.0;
  const auto line = [&](const Colour& colour, const std::string& words) {
    canvas.line({x, y}, {x + 22.0, y}, {.colour = colour, .width = 3.0});
    canvas.text({x + 28.0, y + 4.3}, words, {.size = size});
    x += 28.0 + text_width(words, size) + 12.0;
  };
  line(palette::strong, "positive");
  line(palette::accent, "negative");
  const Point centre{x + 5.0, y};
  canvas.circles({&centre, 1}, 4.5, {.colour = palette::ink});
  canvas.text({x + 16.0, y + 4.3}, "with a shift", {.size = size});
  x += 16.0 + text_width("with a shift", size) + 12.0;
  canvas.text({x, y + 4.3},
              shortened("width: " + picture.strength_label, size, picture.sheet.width - x),
              {.size = size, .colour = palette::muted});
}

}  // namespace

std::string draw_network(const NetworkPicture& picture) {
  const auto most = static_cast<double>(tallest(picture));
  const double spacing = std::clamp(kTallest / most, kLeastSpacing, kMostSpacing);
  const double letters = std::min(12.5, spacing - 2.0), radius = std::min(6.0, 0.36 * spacing);
  Sheet sheet = picture.sheet;
  sheet.height = kTop + kBottom + std::max(spacing * most, 90.0);
  SvgCanvas canvas(sheet, picture.title, picture.description);
  draw_legend(canvas, picture);
  if (picture.layers.size() < 2) return canvas.finish();

  const double room = 0.3 * sheet.width, gap = radius + 8.0;
  const double left = widest_label(picture.layers.front(), letters, room) + gap + 4.0;
  const double right = sheet.width - widest_label(picture.layers.back(), letters, room) - gap - 4.0;
  const Heights heights = heights_with_few_crossings(picture);
  const auto place = [&](std::size_t layer, std::size_t unit) {
    const auto columns = static_cast<double>(picture.layers.size() - 1);
    return Point{left + (right - left) * static_cast<double>(layer) / columns,
                 kTop + (sheet.height - kTop - kBottom) * heights[layer][unit]};
  };

  std::vector<const NetworkEdge*> edges;
  for (const NetworkEdge& edge : picture.edges) edges.push_back(&edge);
  std::ranges::stable_sort(edges, {}, [](const NetworkEdge* edge) { return edge->strength; });
  // Crowded pictures have finer lines.
  const double widest = std::clamp(400.0 / static_cast<double>(edges.size() + 1), 1.6, 6.0);
  for (const NetworkEdge* edge : edges) {
    canvas.link(place(edge->layer, edge->from), place(edge->layer + 1, edge->to),
                {.colour = edge->positive ? palette::strong : palette::accent,
                 .width = 0.5 + widest * edge->strength,
                 .opacity = 0.3 + 0.55 * edge->strength},
                edge->tip);
  }
  for (std::size_t layer = 0; layer < picture.layers.size(); ++layer) {
    for (std::size_t unit = 0; unit < picture.layers[layer].size(); ++unit) {
      const NetworkUnit& shown = picture.layers[layer][unit];
      const Point at = place(layer, unit);
      canvas.rings({&at, 1}, radius, {.colour = palette::ink, .width = 1.4}, {&shown.tip, 1});
      if (shown.shifted)
        canvas.circles({&at, 1}, radius, {.colour = palette::ink}, {&shown.tip, 1});
      const bool last = layer + 1 == picture.layers.size();
      canvas.text({at.x + (last ? gap : -gap), at.y + 0.36 * letters},
                  shortened(shown.label, letters, room),
                  {.size = letters, .anchor = last ? Anchor::start : Anchor::end});
    }
  }
  return canvas.finish();
}

}  // namespace lacuna::report
