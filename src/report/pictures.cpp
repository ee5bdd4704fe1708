// Chooses the picture that suits a fit and fills it with predictions.
#include "lacuna/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/bar_picture.hpp"
#include "report/fit_picture.hpp"
#include "report/scatter_picture.hpp"

namespace lacuna {
namespace {

constexpr std::size_t grid_points = 240;

}  // namespace

FitPicture picture_with_one_input(const Fit& fit, const Dataset& data, double level) {
  const auto [low, high] = std::ranges::minmax(data.x);
  const double margin = 0.05 * (high - low);
  FitPicture picture;
  for (std::size_t i = 0; i < grid_points; ++i) {
    const double share = static_cast<double>(i) / (grid_points - 1);
    picture.x.push_back(low - margin + share * (high - low + 2.0 * margin));
  }
  Prediction p = fit.predict(picture.x, picture.x.size(), {.level = level});
  picture.title = fmt::format("{} given {}: posterior over sparse networks", data.target_name,
                              data.input_names[0]);
  picture.x_label = data.input_names[0];
  picture.y_label = data.target_name;
  picture.mean = std::move(p.mean);
  picture.f_lower = std::move(p.f_lower);
  picture.f_upper = std::move(p.f_upper);
  picture.y_lower = std::move(p.y_lower);
  picture.y_upper = std::move(p.y_upper);
  picture.data_x = data.x;
  picture.data_y = data.y;
  picture.level = level;
  return picture;
}

std::string picture_of_fit(const Fit& fit, const Dataset& data, std::span<const double> truth,
                           double level) {
  if (data.inputs == 1) {
    FitPicture picture = picture_with_one_input(fit, data, level);
    if (!truth.empty()) {
      picture.truth_x = data.x;
      picture.truth_y.assign(truth.begin(), truth.end());
    }
    return draw_fit(picture);
  }
  Prediction p = fit.predict(data.x, data.rows, {.level = level});
  ScatterPicture picture;
  picture.title = fmt::format("{}: predicted against observed", data.target_name);
  picture.observed = data.y;
  picture.mean = std::move(p.mean);
  picture.y_lower = std::move(p.y_lower);
  picture.y_upper = std::move(p.y_upper);
  picture.level = level;
  return draw_observed_against_predicted(picture);
}

std::string picture_of_inclusion(const Summary& summary) {
  BarPicture picture;
  picture.title = "Which inputs matter";
  picture.x_label = "probability of being connected to the output";
  for (const InputInclusion& input : summary.inclusion) {
    picture.labels.push_back(input.name);
    picture.values.push_back(input.probability);
  }
  return draw_bars(picture);
}

}  // namespace lacuna
