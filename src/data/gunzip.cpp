// Inflating gzip members with zlib.
#include "data/gunzip.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <new>

#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kPackedSize = std::size_t{1} << 16;
constexpr std::size_t kLargestRead = std::size_t{1} << 30;  // zlib counts in unsigned int
constexpr int kGzipOnly = 15 + 16;                          // largest window, gzip wrapper

}  // namespace

Gunzip::Gunzip(ByteSource& source, std::uint64_t limit)
    : source_(source), limit_(limit), packed_(kPackedSize) {
  if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() { inflateEnd(&stream_); }

std::size_t Gunzip::read(char* to, std::size_t size) {
  const auto wanted = static_cast<uInt>(std::min(size, kLargestRead));
  stream_.next_out = reinterpret_cast<Bytef*>(to);
  stream_.avail_out = wanted;
  while (!finished_ && stream_.avail_out == wanted) {
    if (stream_.avail_in == 0 && !refill()) damaged("it ends too early");
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) {
      finished_ = !next_member();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      damaged(stream_.msg != nullptr ? stream_.msg : "unreadable");
    }
  }
  const std::size_t got = wanted - stream_.avail_out;
  produced_ += got;
  if (produced_ > limit_) {
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: unpacks to more than {} GiB; unpack it by hand if that is right",
                            source_.name(), limit_ >> 30));
  }
  return got;
}

bool Gunzip::refill() {
  const std::size_t got = source_.read(reinterpret_cast<char*>(packed_.data()), packed_.size());
  stream_.next_in = packed_.data();
  stream_.avail_in = static_cast<uInt>(got);
  return got > 0;
}

// Moves on to the next member; false if only padding is left.
bool Gunzip::next_member() {
  bool padding = false;
  while (stream_.avail_in > 0 || refill()) {
    if (*stream_.next_in != 0) {
      if (padding) damaged("something else follows it");
      inflateReset(&stream_);
      return true;
    }
    padding = true;
    ++stream_.next_in;
    --stream_.avail_in;
  }
  return false;
}

void Gunzip::damaged(const char* why) const {
  throw Error(ErrorKind::bad_data, fmt::format("{}: damaged gzip data ({})", source_.name(), why));
}

}  // namespace lacuna
