// Whether data can be fitted, what looks odd about them, and the hash that identifies them.
#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "data/wording.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kConstantColumnsNamed = 10;

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

bool constant(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [&](double v) { return v == values[0]; });
}

// Rows that repeat an earlier row, inputs and target alike.
std::size_t count_duplicates(const Dataset& data) {
  const auto hashed = [](std::uint64_t seed, double value) {
    const double same_zero = value + 0.0;  // -0 and 0 are the same value
    return XXH3_64bits_withSeed(&same_zero, sizeof same_zero, seed);
  };
  std::vector<std::uint64_t> hash(data.rows);
  for (std::size_t i = 0; i < data.rows; ++i) hash[i] = hashed(0, data.y[i]);
  for (std::size_t k = 0; k < data.x.size(); ++k) {
    hash[k % data.rows] = hashed(hash[k % data.rows], data.x[k]);
  }
  const auto equal_rows = [&](std::size_t a, std::size_t b) {
    if (hash[a] != hash[b] || data.y[a] != data.y[b]) return false;
    for (std::size_t j = 0; j < data.inputs; ++j) {
      if (data.x[j * data.rows + a] != data.x[j * data.rows + b]) return false;
    }
    return true;
  };
  std::vector<std::size_t> order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return hash[a] < hash[b]; });
  std::size_t duplicates = 0;
  for (std::size_t i = 1; i < data.rows; ++i) duplicates += equal_rows(order[i - 1], order[i]);
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
  return hash.value();
}

}  // namespace lacuna
