// Inner loops are compiled once for each instruction set; the best that the processor has is used.
#pragma once

#include <cstddef>

#define LACUNA_INLINE inline __attribute__((always_inline))

namespace lacuna {

// What loops need to know of an instruction set: the length of its vectors and how many it can
// keep.
struct Avx512 {
  static constexpr std::size_t bytes = 64, registers = 32;
};
struct Avx2 {
  static constexpr std::size_t bytes = 32, registers = 16;
};
struct Plain {  // what every processor of its kind has
  static constexpr std::size_t bytes = 16, registers = 16;
};
inline constexpr std::size_t most_vector_bytes = Avx512::bytes;

enum class InstructionSet { plain, avx2, avx512 };

// The best one there is, or the one that the environment variable LACUNA_INSTRUCTIONS names (plain,
// avx2, avx512) if that is less.
InstructionSet instruction_set();

}  // namespace lacuna

namespace lacuna {

// Runs loop.run<Isa>(), which has to be LACUNA_INLINE, as a function of its own instead of a part
// of its caller: compilers run out of registers where many loops share a function.
template <class Isa, class Loop>
struct Apart {
  __attribute__((noinline)) static void run_plainly(const Loop& loop) { loop.template run<Isa>(); }
  static LACUNA_INLINE void run(const Loop& loop) { run_plainly(loop); }
};
#if defined(__x86_64__) && defined(__GNUC__)
template <class Loop>
struct Apart<Avx512, Loop> {
  __attribute__((noinline, target("avx512f"))) static void run_with_avx512(const Loop& loop) {
    loop.template run<Avx512>();
  }
  static LACUNA_INLINE void run(const Loop& loop) { run_with_avx512(loop); }
};
template <class Loop>
struct Apart<Avx2, Loop> {
  __attribute__((noinline, target("avx2,fma"))) static void run_with_avx2(const Loop& loop) {
    loop.template run<Avx2>();
  }
  static LACUNA_INLINE void run(const Loop& loop) { run_with_avx2(loop); }
};
#endif

}  // namespace lacuna

// Defines the function `RETURN NAME PARAMETERS` as the expression CALL, once for each instruction
// set, which CALL knows as `Isa`. What it calls has to be LACUNA_INLINE, lambdas too, or it is
// compiled for the plain set: tools/check_kernels.py looks for what was forgotten (a lambda once
// cost three quarters of the speed).
#if defined(__x86_64__) && defined(__GNUC__)
#define LACUNA_KERNEL(RETURN, NAME, PARAMETERS, ARGUMENTS, CALL)            \
  namespace {                                                               \
  __attribute__((target("avx512f"))) RETURN NAME##_with_avx512 PARAMETERS { \
    using Isa [[maybe_unused]] = Avx512;                                    \
    return CALL;                                                            \
  }                                                                         \
  __attribute__((target("avx2,fma"))) RETURN NAME##_with_avx2 PARAMETERS {  \
    using Isa [[maybe_unused]] = Avx2;                                      \
    return CALL;                                                            \
  }                                                                         \
  RETURN NAME##_plainly PARAMETERS {                                        \
    using Isa [[maybe_unused]] = Plain;                                     \
    return CALL;                                                            \
  }                                                                         \
  }                                                                         \
  RETURN NAME PARAMETERS {                                                  \
    switch (instruction_set()) {                                            \
      case InstructionSet::avx512:                                          \
        return NAME##_with_avx512 ARGUMENTS;                                \
      case InstructionSet::avx2:                                            \
        return NAME##_with_avx2 ARGUMENTS;                                  \
      case InstructionSet::plain:                                           \
        break;                                                              \
    }                                                                       \
    return NAME##_plainly ARGUMENTS;                                        \
  }
#else
#define LACUNA_KERNEL(RETURN, NAME, PARAMETERS, ARGUMENTS, CALL) \
  RETURN NAME PARAMETERS {                                       \
    using Isa [[maybe_unused]] = Plain;                          \
    return CALL;                                                 \
  }
#endif
