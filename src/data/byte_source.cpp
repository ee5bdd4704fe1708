// Opening and reading files through the system calls, whose errors carry reasons.
#include "data/byte_source.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "data/wording.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kHeadSize = 8;
constexpr std::size_t kReadSize = std::size_t{1} << 16;

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace

ByteSource::ByteSource(const std::filesystem::path& path)
    : name_(shown(path.string(), std::numeric_limits<std::size_t>::max())) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) {
      throw Error(ErrorKind::no_input, name_ + ": no such file");
    }
    throw Error(ErrorKind::no_input,
                fmt::format("{}: cannot be opened ({})", name_, reason(error)));
  }
  try {
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
      throw Error(ErrorKind::no_input, name_ + ": is a folder, not a file");
    }
    head_.resize(kHeadSize);
    std::size_t filled = 0;
    while (filled < kHeadSize) {
      const std::size_t got = read_file(head_.data() + filled, kHeadSize - filled);
      if (got == 0) break;
      filled += got;
    }
    head_.resize(filled);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ByteSource::ByteSource(std::string name, std::string bytes)
    : name_(std::move(name)), head_(std::move(bytes)) {}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ByteSource::starts_with(std::string_view magic) const {
  return std::string_view(head_).starts_with(magic);
}

std::size_t ByteSource::read(char* to, std::size_t size) {
  if (head_used_ < head_.size()) {
    const std::size_t count = std::min(size, head_.size() - head_used_);
    std::memcpy(to, head_.data() + head_used_, count);
    head_used_ += count;
    return count;
  }
  return descriptor_ >= 0 ? read_file(to, size) : 0;
}

std::string ByteSource::read_rest() {
  if (descriptor_ < 0) return head_.substr(std::exchange(head_used_, head_.size()));
  std::string bytes;
  for (;;) {
    // Grows with what has arrived, never with what a header claims.
    const std::size_t filled = bytes.size();
    bytes.resize(filled + std::max(kReadSize, filled / 2));
    const std::size_t got = read(bytes.data() + filled, bytes.size() - filled);
    bytes.resize(filled + got);
    if (got == 0) return bytes;
  }
}

std::size_t ByteSource::read_file(char* to, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) {
      throw Error(ErrorKind::io, fmt::format("{}: cannot be read ({})", name_, reason(errno)));
    }
  }
}

}  // namespace lacuna
