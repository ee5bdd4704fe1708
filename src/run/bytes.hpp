// Little-endian numbers in byte strings, and a reader that never runs past the end.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

static_assert(std::endian::native == std::endian::little,
              "the file format is written as it lies in memory");

template <class T>
void append_number(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void append_numbers(std::string& bytes, std::span<const T> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

// Takes numbers from the front; anything that is not wholly there gives nullopt and leaves the rest
// untouched.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  std::optional<T> number() {
    if (rest_.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return value;
  }
  // The count is checked against the bytes that are left before anything is allocated.
  template <class T>
  bool numbers(std::uint64_t count, std::vector<T>& out) {
    if (count > rest_.size() / sizeof(T)) return false;
    out.resize(count);
    if (count > 0) std::memcpy(out.data(), rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
    return true;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

}  // namespace lacuna
