// Reads numeric columns from comma-separated text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.hpp"
#include "data/text_file.hpp"

namespace lacuna {

// The records of RFC 4180, one after the other. A cell in double quotes may hold separators, line
// ends and doubled quotes; spaces before the opening and after the closing quote are left out; a
// quote inside an unquoted cell is a character like any other. Blank lines are skipped.
//
// The separator is a comma unless the first record has none outside quotes but has a semicolon or a
// tab.
class CsvRecords {
 public:
  explicit CsvRecords(TextFile& text) : text_(text) {}

  // Moves to the next record; false at the end of the file. Throws Error(bad_data) on bad quoting.
  bool next();

  // The cells of the record, valid until the next call of next().
  const std::vector<std::string_view>& cells() const { return cells_; }

  // The line on which the record begins.
  std::size_t line() const { return line_; }

 private:
  bool padding(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  std::string_view find_separator(std::string_view line);
  void split_plain(std::string_view line);
  void split_quoted(std::string_view line);
  std::size_t skip_padding(std::string_view line, std::size_t at) const;
  std::size_t take_quoted_cell(std::string_view& line, std::size_t at);
  [[noreturn]] void refuse_open_quote() const;
  [[noreturn]] void refuse(const std::string& why) const;

  TextFile& text_;
  char separator_ = '\0';  // not known before the first line
  std::size_t line_ = 0;
  std::vector<std::string_view> cells_;
  std::string first_;              // the first record, in which the separator is looked for
  std::string unquoted_;           // contents of the cells of a record with quotes
  std::vector<std::size_t> ends_;  // where each of them ends in it
};

Table read_csv(TextFile& text, const TableRequest& request);

}  // namespace lacuna
