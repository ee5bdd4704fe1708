#include "report/partial_dependence.hpp"

#include <algorithm>
#include <span>

#include "estimation/intervals.hpp"
#include "report/picture_support.hpp"

namespace lacuna::report {
namespace {

constexpr std::size_t grid_points = 33;
constexpr std::size_t most_rows = 60;
// Values of f kept at a time: 4 million, 32 MiB.
constexpr std::size_t most_values = std::size_t{1} << 22;

}  // namespace

PartialDependence partial_dependence(const Fit& fit, const Dataset& data, std::size_t input,
                                     double level, std::size_t threads) {
  const auto [low, high] =
      std::ranges::minmax(std::span(data.x).subspan(input * data.rows, data.rows));
  const auto draws = static_cast<std::size_t>(fit.draws());
  const std::size_t affordable =
      std::clamp<std::size_t>(most_values / (grid_points * draws), 5, most_rows);
  const std::vector<std::size_t> rows = evenly_chosen(data.rows, affordable);
  PartialDependence out;
  for (std::size_t g = 0; g < grid_points; ++g)
    out.x.push_back(low + (high - low) * static_cast<double>(g) / (grid_points - 1));

  std::vector<double> x;  // grid point by grid point, each with all rows
  for (std::size_t j = 0; j < data.inputs; ++j) {
    for (std::size_t g = 0; g < grid_points; ++g)
      for (const std::size_t i : rows)
        x.push_back(j == input ? out.x[g] : data.x[j * data.rows + i]);
  }
  const std::size_t width = grid_points * rows.size();
  const std::vector<double> f = fit.predict_draws(x, width, {}, threads);
  std::vector<double> means(draws);
  for (std::size_t g = 0; g < grid_points; ++g) {
    double mean = 0.0;
    for (std::size_t k = 0; k < draws; ++k) {
      double sum = 0.0;
      for (std::size_t i = 0; i < rows.size(); ++i) sum += f[k * width + g * rows.size() + i];
      means[k] = sum / static_cast<double>(rows.size());
      mean += means[k] / static_cast<double>(draws);
    }
    std::ranges::sort(means);
    out.mean.push_back(mean);
    out.lower.push_back(sorted_quantile(means, 0.5 * (1.0 - level)));
    out.upper.push_back(sorted_quantile(means, 0.5 * (1.0 + level)));
  }
  return out;
}

}  // namespace lacuna::report
