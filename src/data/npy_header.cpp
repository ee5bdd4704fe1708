// The header of .npy files: a Python dictionary in text, read without trusting any of it.
#include <fmt/core.h>

#include <bit>
#include <charconv>
#include <system_error>
#include <vector>

#include "data/npy.hpp"
#include "data/wording.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kPreambleSize = 8;  // magic and version

struct Dictionary {
  bool has_descr = false, has_order = false, has_shape = false;
  std::string descr;  // stays empty for a structured type, which is not written as a string
  bool fortran_order = false;
  std::vector<std::size_t> shape;
};

// A reader of the few Python literals that NumPy writes.
class LiteralReader {
 public:
  LiteralReader(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  Dictionary dictionary() {
    Dictionary found;
    expect('{');
    while (!skip('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !found.has_descr) {
        found.has_descr = true;
        if (peek() == '[' || peek() == '(') {
          throw Error(ErrorKind::bad_data,
                      name_ + ": structured dtypes cannot be read; save a plain array of numbers");
        }
        found.descr = quoted();
      } else if (key == "fortran_order" && !found.has_order) {
        found.has_order = true;
        found.fortran_order = boolean();
      } else if (key == "shape" && !found.has_shape) {
        found.has_shape = true;
        found.shape = tuple();
      } else {
        damaged();
      }
      if (!skip(',')) {
        expect('}');
        break;
      }
    }
    peek();
    if (!text_.empty() || !found.has_descr || !found.has_order || !found.has_shape) damaged();
    return found;
  }

  [[noreturn]] void damaged() const {
    throw Error(ErrorKind::bad_data, name_ + ": damaged .npy header");
  }

 private:
  char peek() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_[0];
  }

  bool skip(char c) {
    if (peek() != c || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!skip(c)) damaged();
  }

  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') damaged();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) damaged();
    const std::string content(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return content;
  }

  bool boolean() {
    peek();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    damaged();
  }

  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> values;
    expect('(');
    while (!skip(')')) {
      peek();
      std::size_t value = 0;
      const auto [end, status] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (status != std::errc()) damaged();
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      skip('L');  // long integers, as Python 2 wrote them
      values.push_back(value);
      if (!skip(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  const std::string& name_;
  std::string_view text_;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

void read_type(const std::string& name, std::string_view descr, NpyHeader& header) {
  const std::string_view full = descr;
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorKind::bad_data, fmt::format("{}: {}", name, why));
  };
  constexpr bool kNativeBig = std::endian::native == std::endian::big;
  header.big_endian = kNativeBig;
  if (!descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos) {
    if (descr[0] == '<') header.big_endian = false;
    if (descr[0] == '>') header.big_endian = true;
    descr.remove_prefix(1);
  }
  if (descr.starts_with('O')) refuse("object arrays cannot be read; save numbers as float64");
  for (const std::string_view known :
       {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}) {
    if (descr != known) continue;
    header.kind = known[0];
    header.item_size = static_cast<std::size_t>(known[1] - '0');
    return;
  }
  refuse(fmt::format("dtype '{}' cannot be read; save numbers as float64", shown(full)));
}

}  // namespace

NpyHeader read_npy_header(const std::string& name, std::string_view bytes) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::bad_data, name + ": " + why);
  };
  if (bytes.size() < kPreambleSize + 2) refuse("damaged .npy file (it ends too early)");
  const int major = static_cast<unsigned char>(bytes[6]);
  const int minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse(fmt::format(".npy version {}.{} cannot be read; 1.0 to 3.0 can", major, minor));
  }
  const std::size_t length_size = major == 1 ? 2 : 4;
  const std::size_t start = kPreambleSize + length_size;
  if (bytes.size() < start) refuse("damaged .npy file (it ends too early)");
  const std::size_t length = little_endian(bytes.substr(kPreambleSize, length_size));
  if (length > bytes.size() - start) refuse("damaged .npy file (it ends inside its header)");

  const Dictionary found = LiteralReader(name, bytes.substr(start, length)).dictionary();
  NpyHeader header;
  read_type(name, found.descr, header);
  header.column_major = found.fortran_order;
  header.data_offset = start + length;
  if (found.shape.empty() || found.shape.size() > 2) {
    refuse(fmt::format("the array has {}; 1 or 2 are needed",
                       counted(found.shape.size(), "dimension")));
  }
  header.rows = found.shape[0];
  header.columns = found.shape.size() == 2 ? found.shape[1] : 1;
  if (header.columns == 0) refuse("the array has no columns");
  if (header.columns > kMostColumns) refuse(fmt::format("more than {} columns", kMostColumns));
  // Division instead of multiplication: no product here can overflow.
  const std::size_t available = (bytes.size() - header.data_offset) / header.item_size;
  if (header.rows > available / header.columns) {
    refuse(fmt::format("damaged .npy file (it should hold {} x {} values, but {} there)",
                       header.rows, header.columns,
                       available == 1 ? "1 is" : fmt::format("{} are", available)));
  }
  return header;
}

}  // namespace lacuna
