// The order of rows that follows from their values alone.
#pragma once

#include <cstddef>
#include <vector>

#include "lacuna/dataset.hpp"

namespace lacuna {

// Positions of the rows in increasing order, value by value, the target last; equal rows are next
// to each other. Units do not matter.
std::vector<std::size_t> row_order(const Dataset& data);

// Inputs and target alike; the weight does not matter.
bool equal_rows(const Dataset& data, std::size_t a, std::size_t b);

}  // namespace lacuna
