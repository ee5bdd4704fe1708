// Data as the library sees it: tables read from files, the regression data made of them, and their
// scaling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lacuna {

// Numeric columns read from one file.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // columns[j][i]: column j, row i
  std::size_t rows = 0;
  std::size_t dropped_rows = 0;  // rows left out because of missing values
};

enum class MissingValues { error, drop };

// Given the header, the positions of the columns to read, in the order wanted. Other columns are
// never parsed as numbers, so they may hold text. May throw Error (usage or bad_data), for instance
// when a column is not there.
using ColumnChoice =
    std::function<std::vector<std::size_t>(const std::vector<std::string>& header)>;

// Reads CSV, gzipped CSV or .npy, recognised by content. Throws Error with file, line and column
// named.
Table read_table(const std::filesystem::path& path, MissingValues missing,
                 const ColumnChoice& choose);

// Regression data: one target and p inputs for each of n rows.
struct Dataset {
  std::size_t rows = 0;
  std::size_t inputs = 0;
  std::vector<double> x;  // column by column: x[j * rows + i]
  std::vector<double> y;
  std::vector<std::string> input_names;
  std::string target_name;
  std::size_t dropped_rows = 0;  // left out because of missing values
  // The file they were read from, as it was named, and how; empty if there was none.
  std::string path = {};
  std::vector<std::string> ignored = {};
  MissingValues missing = MissingValues::error;
  // How often each row counts: weight k is k copies of the row. Empty: all count once.
  std::vector<double> weight = {};
  std::string weight_name = {};
};

// The training data of a file: `target` as y, every column but the target, `ignore` and `weights`
// (a column too, or empty) as inputs.
Dataset read_dataset(const std::filesystem::path& path, const std::string& target,
                     const std::vector<std::string>& ignore, MissingValues missing,
                     const std::string& weights = {});

// The inputs of a file matched by name to `input_names`, for prediction; x column by column, and
// the number of rows.
struct Inputs {
  std::size_t rows = 0;
  std::size_t dropped_rows = 0;
  std::vector<double> x;
};
Inputs read_inputs(const std::filesystem::path& path, const std::vector<std::string>& input_names,
                   MissingValues missing);
// The same with the target, for scoring predictions. An .npy file goes by the names that its
// columns had in training.
Dataset read_observations(const std::filesystem::path& path,
                          const std::vector<std::string>& input_names,
                          const std::string& target_name, MissingValues missing);

// Throws Error(bad_data) if the data cannot be fitted at all (too few rows, no inputs, non-finite
// values); returns sentences about what looks wrong but can be fitted (constant columns, constant
// target, duplicate rows).
std::vector<std::string> check_dataset(const Dataset& data);

// A hash of every number and name of the data: the same data give the same hash.
std::uint64_t hash_dataset(const Dataset& data);

// The same regression problem with each row once: equal rows (inputs and target) are joined and
// their weights added, rows of weight zero left out. The order is like a random one and follows
// from the rows alone, so that a fit does not depend on the order in which they came, nor on the
// units of the columns.
struct DistinctRows {
  Dataset data;                     // with weights
  std::vector<std::size_t> origin;  // where each row first came in the data as given
};
DistinctRows distinct_rows(const Dataset& data);
// The sum of all weights: the number of rows where there are none.
double total_weight(const Dataset& data);

// Affine scaling of inputs and target: scaled = (raw - shift) / scale.
struct Scaling {
  std::vector<double> input_shift, input_scale;
  double target_shift = 0.0, target_scale = 1.0;
};
Scaling identity_scaling(std::size_t inputs);
// Mean and standard deviation of each column (a constant column gets scale 1).
Scaling standardisation(const Dataset& data);
Dataset scaled(const Dataset& data, const Scaling& scaling);
std::vector<double> scaled_inputs(const std::vector<double>& x, std::size_t rows,
                                  const Scaling& scaling);

// Simulated data whose regression function is known.
struct Simulation {
  std::string name = "friedman";  // friedman | hierarchical | rough | authors
  std::size_t rows = 500;
  // 0: 10, or 1 for authors. Friedman uses 5 of them, hierarchical 4, rough 1; the rest is noise.
  std::size_t inputs = 0;
  double noise_sd = 0.1;
  double smoothness = 1.0;  // Hoelder; hierarchical: of its inner and outer functions
  std::uint64_t seed = 1;
};
struct SimulatedData {
  Dataset data;
  std::vector<double> truth;  // f at each row
};
SimulatedData simulate(const Simulation& what);
// CSV with full precision: the inputs, the target `y`, and last the truth `f`.
void write_simulated_csv(const SimulatedData& simulated, const std::filesystem::path& path);

}  // namespace lacuna
