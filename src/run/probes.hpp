// The training rows at which the summary of a fit follows f.
#pragma once

#include "lacuna/fit.hpp"

namespace lacuna {

// Eight rows (or all, of fewer) at equal steps in the order of the target, so that they lie on low,
// middle and high parts of f. A function of the data alone.
ProbePoints probe_points(const Dataset& scaled_data);

}  // namespace lacuna
