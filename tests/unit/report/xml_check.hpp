// A strict little reader for the XML that pictures are made of: says what is wrong, or nothing.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::report {

class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : rest_(text) {}

  std::string complaint() {
    bool had_root = false;
    while (!rest_.empty() && wrong_.empty()) {
      if (rest_.front() == '<') {
        if (open_.empty() && had_root) return "content after the root element";
        tag();
        had_root = true;
      } else {
        const std::string_view text = take_until('<');
        if (open_.empty() && text.find_first_not_of(" \n") != text.npos) return "text outside root";
        check_text(text);
      }
    }
    if (wrong_.empty() && !open_.empty()) return "not closed: " + open_.back();
    return had_root ? wrong_ : "no element";
  }

 private:
  std::string_view take_until(char stop) {
    const auto length = std::min(rest_.find(stop), rest_.size());
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  void skip(char expected) {
    if (!rest_.empty() && rest_.front() == expected) {
      rest_.remove_prefix(1);
    } else if (wrong_.empty()) {
      wrong_ = std::string("expected ") + expected + " before " + std::string(rest_.substr(0, 30));
    }
  }

  void skip_space() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n'))
      rest_.remove_prefix(1);
  }

  std::string name() {
    std::string word;
    while (!rest_.empty() &&
           (std::isalnum(static_cast<unsigned char>(rest_.front())) != 0 || rest_.front() == '-')) {
      word += rest_.front();
      rest_.remove_prefix(1);
    }
    if (word.empty() && wrong_.empty())
      wrong_ = "no name before " + std::string(rest_.substr(0, 30));
    return word;
  }

  void check_text(std::string_view text) {
    if (text.find('<') != text.npos) wrong_ = "raw < in text";
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
        wrong_ = "control character";
    }
    for (auto at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
      static const std::set<std::string_view> known = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
      if (!known.contains(text.substr(at, text.find(';', at) + 1 - at))) wrong_ = "unknown entity";
    }
  }

  void tag() {
    skip('<');
    if (!rest_.empty() && rest_.front() == '/') {
      skip('/');
      const std::string closed = name();
      if (wrong_.empty() && (open_.empty() || open_.back() != closed)) wrong_ = "stray </" + closed;
      if (!open_.empty()) open_.pop_back();
      skip('>');
      return;
    }
    const std::string opened = name();
    std::set<std::string> seen;
    for (skip_space();
         wrong_.empty() && !rest_.empty() && rest_.front() != '>' && rest_.front() != '/';
         skip_space()) {
      if (!seen.insert(name()).second) wrong_ = "attribute given twice";
      skip('=');
      skip('"');
      check_text(take_until('"'));
      skip('"');
    }
    if (!rest_.empty() && rest_.front() == '/') {
      skip('/');
    } else {
      open_.push_back(opened);
    }
    skip('>');
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  std::string wrong_;
};

inline std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace lacuna::report
