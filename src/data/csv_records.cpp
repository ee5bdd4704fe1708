// Splitting lines of text into records and cells.
#include <fmt/core.h>

#include <algorithm>

#include "data/csv.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

// Looks through the first record for the separator. A quote opens a cell only where a cell can
// begin, whichever the separator will be.
class SeparatorSearch {
 public:
  // Whether the end of `line` is still inside quotes and no comma has settled the matter.
  bool wants_more_after(std::string_view line) {
    for (const char c : line) {
      if (quoted_) {
        quoted_ = c != '"';
        may_open_ = !quoted_;  // a second quote right after is a doubled one
      } else if (c == '"' && may_open_) {
        quoted_ = true;
      } else {
        comma_ = comma_ || c == ',';
        semicolon_ = semicolon_ || c == ';';
        tab_ = tab_ || c == '\t';
        may_open_ = c == ',' || c == ';' || c == '\t' || (may_open_ && c == ' ');
      }
    }
    return quoted_ && !comma_;
  }

  char found() const {
    if (comma_ || !(semicolon_ || tab_)) return ',';
    return semicolon_ ? ';' : '\t';
  }

 private:
  bool quoted_ = false, may_open_ = true;
  bool comma_ = false, semicolon_ = false, tab_ = false;
};

}  // namespace

bool CsvRecords::next() {
  std::string_view line;
  do {
    if (!text_.next_line(line)) return false;
  } while (skip_padding(line, 0) == line.size());
  line_ = text_.line_number();
  if (separator_ == '\0') line = find_separator(line);
  if (line.find('"') == std::string_view::npos) {
    split_plain(line);
  } else {
    split_quoted(line);
  }
  return true;
}

// Sets the separator; returns the first record as far as it had to be read for that.
std::string_view CsvRecords::find_separator(std::string_view line) {
  SeparatorSearch search;
  first_ = line;
  while (search.wants_more_after(line) && text_.next_line(line)) {
    first_.append(1, '\n').append(line);
    if (first_.size() > TextFile::kLongestLine) refuse_open_quote();
  }
  separator_ = search.found();
  return first_;
}

void CsvRecords::split_plain(std::string_view line) {
  cells_.clear();
  for (;;) {
    const std::size_t end = line.find(separator_);
    cells_.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

void CsvRecords::split_quoted(std::string_view line) {
  unquoted_.clear();
  ends_.clear();
  for (std::size_t at = 0;; ++at) {
    const std::size_t start = skip_padding(line, at);
    if (start < line.size() && line[start] == '"') {
      at = take_quoted_cell(line, start + 1);
    } else {
      const std::size_t end = std::min(line.find(separator_, at), line.size());
      unquoted_.append(line.substr(at, end - at));
      at = end;
    }
    ends_.push_back(unquoted_.size());
    if (at == line.size()) break;
  }
  cells_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    cells_.push_back(std::string_view(unquoted_).substr(begin, end - begin));
    begin = end;
  }
}

// Takes a cell whose opening quote lies just before `at`; `line` moves on if the cell spans lines.
// Returns the position of the separator or line end after it.
std::size_t CsvRecords::take_quoted_cell(std::string_view& line, std::size_t at) {
  for (;;) {
    const std::size_t quote = line.find('"', at);
    if (quote == std::string_view::npos) {
      unquoted_.append(line.substr(at)).push_back('\n');
      if (unquoted_.size() > TextFile::kLongestLine) refuse_open_quote();
      if (!text_.next_line(line)) refuse("a quote is opened here and never closed");
      at = 0;
      continue;
    }
    unquoted_.append(line.substr(at, quote - at));
    at = quote + 1;
    if (at == line.size() || line[at] != '"') break;
    unquoted_.push_back('"');
    ++at;
  }
  at = skip_padding(line, at);
  if (at < line.size() && line[at] != separator_) {
    refuse(fmt::format("text after the closing quote of field {}", ends_.size() + 1));
  }
  return at;
}

std::size_t CsvRecords::skip_padding(std::string_view line, std::size_t at) const {
  while (at < line.size() && padding(line[at])) ++at;
  return at;
}

void CsvRecords::refuse_open_quote() const {
  refuse("quoted cell over 16 MB; is a closing quote missing?");
}

void CsvRecords::refuse(const std::string& why) const {
  throw Error(ErrorKind::bad_data, fmt::format("{}:{}: {}", text_.name(), line_, why));
}

}  // namespace lacuna
