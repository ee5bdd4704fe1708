// Vectors and where the rows of a pass lie: shared by the files with inner loops.
#pragma once

#include <utility>

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

// work<0>(), work<1>() and so on. Compilers keep an array of vectors in registers if every place in
// it is a number from the start; loops that are unrolled later leave it on the stack as well.
template <std::size_t Count, class Work>
LACUNA_INLINE void unrolled(Work&& work) {
  [&]<std::size_t... k>(std::index_sequence<k...>) __attribute__((always_inline)) {
    (work.template operator()<k>(), ...);
  }
  (std::make_index_sequence<Count>());
}

// Loads once what several products share: else g++ 12 reads it from memory for each of them, which
// takes the place of other loads. clang takes no such operand in a function that becomes part of a
// kernel.
template <class Vector>
LACUNA_INLINE void keep_in_register([[maybe_unused]] Vector& v) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  asm("" : "+v"(v));
#endif
}

// A number or pointer of a struct that was just written, read by itself: copies of several at once
// would have to wait until all of them have left the store buffer.
template <class Word>
LACUNA_INLINE Word alone(Word word) {
#if defined(__GNUC__)
  asm("" : "+r"(word));
#endif
  return word;
}

// All lanes `x`. Compilers know that x - 0 is x; x + 0 is not if x is -0, and costs an addition.
template <class Vector, class Real>
LACUNA_INLINE void fill(Vector& v, Real x) {
  v = x - Vector{};
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

// For the units of a tile half of the registers are sums.
template <class Isa>
inline constexpr std::size_t tile_chunk = Isa::registers / 2 / tile_units;

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
