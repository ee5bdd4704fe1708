// CSV, plain or gzipped. The first byte says what happens to missing values.
#include <cstdint>

#include "fuzz_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lacuna;
  if (size == 0) return 0;
  testing::read_all_columns({reinterpret_cast<const char*>(data + 1), size - 1},
                            data[0] % 2 == 0 ? MissingValues::drop : MissingValues::error);
  return 0;
}
