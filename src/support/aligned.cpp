#include "support/aligned.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lacuna {

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  // Whole pages only: what lies behind the last of them belongs to others.
  madvise(memory, bytes / huge_page_bytes * huge_page_bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace lacuna
