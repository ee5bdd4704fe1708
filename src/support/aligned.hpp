// Memory that begins with a cache line: vectors of 64 bytes in it are loaded in one piece, where
// elsewhere each would lie across two lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace lacuna {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, line); }
  bool operator==(const CacheLineAllocator&) const = default;
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace lacuna
