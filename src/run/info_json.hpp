// FitInfo and Config as JSON text, for the header of a fit file.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/fit.hpp"
#include "network/architecture.hpp"
#include "network/input_choice.hpp"

namespace lacuna {

// The network that is sampled, and its place in the one over all inputs.
Architecture network_of(const FitInfo& info);
InputChoice input_choice(const FitInfo& info);

std::string info_to_json(const FitInfo& info);
// Throws std::exception on anything malformed; the caller turns it into a sentence about the file.
FitInfo info_from_json(std::string_view text);

}  // namespace lacuna
