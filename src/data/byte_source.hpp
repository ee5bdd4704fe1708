// The bytes of a file, read once from front to back, so that pipes work as well as plain files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace lacuna {

class ByteSource {
 public:
  // Throws Error(no_input) if the file is not there or cannot be opened.
  explicit ByteSource(const std::filesystem::path& path);
  // Bytes in memory under the name that messages shall show.
  ByteSource(std::string name, std::string bytes);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // The path as the user gave it, fit for a message.
  const std::string& name() const { return name_; }

  // Whether the bytes begin with `magic` (at most 8 bytes); to be asked before the first read.
  bool starts_with(std::string_view magic) const;

  // Reads up to `size` bytes; 0 only at the end. Throws Error(io) if the system cannot read on.
  std::size_t read(char* to, std::size_t size);

  // All bytes that are left.
  std::string read_rest();

 private:
  std::size_t read_file(char* to, std::size_t size);

  std::string name_;
  std::string head_;  // read ahead to recognise the format; all of it when the bytes are in memory
  std::size_t head_used_ = 0;
  int descriptor_ = -1;
};

}  // namespace lacuna
