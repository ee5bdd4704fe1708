// Finds the known name that a mistyped word most likely meant.
#pragma once

#include <string>
#include <vector>

namespace lacuna {

// The candidate closest to `word`, or an empty string if none is close: at most one edit
// (insertion, deletion, substitution, swap of neighbours) per three characters, upper and lower
// case alike.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace lacuna
