// The results of a study as a CSV file that grows line by line.
#include "studies/ledger.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "lacuna/errors.hpp"

namespace lacuna::studies {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  if (line.ends_with(',')) fields.emplace_back();
  return fields;
}

std::optional<double> number(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stopped, trouble] = std::from_chars(text.data(), end, value);
  if (trouble != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

}  // namespace

Ledger::Ledger(std::filesystem::path file, std::string plan, std::vector<std::string> keys,
               std::vector<std::string> values)
    : file_(std::move(file)),
      plan_(std::move(plan)),
      keys_(std::move(keys)),
      values_(std::move(values)) {
  if (std::filesystem::exists(file_)) read();
  if (std::filesystem::exists(file_) && std::filesystem::file_size(file_) > 0) return;
  append(fmt::format("plan,{},{}\n", fmt::join(keys_, ","), fmt::join(values_, ",")));
}

void Ledger::read() {
  std::ifstream stream(file_, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw Error(ErrorKind::io, fmt::format("{}: cannot read", file_.string()));
  stream.close();
  const std::size_t whole = text.rfind('\n') + 1;  // 0 where there is no line end
  if (whole != text.size()) {
    std::filesystem::resize_file(file_, whole);
    text.resize(whole);
  }
  std::stringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto damaged = [&](const std::string& what) -> Error {
      return Error(ErrorKind::bad_data,
                   fmt::format("{}: line {}: {}; choose another folder or delete it",
                               file_.string(), count, what));
    };
    const std::vector<std::string> fields = fields_of(line);
    if (++count == 1) {
      if (line != fmt::format("plan,{},{}", fmt::join(keys_, ","), fmt::join(values_, ","))) {
        throw damaged("not the columns of this study");
      }
      continue;
    }
    if (fields.size() != 1 + keys_.size() + values_.size()) throw damaged("wrong number of cells");
    if (fields[0] != plan_) {
      throw Error(
          ErrorKind::usage,
          fmt::format("{}: holds results of another plan ({}, not {}); choose another folder",
                      file_.string(), fields[0], plan_));
    }
    const auto middle = fields.begin() + 1 + static_cast<std::ptrdiff_t>(keys_.size());
    Values values;
    for (auto field = middle; field != fields.end(); ++field) {
      const std::optional<double> value = number(*field);
      if (!value) throw damaged(fmt::format("'{}' is not a number", *field));
      values.push_back(*value);
    }
    rows_[Key(fields.begin() + 1, middle)] = std::move(values);
  }
}

void Ledger::append(const std::string& line) const {
  std::ofstream stream(file_, std::ios::binary | std::ios::app);
  stream << line;
  stream.close();
  if (!stream) throw Error(ErrorKind::io, fmt::format("{}: cannot write", file_.string()));
}

void Ledger::add(const Key& key, const Values& values) {
  if (key.size() != keys_.size() || values.size() != values_.size()) {
    throw Error(ErrorKind::internal, fmt::format("a measurement with {} values in a study with {}",
                                                 values.size(), values_.size()));
  }
  append(fmt::format("{},{},{}\n", plan_, fmt::join(key, ","), fmt::join(values, ",")));
  rows_[key] = values;
}

std::size_t Ledger::position(const std::string& value) const {
  const auto found = std::ranges::find(values_, value);
  if (found == values_.end()) {
    throw Error(ErrorKind::internal, fmt::format("no column '{}' in this study", value));
  }
  return static_cast<std::size_t>(found - values_.begin());
}

std::vector<double> Ledger::column(const std::string& value, const Key& pattern) const {
  const std::size_t at = position(value);
  std::vector<double> found;
  for (const auto& [key, values] : rows_) {
    bool agrees = true;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      agrees = agrees && (pattern[i] == "*" || pattern[i] == key[i]);
    }
    if (agrees) found.push_back(values[at]);
  }
  return found;
}

}  // namespace lacuna::studies
