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

// Rows are taken `row_unit` at a time: one vector of floats, two of doubles.
template <class Real>
inline constexpr std::size_t parts = row_unit / lanes_of<Real>;

// Eight sums for a single unit: as many as it takes to keep adding while others are under way.
template <class Real>
inline constexpr std::size_t unit_chunk = 8 / parts<Real>;

// Sixteen sums, half of the registers: four vectors for each unit of a tile, two for those of a
// pair.
template <std::size_t Together, class Real>
inline constexpr std::size_t tile_chunk = 4 / Together / parts<Real>;

// Calls work(row, count) for chunks of `row_unit * Wide` rows, then for single units of what is
// left, with Wide or 1 as a compile-time number: sums over edges stay in registers for a chunk.
template <std::size_t Wide, class Work>
LACUNA_INLINE void chunks(std::size_t length, Work&& work) {
  std::size_t i = 0;
  for (; i + Wide * row_unit <= length; i += Wide * row_unit) work.template operator()<Wide>(i);
  for (; i < length; i += row_unit) work.template operator()<1>(i);
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
