// FitInfo and Config as JSON text, for the header of a fit file.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/fit.hpp"

namespace lacuna {

std::string info_to_json(const FitInfo& info);
// Throws std::exception on anything malformed; the caller turns it into a sentence about the file.
FitInfo info_from_json(std::string_view text);

}  // namespace lacuna
