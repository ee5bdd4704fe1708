// A fit with one input drawn over its data: posterior mean, credible band, predictive band, and the
// truth if known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/fit.hpp"
#include "report/svg.hpp"
#include "report/ticks.hpp"

namespace lacuna {

struct FitPicture {
  std::string title;
  std::string x_label;
  std::string y_label;
  // On an increasing grid, which may have gaps: everything is drawn across them. A band may be
  // empty.
  std::vector<double> x;
  std::vector<double> mean;
  std::vector<double> f_lower, f_upper;  // of the function
  std::vector<double> y_lower, y_upper;  // of a new observation, noise included
  std::vector<double> data_x, data_y;    // in any order; thinned evenly beyond 2,000
  std::vector<double> truth_x, truth_y;  // in any order, or empty; the line breaks at wide gaps
  std::vector<double> rug;               // inputs of data, as ticks along the axis
  double level = 0.9;                    // of both bands
  bool legend = true;
  std::optional<report::Range> y_range = {};  // instead of one that suits what is drawn
  report::Sheet sheet = {};
};

// Values that are not finite are left out.
std::string draw_fit(const FitPicture& picture);

// The curve of a fit with one input over its data, a little beyond them on both sides.
FitPicture picture_with_one_input(const Fit& fit, const Dataset& data, double level);

}  // namespace lacuna
