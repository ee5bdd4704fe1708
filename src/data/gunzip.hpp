// Text out of gzip data, piece by piece.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/byte_source.hpp"

namespace lacuna {

// Several gzip members in a row are read as one text, and zero bytes may follow the last one, as
// the gzip command has it. A text beyond `limit` bytes is refused: a small file can hold a huge
// text.
class Gunzip {
 public:
  explicit Gunzip(ByteSource& source, std::uint64_t limit = std::uint64_t{4} << 30);
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  // Reads up to `size` bytes of text; 0 only at the end. Throws Error(bad_data) on damaged data.
  std::size_t read(char* to, std::size_t size);

 private:
  bool refill();
  bool next_member();
  [[noreturn]] void damaged(const char* why) const;

  ByteSource& source_;
  std::uint64_t limit_;
  std::uint64_t produced_ = 0;
  std::vector<unsigned char> packed_;
  z_stream stream_{};
  bool finished_ = false;
};

}  // namespace lacuna
