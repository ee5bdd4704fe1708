// The two faces of `lacuna summary`: text for people, JSON for programs.
#pragma once

#include <string>

#include "lacuna/fit.hpp"

namespace lacuna::cli {

// Every line at most 80 columns wide, except where a name or a path is longer.
std::string summary_as_text(const Fit& fit, const Summary& summary);
// Numbers that are not finite are null.
std::string summary_as_json(const Fit& fit, const Summary& summary);

// Share of proposals accepted; 0 if there were none.
double acceptance(const MoveSummary& move);
// Passes over the rows by all moves; 0 if the file does not say.
std::uint64_t all_passes(const Summary& summary);

}  // namespace lacuna::cli
