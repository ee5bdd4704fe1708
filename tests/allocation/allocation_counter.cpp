// Kept apart from the tests: a compiler that sees these bodies warns about malloc meeting delete.
#include "allocation/allocation_counter.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> calls = 0;
std::atomic<std::uint64_t> bytes = 0;

}  // namespace

namespace lacuna::testing {

std::uint64_t allocations() { return calls; }
std::uint64_t allocated_bytes() { return bytes; }

}  // namespace lacuna::testing

void* operator new(std::size_t size) {
  ++calls;
  bytes += size;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// Without it, what the library asks for this way would come from elsewhere and be freed here.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++calls;
  bytes += size;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++calls;
  bytes += size;
  const auto line = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(line, (size + line - 1) / line * line)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
