// A text file as checked lines of UTF-8, plain or gzipped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_source.hpp"
#include "data/gunzip.hpp"

namespace lacuna {

class TextFile {
 public:
  // A line longer than this is refused, which also bounds the memory that reading needs.
  static constexpr std::size_t kLongestLine = std::size_t{16} << 20;

  explicit TextFile(ByteSource& source);

  const std::string& name() const { return source_.name(); }

  // The next line without its end (LF, CRLF or CR), valid until the next call; false at the end of
  // the file. A byte order mark is left out. NUL bytes and bytes that are not UTF-8 throw
  // Error(bad_data).
  bool next_line(std::string_view& line);

  // The number of the line returned last, from 1.
  std::size_t line_number() const { return line_number_; }

 private:
  std::size_t fill();
  std::optional<std::size_t> find_line_end();
  void check(std::string_view line) const;
  [[noreturn]] void refuse(std::size_t line, const std::string& why) const;

  ByteSource& source_;
  std::optional<Gunzip> gunzip_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;    // start of what has not been returned
  std::size_t scanned_ = 0;  // no line end between begin_ and here
  std::size_t end_ = 0;
  bool after_return_ = false;  // the last line ended in CR: an LF that follows belongs to it
  std::size_t mark_size_ = 0;  // bytes of the byte order mark, while on the first line
  std::size_t line_number_ = 0;
};

}  // namespace lacuna
