// From the elements of an .npy array to columns of numbers.
#include "data/npy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

using ReadElement = double (*)(const char* at, bool reversed);

template <typename T>
double element(const char* at, bool reversed) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (reversed) std::reverse(bytes.begin(), bytes.end());
  return static_cast<double>(std::bit_cast<T>(bytes));
}

double truth_value(const char* at, bool) { return *at != 0 ? 1.0 : 0.0; }

ReadElement element_reader(const NpyHeader& header) {
  const std::size_t size = header.item_size;
  switch (header.kind) {
    case 'b':
      return truth_value;
    case 'f':
      return size == 4 ? element<float> : element<double>;
    case 'i':
      if (size == 1) return element<std::int8_t>;
      if (size == 2) return element<std::int16_t>;
      return size == 4 ? element<std::int32_t> : element<std::int64_t>;
    default:
      if (size == 1) return element<std::uint8_t>;
      if (size == 2) return element<std::uint16_t>;
      return size == 4 ? element<std::uint32_t> : element<std::uint64_t>;
  }
}

}  // namespace

Table read_npy(ByteSource& source, const TableRequest& request) {
  const std::string bytes = source.read_rest();
  const NpyHeader header = read_npy_header(source.name(), bytes);
  std::vector<std::string> names;
  for (std::size_t j = 0; j < header.columns; ++j) names.push_back(fmt::format("x{}", j));
  const std::vector<std::size_t> chosen = request.choose(TableFormat::npy, names);

  Table table;
  for (const std::size_t j : chosen) table.names.push_back(names.at(j));
  table.columns.resize(chosen.size());
  const ReadElement read = element_reader(header);
  const bool reversed = header.big_endian != (std::endian::native == std::endian::big);
  const std::size_t row_step = header.column_major ? 1 : header.columns;
  const std::size_t column_step = header.column_major ? header.rows : 1;
  const char* data = bytes.data() + header.data_offset;
  std::vector<double> row(chosen.size());
  for (std::size_t i = 0; i < header.rows; ++i) {
    bool complete = true;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::size_t position = i * row_step + chosen[k] * column_step;
      row[k] = read(data + position * header.item_size, reversed);
      if (std::isfinite(row[k])) continue;
      complete = false;
      const bool missing = std::isnan(row[k]);
      if (missing && request.missing == MissingValues::drop) continue;
      throw Error(ErrorKind::bad_data,
                  fmt::format("{}: row {}, column '{}': {}", source.name(), i + 1, table.names[k],
                              missing ? "missing value; use --na drop" : "infinite value"));
    }
    if (!complete) {
      ++table.dropped_rows;
      continue;
    }
    for (std::size_t k = 0; k < chosen.size(); ++k) table.columns[k].push_back(row[k]);
    ++table.rows;
  }
  return table;
}

}  // namespace lacuna
