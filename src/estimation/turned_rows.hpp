// Values that lie draw by draw, turned so that those of one row lie together.
#pragma once

#include <cstddef>

namespace lacuna {

// turned[i * draws + k] = f[k * stride + i] for all i < rows and k < draws.
void turn_rows(const double* f, std::size_t stride, std::size_t rows, std::size_t draws,
               double* turned);

}  // namespace lacuna
