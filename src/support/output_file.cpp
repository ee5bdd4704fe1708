#include "support/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "lacuna/errors.hpp"

namespace lacuna {

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (file_ == nullptr) {
    throw Error(ErrorKind::cannot_create,
                fmt::format("{}: cannot create ({})", path_.string(), std::strerror(errno)));
  }
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void OutputFile::fail() const {
  throw Error(ErrorKind::io, fmt::format("{}: cannot write ({}); what was written before is kept",
                                         path_.string(), std::strerror(errno)));
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void OutputFile::flush() {
  if (std::fflush(file_) != 0) fail();
}

void OutputFile::sync() {
  flush();
  // Pipes and devices cannot be synchronised; that is no failure.
  if (fsync(fileno(file_)) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) fail();
}

void OutputFile::close() {
  flush();
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0) fail();
}

}  // namespace lacuna
