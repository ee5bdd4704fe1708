// Memory that begins with a cache line: vectors of 64 bytes in it are loaded in one piece, where
// elsewhere each would lie across two lines. Large pieces are asked for in huge pages: a block of
// rows takes a little of every column, and with small pages each of these little pieces would have
// to be looked up anew.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace lacuna {

inline constexpr std::size_t huge_page_bytes = std::size_t{1} << 21;

// Asks the system for huge pages in this piece of memory; nothing changes where it has none.
void prefer_huge_pages(void* memory, std::size_t bytes);

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64}, huge_page{huge_page_bytes};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (!is_large(bytes)) return static_cast<T*>(::operator new(bytes, line));
    void* memory = ::operator new(bytes, huge_page);
    prefer_huge_pages(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    ::operator delete(memory, is_large(count * sizeof(T)) ? huge_page : line);
  }
  bool operator==(const CacheLineAllocator&) const = default;

 private:
  // What the last page wastes is little then.
  static constexpr bool is_large(std::size_t bytes) { return bytes >= 4 * huge_page_bytes; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace lacuna
