// `lacuna summary` as text for people; the JSON for programs is in lacuna/report.hpp.
#pragma once

#include <string>
#include <vector>

#include "lacuna/fit.hpp"

namespace lacuna::cli {

// Every line at most 80 columns wide, except where a name or a path is longer.
std::string summary_as_text(const Fit& fit, const Summary& summary);
// What tempering adds to it; only for fits with several rungs.
std::string tempering_as_text(const std::vector<ChainSummary>& chains);

}  // namespace lacuna::cli
