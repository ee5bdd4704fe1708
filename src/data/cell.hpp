// What the text of one table cell means: a number, a missing value, or neither.
#pragma once

#include <string_view>

namespace lacuna {

enum class CellKind { number, missing, infinite, text };

struct Cell {
  CellKind kind = CellKind::text;
  double value = 0.0;  // where kind is number
};

// Decimal numbers (`-1`, `+1.5`, `.5`, `5.`, `1e5`) are rounded correctly to the nearest double;
// one that is too large counts as infinite, one that is too small as zero. Missing are the empty
// cell and the spellings that pandas takes for it. Spaces and tabs around the text are allowed.
Cell read_cell(std::string_view text);

// The text without spaces and tabs at its ends.
std::string_view trimmed(std::string_view text);

}  // namespace lacuna
