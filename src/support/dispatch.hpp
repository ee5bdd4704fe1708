// Inner loops that are compiled once per instruction set, the best of which is chosen when the
// program starts.
#pragma once

// Sanitizers cannot run the resolver that early, so they get the plain version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(LACUNA_SANITIZED)
#define LACUNA_DISPATCH __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define LACUNA_DISPATCH
#endif
