// Numbers in byte strings, and a reader that never runs past the end.
#include "run/bytes.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

TEST(ByteReader, TakesWhatWasAppended) {
  std::string bytes;
  append_number(bytes, std::uint32_t{7});
  append_number(bytes, -0.5);
  append_numbers<std::uint64_t>(bytes, std::vector<std::uint64_t>{1, 2, 3});
  EXPECT_EQ(bytes.size(), 4u + 8u + 24u);
  EXPECT_EQ(bytes.substr(0, 4), std::string("\x07\0\0\0", 4));

  ByteReader reader(bytes);
  EXPECT_EQ(reader.number<std::uint32_t>(), 7u);
  EXPECT_EQ(reader.number<double>(), -0.5);
  std::vector<std::uint64_t> values;
  EXPECT_TRUE(reader.numbers(3, values));
  EXPECT_EQ(values, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(reader.left(), 0u);
}

TEST(ByteReader, LeavesTheRestUntouchedWhereSomethingIsMissing) {
  const std::string bytes("\x01\x02\x03", 3);
  ByteReader reader(bytes);
  EXPECT_EQ(reader.number<std::uint32_t>(), std::nullopt);
  EXPECT_EQ(reader.number<double>(), std::nullopt);
  EXPECT_EQ(reader.left(), 3u);
  EXPECT_EQ(reader.number<std::uint8_t>(), 1);
  EXPECT_EQ(reader.number<std::uint16_t>(), 0x0302);
  EXPECT_EQ(reader.number<std::uint8_t>(), std::nullopt);
}

TEST(ByteReader, RefusesCountsBeyondWhatIsLeftBeforeAllocating) {
  const std::string bytes(24, 'x');
  ByteReader reader(bytes);
  std::vector<double> values = {1.0};
  const std::uint64_t all = ~std::uint64_t{0};
  // 2^61 + 1 doubles are 8 bytes modulo 2^64.
  for (const std::uint64_t count : {std::uint64_t{4}, std::uint64_t{1} << 61,
                                    (std::uint64_t{1} << 61) + 1, std::uint64_t{1} << 62, all}) {
    EXPECT_FALSE(reader.numbers(count, values));
  }
  EXPECT_EQ(values, std::vector<double>{1.0});
  EXPECT_EQ(values.capacity(), 1u);
  EXPECT_EQ(reader.left(), 24u);
  EXPECT_TRUE(reader.numbers(3, values));
  EXPECT_TRUE(reader.numbers(0, values));
  EXPECT_TRUE(values.empty());
}

}  // namespace
}  // namespace lacuna
