// A file being written, by one program at a time: buffered, and every failure becomes a sentence
// with the right exit code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace lacuna {

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);  // throws Error(cannot_create)
  // Goes on with a file: what lies beyond byte `end` is cut off, and what lies between `from` and
  // `end` is expected to be written once more, byte for byte. So nothing good is ever taken back.
  OutputFile(const std::filesystem::path& path, std::uint64_t from, std::uint64_t end);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  // Throws Error(io), or Error(bad_data) where the file already holds something else.
  void write(std::string_view bytes);
  void flush();              // hands everything to the operating system
  void sync();               // and waits until it is on the disk
  void sync_folder() const;  // so that after a power cut a new file is found under its name
  void close();              // flushes; call it, because a destructor cannot report a full disk

 private:
  [[noreturn]] void refuse(const char* what) const;
  void take(std::uint64_t length, const std::function<void()>& before = {});
  void read_expected(std::uint64_t from, std::uint64_t end);
  bool hand_over();
  [[noreturn]] void fail() const;
  void check_still_there() const;

  std::filesystem::path path_;
  int file_;
  std::string waiting_;   // to be handed to the system
  std::string expected_;  // bytes that are in the file and come once more
  std::size_t seen_ = 0;  // of these
};

}  // namespace lacuna
