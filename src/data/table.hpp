// What the readers of table files share: a request for columns, and the recognition of formats.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "data/byte_source.hpp"
#include "lacuna/dataset.hpp"

namespace lacuna {

enum class TableFormat { csv, npy };

struct TableRequest {
  MissingValues missing = MissingValues::error;
  std::size_t fewest_rows = 0;
  // As ColumnChoice; the names of an .npy file are made up, so positions may mean more there.
  std::function<std::vector<std::size_t>(TableFormat, const std::vector<std::string>& header)>
      choose;
};

// More columns than this are taken for a damaged or foreign file.
inline constexpr std::size_t kMostColumns = std::size_t{1} << 20;

Table read_table(ByteSource& source, const TableRequest& request);

}  // namespace lacuna
