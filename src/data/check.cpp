// Whether data can be fitted, what looks odd about them, and the hash that identifies them.
#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "data/row_order.hpp"
#include "data/wording.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kConstantColumnsNamed = 10;
constexpr double light_share = 0.1;  // a mean weight below this is likely meant in other units

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::bad_data, why); }

void check_sizes(const Dataset& data) {
  if (data.inputs == 0) refuse("no feature columns; at least 1 is needed");
  if (data.rows < 2) refuse(counted(data.rows, "sample") + "; at least 2 are needed");
  if (data.y.size() != data.rows) {
    refuse(fmt::format("{} in y, expected {}", counted(data.y.size(), "value"), data.rows));
  }
  // Division, because rows * inputs could overflow.
  if (data.x.size() % data.rows != 0 || data.x.size() / data.rows != data.inputs) {
    refuse(fmt::format("{} in X, expected {} rows x {} columns", counted(data.x.size(), "value"),
                       data.rows, data.inputs));
  }
  if (data.input_names.size() != data.inputs) {
    refuse(fmt::format("{}, expected {}", counted(data.input_names.size(), "input name"),
                       data.inputs));
  }
  if (!data.weight.empty() && data.weight.size() != data.rows) {
    refuse(fmt::format("{}, expected {}", counted(data.weight.size(), "weight"), data.rows));
  }
}

std::string what_is_not_finite(double value) { return std::isnan(value) ? "NaN" : "infinity"; }

void check_finite(const Dataset& data) {
  for (std::size_t i = 0; i < data.rows; ++i) {
    if (std::isfinite(data.y[i])) continue;
    refuse(fmt::format("Input y contains {} (row {})", what_is_not_finite(data.y[i]), i + 1));
  }
  for (std::size_t k = 0; k < data.x.size(); ++k) {
    if (std::isfinite(data.x[k])) continue;
    refuse(fmt::format("Input X contains {} (row {}, column '{}')", what_is_not_finite(data.x[k]),
                       k % data.rows + 1, shown(data.input_names[k / data.rows])));
  }
}

void check_weights(const Dataset& data) {
  if (data.weight.empty()) return;
  for (std::size_t i = 0; i < data.rows; ++i) {
    if (data.weight[i] >= 0.0 && std::isfinite(data.weight[i])) continue;
    refuse(fmt::format("weight {} (row {}): must be a number and not negative", data.weight[i],
                       i + 1));
  }
  const double total = total_weight(data);
  if (!(total > 0.0)) refuse("all weights are zero; at least one row has to count");
  if (!std::isfinite(total)) refuse("the weights overflow when added; rescale them");
}

bool constant(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [&](double v) { return v == values[0]; });
}

// Rows that repeat another row, inputs and target alike.
std::size_t count_duplicates(const Dataset& data) {
  const std::vector<std::size_t> order = row_order(data);
  std::size_t duplicates = 0;
  for (std::size_t i = 1; i < data.rows; ++i)
    duplicates += equal_rows(data, order[i - 1], order[i]);
  return duplicates;
}

// Feeds a hash with bytes that do not depend on the machine.
class CanonicalHash {
 public:
  CanonicalHash() { XXH3_64bits_reset(&state_); }

  void add(std::uint64_t number) {
    if constexpr (std::endian::native == std::endian::big) number = __builtin_bswap64(number);
    XXH3_64bits_update(&state_, &number, sizeof number);
  }
  void add(const std::string& text) {
    add(std::uint64_t{text.size()});
    XXH3_64bits_update(&state_, text.data(), text.size());
  }
  void add(const std::vector<double>& values) {
    add(std::uint64_t{values.size()});
    for (const double value : values) add(std::bit_cast<std::uint64_t>(value));
  }
  std::uint64_t value() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

}  // namespace

std::vector<std::string> check_dataset(const Dataset& data) {
  check_sizes(data);
  check_finite(data);
  check_weights(data);
  std::vector<std::string> warnings;
  std::size_t constant_columns = 0;
  for (std::size_t j = 0; j < data.inputs; ++j) {
    if (!constant(data.x.data() + j * data.rows, data.rows)) continue;
    if (++constant_columns > kConstantColumnsNamed) continue;
    warnings.push_back(
        fmt::format("column '{}' is constant; it cannot matter", shown(data.input_names[j])));
  }
  if (constant_columns > kConstantColumnsNamed) {
    warnings.push_back(fmt::format("{} more columns are constant; they cannot matter",
                                   constant_columns - kConstantColumnsNamed));
  }
  if (constant(data.y.data(), data.rows)) {
    warnings.push_back(
        fmt::format("target '{}' is constant; the fit will be flat", shown(data.target_name)));
  }
  if (const std::size_t duplicates = count_duplicates(data); duplicates > 0) {
    warnings.push_back(
        fmt::format("{} of {} rows {}", duplicates, data.rows,
                    duplicates == 1 ? "is an exact duplicate" : "are exact duplicates"));
  }
  if (const double total = total_weight(data);
      total < light_share * static_cast<double>(data.rows)) {
    warnings.push_back(fmt::format(
        "the weights of {} rows sum to {:.4g}; a weight counts copies of its row, so the "
        "fit trusts the data like {:.4g} rows; multiply the weights if they are shares",
        data.rows, total, total));
  }
  return warnings;
}

std::uint64_t hash_dataset(const Dataset& data) {
  CanonicalHash hash;
  hash.add(std::uint64_t{data.rows});
  hash.add(std::uint64_t{data.inputs});
  for (const std::string& name : data.input_names) hash.add(name);
  hash.add(data.target_name);
  hash.add(data.x);
  hash.add(data.y);
  if (!data.weight.empty()) hash.add(data.weight);
  return hash.value();
}

}  // namespace lacuna
