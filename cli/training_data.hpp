// The data of a fit, found again from what its file says.
#pragma once

#include <string>

#include "lacuna/dataset.hpp"
#include "lacuna/fit.hpp"

namespace lacuna::cli {

// Read from `given` (the option --data), or, where that is empty, from where the file says, seen
// from here or from the folder of the file. Whether they are the same data is for those who use
// them to check, by their hash.
Dataset training_data(const std::string& file, const FitInfo& info, const std::string& given);

}  // namespace lacuna::cli
