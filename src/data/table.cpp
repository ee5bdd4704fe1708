// Reads a table from a file whose format its first bytes tell.
#include "data/table.hpp"

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "data/csv.hpp"
#include "data/npy.hpp"
#include "data/text_file.hpp"
#include "data/wording.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

// Formats that people try and that would otherwise end in a puzzling message about bytes.
void refuse_foreign(const ByteSource& source) {
  constexpr std::pair<std::string_view, std::string_view> kForeign[] = {
      {"PK\x03\x04", "a zip archive (.xlsx, .npz or .zip)"},
      {"PAR1", "a Parquet file"},
      {"\x89HDF", "an HDF5 file"},
      {"\xFF\xFE", "UTF-16 text"},
      {"\xFE\xFF", "UTF-16 text"},
  };
  for (const auto& [magic, what] : kForeign) {
    if (source.starts_with(magic)) {
      throw Error(ErrorKind::bad_data,
                  fmt::format("{}: {} cannot be read; save it as CSV in UTF-8 or as .npy",
                              source.name(), what));
    }
  }
}

}  // namespace

Table read_table(ByteSource& source, const TableRequest& request) {
  refuse_foreign(source);
  Table table;
  if (source.starts_with(kNpyMagic)) {
    table = read_npy(source, request);
  } else {
    TextFile text(source);
    table = read_csv(text, request);
  }
  if (table.rows < request.fewest_rows) {
    std::string sentence =
        fmt::format("{}: {}; at least {} {} needed", source.name(), counted(table.rows, "sample"),
                    request.fewest_rows, request.fewest_rows == 1 ? "is" : "are");
    if (table.dropped_rows > 0) {
      sentence +=
          fmt::format(" ({} left out for missing values)", counted(table.dropped_rows, "row"));
    }
    throw Error(ErrorKind::bad_data, sentence);
  }
  return table;
}

Table read_table(const std::filesystem::path& path, MissingValues missing,
                 const ColumnChoice& choose) {
  ByteSource source(path);
  TableRequest request;
  request.missing = missing;
  request.choose = [&](TableFormat, const std::vector<std::string>& header) {
    return choose(header);
  };
  return read_table(source, request);
}

}  // namespace lacuna
