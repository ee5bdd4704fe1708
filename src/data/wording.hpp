// Pieces of the sentences that data errors are made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

// Text from a file or a user, made safe for one line of a terminal: control characters and bytes
// that are not UTF-8 escaped, and everything after `longest` characters replaced by "...".
std::string shown(std::string_view text, std::size_t longest = 40);

// "1 row", "3 rows".
std::string counted(std::size_t number, std::string_view noun);

// "a, b, c", cut with " ..." after ten names.
std::string listed(const std::vector<std::string>& names);

}  // namespace lacuna
