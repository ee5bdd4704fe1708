// Predictions for many inputs at a glance: predicted against observed, each with its predictive
// interval.
#pragma once

#include <string>
#include <vector>

namespace lacuna {

struct ScatterPicture {
  std::string title;
  std::vector<double> observed;
  std::vector<double> mean;
  std::vector<double> y_lower, y_upper;  // predictive interval, noise included
  double level = 0.9;                    // of the intervals
};

// Points that are not finite are left out. Beyond 2,000 an even choice is shown, but the share of
// observations inside their intervals is always that of all points.
std::string draw_observed_against_predicted(const ScatterPicture& picture);

}  // namespace lacuna
