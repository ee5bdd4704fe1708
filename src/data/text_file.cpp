// Cutting a stream of bytes into lines and checking that they are text.
#include "data/text_file.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <cstring>

#include "data/utf8.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kGzipMagic = "\x1F\x8B";

// Whether eight bytes are all between 1 and 127.
bool plain(const char* eight) {
  std::uint64_t word = 0;
  std::memcpy(&word, eight, sizeof word);
  constexpr std::uint64_t kOnes = 0x0101010101010101, kTops = 0x8080808080808080;
  return ((word | (word - kOnes)) & kTops) == 0;
}

}  // namespace

TextFile::TextFile(ByteSource& source) : source_(source), buffer_(kFirstBuffer) {
  if (source_.starts_with(kGzipMagic)) gunzip_.emplace(source_);
  while (end_ < kByteOrderMark.size() && fill() > 0) {
  }
  if (std::string_view(buffer_.data(), end_).starts_with(kByteOrderMark)) {
    mark_size_ = begin_ = scanned_ = kByteOrderMark.size();
  }
}

bool TextFile::next_line(std::string_view& line) {
  const std::optional<std::size_t> found = find_line_end();
  const std::size_t stop = found.value_or(end_);
  if (!found && begin_ == end_) return false;
  if (line_number_ > 0) mark_size_ = 0;
  ++line_number_;
  if (stop - begin_ > kLongestLine) refuse(line_number_, "line over 16 MB");
  line = std::string_view(buffer_.data() + begin_, stop - begin_);
  after_return_ = found && buffer_[stop] == '\r';
  begin_ = scanned_ = found ? stop + 1 : stop;
  check(line);
  return true;
}

// Position of the next line end in the buffer; none if the rest of the file is one unended line.
std::optional<std::size_t> TextFile::find_line_end() {
  for (;;) {
    if (after_return_ && begin_ < end_) {
      if (buffer_[begin_] == '\n') scanned_ = ++begin_;
      after_return_ = false;
    }
    for (; scanned_ < end_; ++scanned_) {
      if (buffer_[scanned_] == '\n' || buffer_[scanned_] == '\r') return scanned_;
    }
    if (end_ - begin_ > kLongestLine) refuse(line_number_ + 1, "line over 16 MB");
    if (fill() == 0) return std::nullopt;
  }
}

std::size_t TextFile::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    scanned_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  char* to = buffer_.data() + end_;
  const std::size_t room = buffer_.size() - end_;
  const std::size_t got = gunzip_ ? gunzip_->read(to, room) : source_.read(to, room);
  end_ += got;
  return got;
}

void TextFile::check(std::string_view line) const {
  std::size_t at = 0;
  while (at < line.size()) {
    if (at + 8 <= line.size() && plain(line.data() + at)) {
      at += 8;
      continue;
    }
    const std::size_t length = utf8_length(line.substr(at));
    const std::size_t position = mark_size_ + at + 1;
    if (line[at] == '\0') {
      refuse(line_number_, fmt::format("byte {} is NUL; this is not a text file", position));
    }
    if (length == 0) {
      refuse(line_number_, fmt::format("byte {} (0x{:02X}) is not UTF-8; save the file as UTF-8",
                                       position, static_cast<unsigned char>(line[at])));
    }
    at += length;
  }
}

void TextFile::refuse(std::size_t line, const std::string& why) const {
  throw Error(ErrorKind::bad_data, fmt::format("{}:{}: {}", name(), line, why));
}

}  // namespace lacuna
