#include "estimation/turned_rows.hpp"

#include <algorithm>

#include "support/dispatch.hpp"

namespace lacuna {
namespace {

constexpr std::size_t side = 8;
typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));

// Number k of vector i becomes number i of vector k: pairs of numbers trade places, then pairs of
// pairs, then halves.
LACUNA_INLINE void turn_square(Eight (&v)[side]) {
  Eight a[side], b[side];
  for (std::size_t k = 0; k < side; k += 2) {
    a[k] = __builtin_shufflevector(v[k], v[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    a[k + 1] = __builtin_shufflevector(v[k], v[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (const std::size_t k : {0, 1, 4, 5}) {
    b[k] = __builtin_shufflevector(a[k], a[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    b[k + 2] = __builtin_shufflevector(a[k], a[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (std::size_t k = 0; k < side / 2; ++k) {
    v[k] = __builtin_shufflevector(b[k], b[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    v[k + 4] = __builtin_shufflevector(b[k], b[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// Squares of vectors where there are registers for them, then what is left.
template <class Isa>
LACUNA_INLINE void turn(const double* f, std::size_t stride, std::size_t rows, std::size_t draws,
                        double* turned) {
  constexpr bool squares = Isa::bytes == sizeof(Eight);
  const std::size_t whole_rows = squares ? rows / side * side : 0;
  const std::size_t whole_draws = draws / side * side;
  if constexpr (squares) {
    for (std::size_t k = 0; k < whole_draws; k += side) {
      for (std::size_t i = 0; i < whole_rows; i += side) {
        Eight square[side];
        for (std::size_t j = 0; j < side; ++j)
          square[j] = *reinterpret_cast<const Eight*>(f + (k + j) * stride + i);
        turn_square(square);
        for (std::size_t j = 0; j < side; ++j)
          *reinterpret_cast<Eight*>(turned + (i + j) * draws + k) = square[j];
      }
    }
  }
  // Few draws at a time, so that whole cache lines are read and written.
  for (std::size_t begin = 0; begin < draws; begin += side) {
    const std::size_t end = std::min(begin + side, draws);
    for (std::size_t i = begin < whole_draws ? whole_rows : 0; i < rows; ++i) {
      for (std::size_t k = begin; k < end; ++k) turned[i * draws + k] = f[k * stride + i];
    }
  }
}

}  // namespace

LACUNA_KERNEL(void, turn_rows,
              (const double* f, std::size_t stride, std::size_t rows, std::size_t draws,
               double* turned),
              (f, stride, rows, draws, turned), turn<Isa>(f, stride, rows, draws, turned))

}  // namespace lacuna
