// Regression data out of tables: which column is the target, which are inputs.
#include "lacuna/dataset.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <unordered_map>

#include "data/table.hpp"
#include "data/wording.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/suggest.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kFewestToFit = 2;
constexpr std::size_t kFewestToPredict = 1;

using Header = std::vector<std::string>;

// `3` or `-1` as a position among `size` columns.
std::optional<std::size_t> position_of(const std::string& text, std::size_t size) {
  long long number = 0;
  const char* stop = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), stop, number);
  if (status != std::errc() || end != stop) return std::nullopt;
  if (number < 0) number += static_cast<long long>(size);
  if (number < 0 || number >= static_cast<long long>(size)) return std::nullopt;
  return static_cast<std::size_t>(number);
}

std::size_t find_column(const std::string& file, const std::string& name, TableFormat format,
                        const Header& header) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  if (format == TableFormat::npy) {
    if (const auto position = position_of(name, header.size())) return *position;
  }
  const std::string close = did_you_mean(name, header);
  const std::string hint = close.empty() ? "" : fmt::format(" did you mean '{}'?", shown(close));
  throw Error(ErrorKind::bad_data, fmt::format("{}: no column '{}';{} columns: {}", file,
                                               shown(name), hint, listed(header)));
}

// The positions of the inputs in file order, that of the weights if there are any, and last that of
// the target.
std::vector<std::size_t> training_columns(const std::string& file, TableFormat format,
                                          const Header& header, const std::string& target,
                                          const std::vector<std::string>& ignore,
                                          const std::string& weights) {
  const std::size_t target_at = find_column(file, target, format, header);
  std::vector<bool> left_out(header.size(), false);
  for (const std::string& name : ignore) left_out[find_column(file, name, format, header)] = true;
  if (left_out[target_at]) {
    throw Error(ErrorKind::usage,
                fmt::format("target '{}' is also among the ignored columns", shown(target)));
  }
  std::optional<std::size_t> weights_at;
  if (!weights.empty()) {
    weights_at = find_column(file, weights, format, header);
    if (weights_at == target_at) {
      throw Error(ErrorKind::usage,
                  fmt::format("column '{}' cannot hold both target and weights", shown(weights)));
    }
    left_out[*weights_at] = true;
  }
  std::vector<std::size_t> chosen;
  for (std::size_t j = 0; j < header.size(); ++j) {
    if (j != target_at && !left_out[j]) chosen.push_back(j);
  }
  if (chosen.empty()) {
    throw Error(ErrorKind::bad_data,
                file + ": no feature columns; every column is the target or ignored");
  }
  if (weights_at) chosen.push_back(*weights_at);
  chosen.push_back(target_at);
  return chosen;
}

std::vector<std::size_t> columns_by_name(const std::string& file, const Header& header,
                                         const std::vector<std::string>& wanted) {
  std::unordered_map<std::string_view, std::size_t> position;
  for (std::size_t j = 0; j < header.size(); ++j) position[header[j]] = j;
  std::vector<std::size_t> chosen;
  std::vector<std::string> missing;
  for (const std::string& name : wanted) {
    const auto found = position.find(name);
    if (found == position.end()) {
      missing.push_back(fmt::format("'{}'", shown(name)));
    } else {
      chosen.push_back(found->second);
    }
  }
  if (!missing.empty()) {
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: missing column{} {} (the fit needs: {})", file,
                            missing.size() == 1 ? "" : "s", listed(missing), listed(wanted)));
  }
  return chosen;
}

// An .npy file has no names of its own: one column per input goes by position, and one column more
// (the target still being there) by the names that the file had if it was the training file.
std::vector<std::size_t> columns_of_array(const std::string& file, const Header& header,
                                          const std::vector<std::string>& wanted) {
  if (header.size() == wanted.size()) {
    std::vector<std::size_t> chosen(wanted.size());
    for (std::size_t j = 0; j < chosen.size(); ++j) chosen[j] = j;
    return chosen;
  }
  const bool known = std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
    return std::find(header.begin(), header.end(), name) != header.end();
  });
  if (header.size() != wanted.size() + 1 || !known) {
    throw Error(ErrorKind::bad_data, fmt::format("{}: {}, expected {}", file,
                                                 counted(header.size(), "column"), wanted.size()));
  }
  return columns_by_name(file, header, wanted);
}

// Joins columns one after the other, giving back the memory of each as soon as it is copied.
std::vector<double> joined(std::vector<std::vector<double>>& columns, std::size_t rows) {
  std::vector<double> x;
  x.reserve(columns.size() * rows);
  for (std::vector<double>& column : columns) {
    x.insert(x.end(), column.begin(), column.end());
    column = {};
  }
  return x;
}

void take_last_column(Table& table, std::vector<double>& values, std::string& name) {
  values = std::move(table.columns.back());
  name = std::move(table.names.back());
  table.columns.pop_back();
  table.names.pop_back();
}

Dataset with_target_last(Table table, bool weighted = false) {
  Dataset data;
  data.rows = table.rows;
  data.dropped_rows = table.dropped_rows;
  take_last_column(table, data.y, data.target_name);
  if (weighted) take_last_column(table, data.weight, data.weight_name);
  data.inputs = table.columns.size();
  data.x = joined(table.columns, table.rows);
  data.input_names = std::move(table.names);
  return data;
}

}  // namespace

Dataset read_dataset(const std::filesystem::path& path, const std::string& target,
                     const std::vector<std::string>& ignore, MissingValues missing,
                     const std::string& weights) {
  ByteSource source(path);
  TableRequest request;
  request.missing = missing;
  request.fewest_rows = kFewestToFit;
  request.choose = [&](TableFormat format, const Header& header) {
    return training_columns(source.name(), format, header, target, ignore, weights);
  };
  Dataset data = with_target_last(read_table(source, request), !weights.empty());
  data.path = path.string();
  data.ignored = ignore;
  data.missing = missing;
  return data;
}

Dataset read_observations(const std::filesystem::path& path,
                          const std::vector<std::string>& input_names,
                          const std::string& target_name, MissingValues missing) {
  std::vector<std::string> wanted = input_names;
  wanted.push_back(target_name);
  ByteSource source(path);
  TableRequest request;
  request.missing = missing;
  request.fewest_rows = kFewestToPredict;
  request.choose = [&](TableFormat, const Header& header) {
    return columns_by_name(source.name(), header, wanted);
  };
  return with_target_last(read_table(source, request));
}

Inputs read_inputs(const std::filesystem::path& path, const std::vector<std::string>& input_names,
                   MissingValues missing) {
  ByteSource source(path);
  TableRequest request;
  request.missing = missing;
  request.fewest_rows = kFewestToPredict;
  request.choose = [&](TableFormat format, const Header& header) {
    return format == TableFormat::npy ? columns_of_array(source.name(), header, input_names)
                                      : columns_by_name(source.name(), header, input_names);
  };
  Table table = read_table(source, request);
  return {table.rows, table.dropped_rows, joined(table.columns, table.rows)};
}

}  // namespace lacuna
