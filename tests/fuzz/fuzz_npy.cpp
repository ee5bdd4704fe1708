// NumPy arrays. The first byte says what happens to missing values; the magic bytes are put before
// the rest, which would otherwise mostly be taken for CSV.
#include <cstdint>

#include "data/npy.hpp"
#include "fuzz_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lacuna;
  if (size == 0) return 0;
  std::string bytes(kNpyMagic);
  bytes.append(reinterpret_cast<const char*>(data + 1), size - 1);
  testing::read_all_columns(std::move(bytes),
                            data[0] % 2 == 0 ? MissingValues::drop : MissingValues::error);
  return 0;
}
