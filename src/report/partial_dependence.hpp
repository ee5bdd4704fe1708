// How f changes with one input, the others as they come in the data.
#pragma once

#include <vector>

#include "lacuna/fit.hpp"

namespace lacuna::report {

struct PartialDependence {
  std::vector<double> x;  // over the range of the input
  std::vector<double> mean, lower, upper;
};

// At each x, f is averaged over rows of the data draw by draw; mean and interval are over draws.
PartialDependence partial_dependence(const Fit& fit, const Dataset& data, std::size_t input,
                                     double level, std::size_t threads);

}  // namespace lacuna::report
