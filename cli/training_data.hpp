// The data that a fit was made from, found again where its file says they were.
#pragma once

#include <filesystem>
#include <string>

#include "lacuna/fit.hpp"

namespace lacuna::cli {

// `given`, or what the file names, seen from here or from the folder of the file. Empty if the file
// names none; need not exist.
std::filesystem::path training_path(const std::string& file, const FitInfo& info,
                                    const std::string& given);

// Reads them as they were read for the fit. Throws Error(no_input) or Error(usage), which say to
// give --data, if they are not there.
Dataset read_training_data(const std::string& file, const FitInfo& info, const std::string& given);

}  // namespace lacuna::cli
