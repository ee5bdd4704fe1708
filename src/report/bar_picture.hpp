// Named numbers as horizontal bars, such as the inclusion probability of each input.
#pragma once

#include <string>
#include <vector>

#include "report/svg.hpp"

namespace lacuna {

struct BarPicture {
  std::string title;
  std::vector<std::string> labels;
  std::vector<double> values;
  std::string x_label;
  std::vector<double> errors = {};    // half the length of a whisker; NaN for none
  std::vector<double> expected = {};  // where each bar should end, marked
  report::Sheet sheet = {};           // its height follows from the number of bars
};

// Bars keep their order, from top to bottom. Values that are not finite are left out; of more than
// 40 the largest 40 are drawn. Values between 0 and 1 get an axis from 0 to 1.
std::string draw_bars(const BarPicture& picture);

}  // namespace lacuna
