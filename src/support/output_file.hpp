// A file being written: buffered, and every failure becomes a sentence with the right exit code.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string_view>

namespace lacuna {

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);  // throws Error(cannot_create)
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view bytes);  // throws Error(io)
  void flush();                        // hands everything to the operating system
  void sync();                         // and waits until it is on the disk
  void close();  // flushes; call it, because a destructor cannot report a full disk

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::FILE* file_;
};

}  // namespace lacuna
