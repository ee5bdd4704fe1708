// Vectors and where the rows of a pass lie: shared by the files with inner loops.
#pragma once

#include "network/block_pass.hpp"
#include "support/dispatch.hpp"

namespace lacuna {

// A vector register of an instruction set.
template <class Isa, class Real>
struct VectorOf;
#define LACUNA_VECTOR(ISA, REAL)                                                                   \
  template <>                                                                                      \
  struct VectorOf<ISA, REAL> {                                                                     \
    typedef REAL Type __attribute__((vector_size(ISA::bytes), aligned(alignof(REAL)), may_alias)); \
  }
LACUNA_VECTOR(Avx512, float);
LACUNA_VECTOR(Avx512, double);
LACUNA_VECTOR(Avx2, float);
LACUNA_VECTOR(Avx2, double);
LACUNA_VECTOR(Plain, float);
LACUNA_VECTOR(Plain, double);
#undef LACUNA_VECTOR
template <class Isa, class Real>
using Vec = typename VectorOf<Isa, Real>::Type;

// Numbers in a vector.
template <class Isa, class Real>
inline constexpr std::size_t lanes_of = Isa::bytes / sizeof(Real);

template <class Isa, class Real>
LACUNA_INLINE const Vec<Isa, Real>& load(const Real* p) {
  return *reinterpret_cast<const Vec<Isa, Real>*>(p);
}
template <class Isa, class Real>
LACUNA_INLINE Vec<Isa, Real>& at(Real* p) {
  return *reinterpret_cast<Vec<Isa, Real>*>(p);
}

// Halves are added until few numbers are left.
template <class Vector>
LACUNA_INLINE double sum_of_lanes(const Vector& v) {
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(v[0]);
  if constexpr (lanes == 16) {
    return sum_of_lanes(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                        __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15));
  } else if constexpr (lanes == 8) {
    return sum_of_lanes(__builtin_shufflevector(v, v, 0, 1, 2, 3) +
                        __builtin_shufflevector(v, v, 4, 5, 6, 7));
  } else if constexpr (lanes == 4) {
    return static_cast<double>((v[0] + v[1]) + (v[2] + v[3]));
  } else {
    static_assert(lanes == 2);
    return static_cast<double>(v[0] + v[1]);
  }
}

// Eight sums for a single unit: as many as it takes to keep adding while others are under way.
inline constexpr std::size_t unit_chunk = 8;

// Half of the registers are sums, shared by the units of one tile or of a pair.
template <class Isa, std::size_t Units>
inline constexpr std::size_t tile_chunk = Isa::registers / 2 / Units;

// Calls work<Wide>(row) for chunks of `Wide` vectors of rows, then work<1>(row) for those that are
// left: sums over edges stay in registers for a chunk.
template <class Isa, class Real, std::size_t Wide, class Work>
LACUNA_INLINE void chunks(std::size_t length, Work&& work) {
  constexpr std::size_t lanes = lanes_of<Isa, Real>;
  std::size_t i = 0;
  for (; i + Wide * lanes <= length; i += Wide * lanes) work.template operator()<Wide>(i);
  for (; i < length; i += lanes) work.template operator()<1>(i);
}

template <class Real>
LACUNA_INLINE Real* unit_row(Real* buffer, const BlockPass<Real>& pass, std::size_t layer,
                             std::size_t position) {
  return buffer + (pass.first_unit[layer - 1] + position) * row_stride<Real>;
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
