// Gates: the rows at which a unit is on, and sums over those rows alone.
//
// A unit of the last hidden layer feeds only the output. Its signal, the derivative of f by what
// goes into it, is its weight w to the output where it is on, and zero elsewhere. So w leaves every
// sum, and what is left is to add, where the gate is open, numbers that units share. With AVX-512 a
// gate is a bit for each row, and such additions need no multiplication; else it is one or zero.
#pragma once

#include <cstdint>

#include "network/vector_rows.hpp"

namespace lacuna {

template <class Isa, class Real>
struct Gates {
  using V = Vec<Isa, Real>;
  using Gate = V;
  // Numbers from the gates of one unit to those of the next.
  static constexpr std::size_t stride = row_stride<Real>;

  // Open where `a` is positive.
  static LACUNA_INLINE void put(Real* gates, std::size_t i, const V& a) {
    V one;
    fill(one, Real(1));
    at<Isa>(gates + i) = a > Real(0) ? one : V{};
  }
  static LACUNA_INLINE void get(const Real* gates, std::size_t i, Gate& gate) {
    gate = load<Isa>(gates + i);
    keep_in_register(gate);
  }
  // sum += value where the gate is open. `one` is a vector of ones.
  template <bool ByProduct>
  static LACUNA_INLINE void add(V& sum, const V& value, const Gate& gate, const V&) {
    sum += value * gate;
  }
};

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// Instructions that act on chosen lanes, in assembler: compilers make two of each. clang does not
// let a function that becomes part of a kernel have them.
#define LACUNA_GATES(REAL, SUFFIX)                                                              \
  template <>                                                                                   \
  struct Gates<Avx512, REAL> {                                                                  \
    using V = Vec<Avx512, REAL>;                                                                \
    using Gate = std::uint16_t;                                                                 \
    typedef std::uint16_t Word __attribute__((may_alias));                                      \
    static constexpr std::size_t lanes = lanes_of<Avx512, REAL>;                                \
    static constexpr std::size_t stride =                                                       \
        block_rows<REAL> / lanes * sizeof(Word) / sizeof(REAL); /* a cache line */              \
    static LACUNA_INLINE void put(REAL* gates, std::size_t i, const V& a) {                     \
      Gate gate;                                                                                \
      asm("vcmp" SUFFIX " $30, %1, %2, %0" : "=Yk"(gate) : "v"(V{}), "v"(a)); /* greater */     \
      reinterpret_cast<Word*>(gates)[i / lanes] = gate;                                         \
    }                                                                                           \
    static LACUNA_INLINE void get(const REAL* gates, std::size_t i, Gate& gate) {               \
      asm("kmovw %1, %0" : "=Yk"(gate) : "m"(reinterpret_cast<const Word*>(gates)[i / lanes])); \
    }                                                                                           \
    /* The same sum, made by one or the other of the units of a core: some have both. */        \
    template <bool ByProduct>                                                                   \
    static LACUNA_INLINE void add(V& sum, const V& value, Gate gate, const V& one) {            \
      if constexpr (ByProduct) {                                                                \
        asm("vfmadd231" SUFFIX " %2, %1, %0%{%3%}"                                              \
            : "+v"(sum)                                                                         \
            : "v"(value), "v"(one), "Yk"(gate));                                                \
      } else {                                                                                  \
        asm("vadd" SUFFIX " %1, %0, %0%{%2%}" : "+v"(sum) : "v"(value), "Yk"(gate));            \
      }                                                                                         \
    }                                                                                           \
  }
LACUNA_GATES(float, "ps");
LACUNA_GATES(double, "pd");
#undef LACUNA_GATES
#endif

// The gates of position `u` of the last hidden layer.
template <class Isa, class Real>
LACUNA_INLINE Real* gates_of(const BlockPass<Real>& pass, std::size_t u) {
  return pass.gates + u * Gates<Isa, Real>::stride;
}

}  // namespace lacuna
