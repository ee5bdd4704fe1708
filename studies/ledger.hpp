// The results of a study as a CSV file that grows line by line, so that a study that was stopped
// goes on where it was.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lacuna::studies {

using Key = std::vector<std::string>;  // what was measured: one text per key column
using Values = std::vector<double>;    // the measurements: one per value column

class Ledger {
 public:
  // Columns: plan, then `keys`, then `values`. `plan` names how it was measured; a file with
  // another one is refused with Error(usage), a damaged one with Error(bad_data). A last line
  // without its end, as a crash leaves it, is dropped.
  Ledger(std::filesystem::path file, std::string plan, std::vector<std::string> keys,
         std::vector<std::string> values);

  bool holds(const Key& key) const { return rows_.contains(key); }
  // Written to the file before it returns. Throws Error(io) where that fails, Error(internal) where
  // cells are missing.
  void add(const Key& key, const Values& values);

  const std::map<Key, Values>& rows() const { return rows_; }
  // One value of each row whose key agrees with `pattern` wherever that is not "*".
  std::vector<double> column(const std::string& value, const Key& pattern) const;

 private:
  void read();
  void append(const std::string& line) const;
  std::size_t position(const std::string& value) const;

  std::filesystem::path file_;
  std::string plan_;
  std::vector<std::string> keys_, values_;
  std::map<Key, Values> rows_;
};

}  // namespace lacuna::studies
