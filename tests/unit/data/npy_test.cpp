// .npy arrays of every kind that is read, and headers that lie.
#include "data/npy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "support/random.hpp"
#include "unit/data/files.hpp"

namespace lacuna::testing {
namespace {

using Columns = std::vector<std::vector<double>>;
using Npy = InFolder;

std::string npy(const std::string& dictionary, const std::string& data, int major = 1) {
  std::string bytes = std::string("\x93NUMPY") + char(major) + '\0';
  const std::string padded = dictionary + "   \n";
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += char(padded.size() >> (8 * i) & 255);
  return bytes + padded + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, bool fortran = false) {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr,
                     fortran ? "True" : "False", shape);
}

template <typename T>
std::string bytes_of(const std::vector<T>& values, bool big = false) {
  std::string bytes;
  for (const T value : values) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), &value, sizeof(T));
    if (big) std::reverse(raw.begin(), raw.end());
    bytes.append(raw.data(), raw.size());
  }
  return bytes;
}

Table read(const std::string& bytes, MissingValues missing = MissingValues::error) {
  write_file("a.npy", bytes);
  return read_all("a.npy", missing);
}

std::string read_error(const std::string& bytes) {
  return error_of([&] { read(bytes); });
}

template <typename T>
void expect_type(const std::string& type, const std::vector<T>& values) {
  const Columns by_rows = {{double(values[0]), double(values[2]), double(values[4])},
                           {double(values[1]), double(values[3]), double(values[5])}};
  const Columns by_columns = {{double(values[0]), double(values[1]), double(values[2])},
                              {double(values[3]), double(values[4]), double(values[5])}};
  for (const bool big : {false, true}) {
    const std::string descr = (big ? ">" : "<") + type;
    const std::string data = bytes_of(values, big);
    for (const int major : {1, 2, 3}) {
      EXPECT_EQ(read(npy(dictionary(descr, "(3, 2)"), data, major)).columns, by_rows) << descr;
      EXPECT_EQ(read(npy(dictionary(descr, "(3, 2)", true), data, major)).columns, by_columns);
    }
    EXPECT_EQ(read(npy(dictionary(descr, "(6,)"), data)).rows, 6u) << descr;
  }
}

TEST_F(Npy, ReadsEveryPlainType) {
  expect_type<double>("f8", {1.5, -2, 0.1, 4e300, 5e-324, -0.0});
  expect_type<float>("f4", {1.5f, -2, 0.1f, 4e30f, 5, 6});
  expect_type<std::int8_t>("i1", {1, -128, 127, 0, 5, 6});
  expect_type<std::int16_t>("i2", {1, -32768, 32767, 0, 5, 6});
  expect_type<std::int32_t>("i4", {1, -2147483647, 2147483647, 0, 5, 6});
  expect_type<std::int64_t>("i8", {1, -9007199254740993, INT64_MAX, 0, 5, 6});
  expect_type<std::uint8_t>("u1", {1, 255, 3, 0, 5, 6});
  expect_type<std::uint16_t>("u2", {1, 65535, 3, 0, 5, 6});
  expect_type<std::uint32_t>("u4", {1, 4294967295u, 3, 0, 5, 6});
  expect_type<std::uint64_t>("u8", {1, UINT64_MAX, 3, 0, 5, 6});
  EXPECT_EQ(read(npy(dictionary("|b1", "(3,)"), std::string("\1\0\1", 3))).columns,
            (Columns{{1, 0, 1}}));
}

TEST_F(Npy, HeadersMayBeWrittenInOtherWays) {
  const std::string data = bytes_of<double>({1, 2});
  for (const char* text :
       {"{\"shape\":(2L,),\"descr\":\"<f8\",\"fortran_order\":False}",
        "{ 'fortran_order' : True , 'descr' : '<f8' , 'shape' : ( 2 , 1 ) , }"}) {
    EXPECT_EQ(read(npy(text, data)).columns, (Columns{{1, 2}})) << text;
  }
  EXPECT_EQ(read(npy(dictionary("<f8", "(2,)"), data + "more")).rows, 2u);
}

TEST_F(Npy, NanIsMissingAndInfinityAnError) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string holes =
      npy(dictionary("<f8", "(3, 2)"), bytes_of<double>({1, 2, 3, nan, 5, 6}));
  EXPECT_EQ(read_error(holes), "65 a.npy: row 2, column 'x1': missing value; use --na drop");
  const Table table = read(holes, MissingValues::drop);
  EXPECT_EQ(table.columns, (Columns{{1, 5}, {2, 6}}));
  EXPECT_EQ(table.dropped_rows, 1u);
  for (const double value : {infinity, -infinity}) {
    EXPECT_EQ(read_error(npy(dictionary("<f8", "(1, 2)"), bytes_of<double>({1, value}))),
              "65 a.npy: row 1, column 'x1': infinite value");
  }
}

TEST_F(Npy, OtherArraysAreRefusedInASentence) {
  const std::string data(64, '\0');
  const std::pair<std::string, std::string> cases[] = {
      {dictionary("|O", "(2,)"), "object arrays cannot be read; save numbers as float64"},
      {dictionary("<f2", "(2,)"), "dtype '<f2' cannot be read; save numbers as float64"},
      {dictionary("<c16", "(2,)"), "dtype '<c16' cannot be read; save numbers as float64"},
      {dictionary("<U7", "(2,)"), "dtype '<U7' cannot be read; save numbers as float64"},
      {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}",
       "structured dtypes cannot be read; save a plain array of numbers"},
      {dictionary("<f8", "()"), "the array has 0 dimensions; 1 or 2 are needed"},
      {dictionary("<f8", "(1, 2, 3)"), "the array has 3 dimensions; 1 or 2 are needed"},
      {dictionary("<f8", "(2, 0)"), "the array has no columns"},
      {dictionary("<f8", "(2, 5)"),
       "damaged .npy file (it should hold 2 x 5 values, but 8 are there)"},
      {dictionary("<f8", "(4611686018427387904, 4)"),
       "damaged .npy file (it should hold 4611686018427387904 x 4 values, but 8 are there)"},
      {dictionary("<f8", "(18446744073709551615,)"),
       "damaged .npy file (it should hold 18446744073709551615 x 1 values, but 8 are there)"},
      {dictionary("<f8", "(0, 4611686018427387904)"), "more than 1048576 columns"},
      {dictionary("<f8", "(99999999999999999999,)"), "damaged .npy header"},
      {dictionary("<f8", "(-1,)"), "damaged .npy header"},
      {dictionary("<f8", "(2,"), "damaged .npy header"},
      {"", "damaged .npy header"},
      {"{'descr': '<f8'}", "damaged .npy header"},
      {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2,)}", "damaged .npy header"},
      {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
       "damaged .npy header"},
      {"{'descr': '<f8, 'fortran_order': False, 'shape': (2,)}", "damaged .npy header"},
      {dictionary("<f8", "(2,)") + "!", "damaged .npy header"},
      {dictionary("<f8", "(2,)") + std::string(1, '\0'), "damaged .npy header"},
  };
  for (const auto& [text, sentence] : cases) {
    EXPECT_EQ(read_error(npy(text, data)), "65 a.npy: " + sentence) << text;
  }
  EXPECT_EQ(read_error(npy(dictionary("<f8", "(2,)"), data, 4)),
            "65 a.npy: .npy version 4.0 cannot be read; 1.0 to 3.0 can");
  std::string lying = npy(dictionary("<f8", "(2,)"), data, 2);
  lying.replace(8, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(read_error(lying), "65 a.npy: damaged .npy file (it ends inside its header)");
}

TEST_F(Npy, EveryTruncationIsRefused) {
  const std::string whole = npy(dictionary("<f8", "(2, 2)"), bytes_of<double>({1, 2, 3, 4}), 2);
  for (std::size_t size = 6; size < whole.size(); ++size) {
    EXPECT_TRUE(read_error(whole.substr(0, size)).starts_with("65 a.npy: damaged .npy")) << size;
  }
}

// Random changes of the header end in an error or in a table no larger than the file.
TEST_F(Npy, DamagedHeadersNeverCrash) {
  const std::string whole = npy(dictionary("<f8", "(2, 2)"), bytes_of<double>({1, 2, 3, 4}));
  RandomStream random(StreamKey{7, 0, 0, 0, Purpose::test});
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = whole;
    for (std::uint64_t k = 1 + random.below(3); k-- > 0;) {
      bytes[6 + random.below(bytes.size() - 6)] = static_cast<char>(random.below(256));
    }
    ByteSource source("a.npy", bytes);
    TableRequest request;
    request.choose = [](TableFormat, const std::vector<std::string>& h) { return all_columns(h); };
    const std::string answer = error_of([&] {
      const Table table = read_table(source, request);
      EXPECT_LE(table.rows * table.columns.size(), bytes.size());
    });
    EXPECT_TRUE(answer == "no error" || answer.starts_with("65 a.npy: ")) << answer;
  }
}

}  // namespace
}  // namespace lacuna::testing
