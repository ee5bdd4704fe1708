// The two faces of `lacuna summary`: text for people, JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "lacuna/fit.hpp"

namespace lacuna::cli {

// Every line at most 80 columns wide, except where a name or a path is longer.
std::string summary_as_text(const Fit& fit, const Summary& summary);
// Numbers that are not finite are null.
std::string summary_as_json(const Fit& fit, const Summary& summary);

// What tempering adds to either; only for fits with several rungs.
std::string tempering_as_text(const std::vector<ChainSummary>& chains);
nlohmann::ordered_json tempering_as_json(const Config& config,
                                         const std::vector<ChainSummary>& chains);

// Share of proposals accepted; 0 if there were none.
double acceptance(const MoveSummary& move);
// Shares of the passes, and of the work, of all moves; NaN if the file does not say.
double passes_share(const Summary& summary, const MoveSummary& move);
double work_share(const Summary& summary, const MoveSummary& move);

}  // namespace lacuna::cli
