// From CSV records to columns of numbers, with the line and column of whatever cannot be read.
#include "data/csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "data/cell.hpp"
#include "data/wording.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw Error(ErrorKind::bad_data, where + ": " + why);
}

void check_unique(const std::string& file, const std::vector<std::string>& header) {
  std::unordered_map<std::string_view, std::vector<std::string>> positions;
  for (std::size_t j = 0; j < header.size(); ++j) {
    positions[header[j]].push_back(std::to_string(j + 1));
  }
  for (const std::string& name : header) {
    const std::vector<std::string>& at = positions[name];
    if (at.size() == 1) continue;
    const std::string times = at.size() == 2 ? "twice" : fmt::format("{} times", at.size());
    refuse(file,
           fmt::format("feature name '{}' used {} (columns {})", shown(name), times, listed(at)));
  }
}

std::vector<std::string> read_header(const std::string& file, const CsvRecords& records) {
  const std::vector<std::string_view>& cells = records.cells();
  if (cells.size() > kMostColumns) refuse(file, fmt::format("more than {} columns", kMostColumns));
  const bool all_numbers = std::all_of(cells.begin(), cells.end(), [](std::string_view cell) {
    return read_cell(cell).kind == CellKind::number;
  });
  // A frame without column names is written by pandas with the header 0,1,2,...
  bool counted = true;
  for (std::size_t j = 0; j < cells.size(); ++j)
    counted = counted && trimmed(cells[j]) == fmt::format("{}", j);
  if (all_numbers && !counted) {
    refuse(file,
           "the first line holds only numbers; the file seems to have no header line, add one");
  }
  std::vector<std::string> header;
  header.reserve(cells.size());
  for (const std::string_view cell : cells) {
    header.emplace_back(trimmed(cell));
    if (header.back().empty()) refuse(file, fmt::format("column {} has no name", header.size()));
  }
  check_unique(file, header);
  return header;
}

std::string not_a_number(std::string_view cell) {
  std::string with_point(cell);
  std::erase(with_point, ',');
  const bool has_comma = with_point.size() < cell.size();
  const bool only_comma = has_comma && read_cell(with_point).kind == CellKind::number;
  return fmt::format(
      "cannot read \"{}\" as a number; {}", shown(cell),
      only_comma ? "use a decimal point and no thousands separators" : "encode categories first");
}

}  // namespace

Table read_csv(TextFile& text, const TableRequest& request) {
  CsvRecords records(text);
  if (!records.next()) {
    refuse(text.name(), request.fewest_rows == 0
                            ? "empty file; a header line is needed"
                            : fmt::format("empty file; a header line and at least {} {} needed",
                                          counted(request.fewest_rows, "row"),
                                          request.fewest_rows == 1 ? "is" : "are"));
  }
  const std::vector<std::string> header = read_header(text.name(), records);
  const std::vector<std::size_t> chosen = request.choose(TableFormat::csv, header);

  Table table;
  for (const std::size_t j : chosen) table.names.push_back(header.at(j));
  table.columns.resize(chosen.size());
  std::vector<double> row(chosen.size());
  while (records.next()) {
    const std::vector<std::string_view>& cells = records.cells();
    const auto line = [&] { return fmt::format("{}:{}", text.name(), records.line()); };
    const auto place = [&](std::size_t k) {
      return fmt::format("{}: '{}'", line(), shown(table.names[k]));
    };
    if (cells.size() != header.size()) {
      refuse(line(), fmt::format("{}, expected {}", counted(cells.size(), "field"), header.size()));
    }
    bool complete = true;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const std::string_view text_of_cell = trimmed(cells[chosen[k]]);
      const Cell cell = read_cell(text_of_cell);
      if (cell.kind == CellKind::text) refuse(place(k), not_a_number(text_of_cell));
      if (cell.kind == CellKind::infinite) {
        refuse(place(k),
               fmt::format("infinite value \"{}\"; remove or replace it", shown(text_of_cell)));
      }
      if (cell.kind == CellKind::missing) {
        if (request.missing == MissingValues::error) {
          refuse(place(k), "missing value; use --na drop");
        }
        complete = false;
      }
      row[k] = cell.value;
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
