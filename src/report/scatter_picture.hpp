// Predictions for many inputs at a glance: predicted against observed, each with its predictive
// interval, and what is left over.
#pragma once

#include <string>
#include <vector>

#include "report/svg.hpp"

namespace lacuna {

struct ScatterPicture {
  std::string title;
  std::vector<double> observed;
  std::vector<double> mean;
  std::vector<double> y_lower, y_upper;  // predictive interval, noise included
  double level = 0.9;                    // of the intervals
  std::vector<std::size_t> rows = {};    // what readers know the points by; empty: their positions
  report::Sheet sheet = {.height = 560.0};
};

// Points that are not finite are left out. Beyond 2,000 an even choice is shown, but the share of
// observations inside their intervals is always that of all points.
std::string draw_observed_against_predicted(const ScatterPicture& picture);
// The same points: observed less predicted, against predicted.
std::string draw_residuals(const ScatterPicture& picture);
// The sentence on coverage that both are drawn with.
std::string coverage_sentence(const ScatterPicture& picture);

}  // namespace lacuna
