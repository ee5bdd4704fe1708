#include "support/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 18;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) refuse("cannot create");
  take(0);
}

OutputFile::OutputFile(const std::filesystem::path& path, std::uint64_t from, std::uint64_t end)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (file_ < 0) refuse("cannot go on with it");
  take(end, [&] { read_expected(from, end); });
}

void OutputFile::refuse(const char* what) const {
  throw Error(ErrorKind::cannot_create,
              fmt::format("{}: {} ({})", path_.string(), what, std::strerror(errno)));
}

// Makes the file ours alone and cuts it to `length`.
void OutputFile::take(std::uint64_t length, const std::function<void()>& before) {
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw Error(ErrorKind::cannot_create,
                  fmt::format("{}: another run is writing it", path_.string()));
    }
    if (before) before();
    // Pipes and devices have no length.
    if (::ftruncate(file_, static_cast<off_t>(length)) != 0 && errno != EINVAL) fail();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

void OutputFile::read_expected(std::uint64_t from, std::uint64_t end) {
  expected_.resize(end - from);
  if (::lseek(file_, static_cast<off_t>(from), SEEK_SET) < 0) fail();
  for (std::size_t filled = 0; filled < expected_.size();) {
    const ssize_t got = ::read(file_, expected_.data() + filled, expected_.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Error(ErrorKind::io,
                  fmt::format("{}: cannot read at byte {}", path_.string(), from + filled));
    }
    filled += static_cast<std::size_t>(got);
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      waiting_(std::move(other.waiting_)),
      expected_(std::move(other.expected_)),
      seen_(other.seen_) {}

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  // Left by an exception: what was handed over goes out as far as it can.
  hand_over();
  ::close(file_);
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
  waiting_ += bytes;
  if (waiting_.size() >= most_waiting) flush();
}

// Gives what waits to the system; false, with errno, if it takes only a part. That part is gone
// from `waiting_`, so that no byte is written twice.
bool OutputFile::hand_over() {
  std::size_t given = 0;
  bool good = true;
  while (good && given < waiting_.size()) {
    const ssize_t taken = ::write(file_, waiting_.data() + given, waiting_.size() - given);
    if (taken > 0) given += static_cast<std::size_t>(taken);
    good = taken >= 0 || errno == EINTR;
  }
  waiting_.erase(0, given);
  return good;
}

void OutputFile::flush() {
  if (hand_over()) return;
  waiting_.clear();  // a hole in the file would be worse than an early end
  fail();
}

// A file that was deleted while it is open would take all writes and vanish with them.
void OutputFile::check_still_there() const {
  struct stat about {};
  if (fstat(file_, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 0) {
    throw Error(ErrorKind::io,
                fmt::format("{}: was deleted while it was being written", path_.string()));
  }
}

void OutputFile::sync() {
  flush();
  check_still_there();
  // Pipes and devices cannot be synchronised; that is no failure.
  if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) fail();
}

void OutputFile::sync_folder() const {
  const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder that may be written to but not read
  ::fsync(descriptor);         // not every file system can
  ::close(descriptor);
}

void OutputFile::close() {
  flush();
  check_still_there();
  if (::close(std::exchange(file_, -1)) != 0) fail();
}

}  // namespace lacuna
