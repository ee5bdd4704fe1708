// The sums of the lanes in which derivatives were collected.
#include "network/block_pass.hpp"
#include "network/vector_rows.hpp"

namespace lacuna {
namespace {

// Lane k of `sums` is the sum of the lanes of v[k]: pairs of vectors are folded into one until
// one is left.
LACUNA_INLINE void sums_of_lanes(const Vec<Avx512, float> (&v)[16], Vec<Avx512, float>& sums) {
  Vec<Avx512, float> a[8], b[4], c[2];
  for (int k = 0; k < 8; ++k) {
    const Vec<Avx512, float>&x = v[2 * k], &y = v[2 * k + 1];
    a[k] =
        __builtin_shufflevector(x, y, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30) +
        __builtin_shufflevector(x, y, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
  }
  for (int k = 0; k < 4; ++k) {
    const Vec<Avx512, float>&x = a[2 * k], &y = a[2 * k + 1];
    b[k] =
        __builtin_shufflevector(x, y, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29) +
        __builtin_shufflevector(x, y, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  }
  for (int k = 0; k < 2; ++k) {
    const Vec<Avx512, float>&x = b[2 * k], &y = b[2 * k + 1];
    c[k] =
        __builtin_shufflevector(x, y, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27) +
        __builtin_shufflevector(x, y, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
  }
  sums =
      __builtin_shufflevector(c[0], c[1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
      __builtin_shufflevector(c[0], c[1], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30,
                              31);
}
LACUNA_INLINE void sums_of_lanes(const Vec<Avx512, double> (&v)[8], Vec<Avx512, double>& sums) {
  Vec<Avx512, double> a[4], b[2];
  for (int k = 0; k < 4; ++k) {
    const Vec<Avx512, double>&x = v[2 * k], &y = v[2 * k + 1];
    a[k] = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int k = 0; k < 2; ++k) {
    const Vec<Avx512, double>&x = a[2 * k], &y = a[2 * k + 1];
    b[k] = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  sums = __builtin_shufflevector(b[0], b[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(b[0], b[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

template <class Isa, class Real>
LACUNA_INLINE void fold(const Real* lanes, std::size_t count, double* sums) {
  constexpr std::size_t together = lanes_of<Isa, Real>;
  if constexpr (Isa::bytes < Avx512::bytes) {
    for (std::size_t k = 0; k < count; ++k) sums[k] = sum_of_lanes(load<Isa>(lanes + k * together));
  } else {
    for (std::size_t first = 0; first < count; first += together) {
      const std::size_t here = count - first < together ? count - first : together;
      Vec<Isa, Real> group[together], added;
      for (std::size_t k = 0; k < together; ++k) {
        group[k] = k < here ? load<Isa>(lanes + (first + k) * together) : Vec<Isa, Real>{};
      }
      sums_of_lanes(group, added);
      for (std::size_t k = 0; k < here; ++k) sums[first + k] = static_cast<double>(added[k]);
    }
  }
}

}  // namespace

LACUNA_KERNEL(void, fold_lanes, (const float* lanes, std::size_t count, double* sums),
              (lanes, count, sums), fold<Isa>(lanes, count, sums))
LACUNA_KERNEL(void, fold_lanes, (const double* lanes, std::size_t count, double* sums),
              (lanes, count, sums), fold<Isa>(lanes, count, sums))

}  // namespace lacuna
