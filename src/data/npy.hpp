// Reads numeric columns from NumPy's .npy files.
#pragma once

#include <cstddef>
#include <string_view>

#include "data/byte_source.hpp"
#include "data/table.hpp"

namespace lacuna {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// The header of an .npy file, checked against the length of the file: all elements are there.
struct NpyHeader {
  char kind = 'f';  // f, i, u or b, as in the dtype
  std::size_t item_size = 8;
  bool big_endian = false;
  bool column_major = false;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t data_offset = 0;
};

// Throws Error(bad_data) on anything but a 1-D or 2-D array of plain numbers, versions 1.0 to 3.0.
NpyHeader read_npy_header(const std::string& name, std::string_view bytes);

// Columns are named x0, x1, ...; NaN is a missing value.
Table read_npy(ByteSource& source, const TableRequest& request);

}  // namespace lacuna
