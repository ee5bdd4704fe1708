// Counts what the whole test program takes from the heap.
#pragma once

#include <cstdint>

namespace lacuna::testing {

std::uint64_t allocations();      // calls of operator new so far
std::uint64_t allocated_bytes();  // and what they asked for together

}  // namespace lacuna::testing
