// Vectors of 64 bytes and where the rows of a pass lie: shared by the files with inner loops.
#pragma once

#include "network/block_pass.hpp"
#include "support/dispatch.hpp"

#define LACUNA_INLINE inline __attribute__((always_inline))

namespace lacuna {
// 64 bytes that the compiler keeps in as many registers as the instruction set asks for.
template <class Real>
struct VectorOf;
template <>
struct VectorOf<float> {
  typedef float Type __attribute__((vector_size(64), aligned(4), may_alias));
};
template <>
struct VectorOf<double> {
  typedef double Type __attribute__((vector_size(64), aligned(8), may_alias));
};
template <class Real>
using Vec = typename VectorOf<Real>::Type;

template <class Real>
LACUNA_INLINE const Vec<Real>& load(const Real* p) {
  return *reinterpret_cast<const Vec<Real>*>(p);
}
template <class Real>
LACUNA_INLINE Vec<Real>& at(Real* p) {
  return *reinterpret_cast<Vec<Real>*>(p);
}

LACUNA_INLINE double sum_of_lanes(const Vec<float>& v) {
  const auto half = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                    __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  const auto four = __builtin_shufflevector(half, half, 0, 1, 2, 3) +
                    __builtin_shufflevector(half, half, 4, 5, 6, 7);
  return static_cast<double>((four[0] + four[1]) + (four[2] + four[3]));
}
LACUNA_INLINE double sum_of_lanes(const Vec<double>& v) {
  const auto four =
      __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return (four[0] + four[1]) + (four[2] + four[3]);
}

template <class Real>
LACUNA_INLINE Real* unit_row(Real* buffer, const BlockPass<Real>& pass, std::size_t layer,
                             std::size_t position) {
  return buffer + (pass.first_unit[layer - 1] + position) * block_rows<Real>;
}

// The signal that arrives from position `source` of the layer before `layer`.
template <class Real>
LACUNA_INLINE const Real* source_row(const BlockPass<Real>& pass, std::size_t layer,
                                     std::size_t source, std::size_t begin) {
  return layer == pass.first_layer
             ? pass.arriving + source * pass.samples.padded_rows() + begin
             : static_cast<const Real*>(unit_row(pass.activation, pass, layer - 1, source));
}

}  // namespace lacuna
