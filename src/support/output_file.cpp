#include "support/output_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lacuna/errors.hpp"

namespace lacuna {

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (file_ == nullptr) {
    throw Error(ErrorKind::cannot_create,
                fmt::format("{}: cannot create ({})", path_.string(), std::strerror(errno)));
  }
}

OutputFile::OutputFile(const std::filesystem::path& path, std::uint64_t from, std::uint64_t end)
    : path_(path), file_(std::fopen(path.c_str(), "r+b")) {
  if (file_ == nullptr) {
    throw Error(ErrorKind::cannot_create,
                fmt::format("{}: cannot go on with it ({})", path_.string(), std::strerror(errno)));
  }
  expected_.resize(end - from);
  if (std::fseek(file_, static_cast<long>(from), SEEK_SET) != 0 ||
      std::fread(expected_.data(), 1, expected_.size(), file_) != expected_.size() ||
      ftruncate(fileno(file_), static_cast<off_t>(end)) != 0 ||
      std::fseek(file_, 0, SEEK_END) != 0) {
    fail();
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, nullptr)),
      expected_(std::move(other.expected_)),
      seen_(other.seen_) {}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void OutputFile::fail() const {
  throw Error(ErrorKind::io, fmt::format("{}: cannot write ({}); what was written before is kept",
                                         path_.string(), std::strerror(errno)));
}

void OutputFile::write(std::string_view bytes) {
  if (seen_ < expected_.size()) {
    const std::size_t known = std::min(bytes.size(), expected_.size() - seen_);
    if (bytes.substr(0, known) != std::string_view(expected_).substr(seen_, known)) {
      throw Error(
          ErrorKind::bad_data,
          fmt::format("{}: cannot be continued exactly, because this program computes other "
                      "numbers than those in the file (another version, or a machine with "
                      "other instructions?); the file is as it was",
                      path_.string()));
    }
    seen_ += known;
    bytes.remove_prefix(known);
    if (seen_ == expected_.size()) expected_ = {}, seen_ = 0;
  }
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void OutputFile::flush() {
  if (std::fflush(file_) != 0) fail();
}

// A file that was deleted while it is open would take all writes and vanish with them.
void OutputFile::check_still_there() const {
  struct stat about {};
  if (fstat(fileno(file_), &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 0) {
    throw Error(ErrorKind::io,
                fmt::format("{}: was deleted while it was being written", path_.string()));
  }
}

void OutputFile::sync() {
  flush();
  check_still_there();
  // Pipes and devices cannot be synchronised; that is no failure.
  if (fsync(fileno(file_)) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) fail();
}

void OutputFile::close() {
  flush();
  check_still_there();
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail();
}

}  // namespace lacuna
