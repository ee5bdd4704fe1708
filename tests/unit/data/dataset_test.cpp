// Choosing target and inputs, matching columns at prediction, checks, warnings and the hash.
#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "unit/data/files.hpp"

namespace lacuna::testing {
namespace {

using Values = std::vector<double>;
using Names = std::vector<std::string>;
using DatasetFiles = InFolder;

std::string training_error(const std::string& file, const std::string& target,
                           const Names& ignore = {}) {
  return error_of([&] { read_dataset(file, target, ignore, MissingValues::error); });
}

std::string inputs_error(const std::string& file, const Names& names) {
  return error_of([&] { read_inputs(file, names, MissingValues::error); });
}

// A 2-D array of float64 in which element (i, j) is 10 i + j.
void write_npy(const std::string& file, int rows, int columns) {
  std::string dictionary = fmt::format(
      "{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}\n", rows, columns);
  std::string bytes = std::string("\x93NUMPY\x01", 7) + '\0' + char(dictionary.size()) + '\0';
  bytes += dictionary;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const double value = 10.0 * i + j;
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  }
  write_file(file, bytes);
}

TEST_F(DatasetFiles, TargetAndIgnoredColumnsAreTakenOut) {
  write_file("train.csv", "id,a,price,b\nx1,1,10,2\nx2,3,30,4\n");
  const Dataset data = read_dataset("train.csv", "price", {"id"}, MissingValues::error);
  EXPECT_EQ(data.rows, 2u);
  EXPECT_EQ(data.inputs, 2u);
  EXPECT_EQ(data.x, (Values{1, 3, 2, 4}));
  EXPECT_EQ(data.y, (Values{10, 30}));
  EXPECT_EQ(data.input_names, (Names{"a", "b"}));
  EXPECT_EQ(data.target_name, "price");
}

TEST_F(DatasetFiles, ColumnsThatAreNotThereAreNamed) {
  write_file("train.csv", "a,b,price\n1,2,3\n4,5,6\n");
  EXPECT_EQ(training_error("train.csv", "prize"),
            "65 train.csv: no column 'prize'; did you mean 'price'? columns: a, b, price");
  EXPECT_EQ(training_error("train.csv", "weight"),
            "65 train.csv: no column 'weight'; columns: a, b, price");
  EXPECT_EQ(training_error("train.csv", "2"), "65 train.csv: no column '2'; columns: a, b, price");
  EXPECT_EQ(training_error("train.csv", "price", {"A"}),
            "65 train.csv: no column 'A'; did you mean 'a'? columns: a, b, price");
  EXPECT_EQ(training_error("train.csv", "price", {"a", "price"}),
            "64 target 'price' is also among the ignored columns");
  EXPECT_EQ(training_error("train.csv", "price", {"a", "b"}),
            "65 train.csv: no feature columns; every column is the target or ignored");
  write_file("wide.csv", "a,b,c,d,e,f,g,h,i,j,k,l\n");
  EXPECT_EQ(training_error("wide.csv", "weight"),
            "65 wide.csv: no column 'weight'; columns: a, b, c, d, e, f, g, h, i, j ...");
}

TEST_F(DatasetFiles, ArraysTakeTargetsByNameOrPosition) {
  write_npy("a.npy", 2, 3);
  for (const char* target : {"x2", "2", "-1"}) {
    const Dataset data = read_dataset("a.npy", target, {}, MissingValues::error);
    EXPECT_EQ(data.target_name, "x2");
    EXPECT_EQ(data.y, (Values{2, 12}));
    EXPECT_EQ(data.x, (Values{0, 10, 1, 11}));
  }
  EXPECT_EQ(read_dataset("a.npy", "0", {"-1"}, MissingValues::error).input_names, Names{"x1"});
  EXPECT_EQ(training_error("a.npy", "-1", {"x2"}),
            "64 target '-1' is also among the ignored columns");
  for (const char* target : {"3", "-4", "1.0", "99999999999999999999"}) {
    EXPECT_EQ(training_error("a.npy", target),
              fmt::format("65 a.npy: no column '{}'; columns: x0, x1, x2", target));
  }
  write_npy("empty.npy", 0, 3);
  EXPECT_EQ(training_error("empty.npy", "-1"), "65 empty.npy: 0 samples; at least 2 are needed");
}

TEST_F(DatasetFiles, PredictionMatchesColumnsByName) {
  write_file("new.csv", "y,x2,id,x1\n9,2,text,1\n,4,text,3\n");
  const Inputs inputs = read_inputs("new.csv", {"x1", "x2"}, MissingValues::error);
  EXPECT_EQ(inputs.rows, 2u);
  EXPECT_EQ(inputs.x, (Values{1, 3, 2, 4}));
  EXPECT_EQ(inputs_error("new.csv", {"x1", "x2", "x3"}),
            "65 new.csv: missing column 'x3' (the fit needs: x1, x2, x3)");
  EXPECT_EQ(inputs_error("new.csv", {"x1", "x7", "x8"}),
            "65 new.csv: missing columns 'x7', 'x8' (the fit needs: x1, x7, x8)");
}

TEST_F(DatasetFiles, PredictionNeedsOneRow) {
  write_file("one.csv", "a\n1\n");
  EXPECT_EQ(read_inputs("one.csv", {"a"}, MissingValues::error).rows, 1u);
  write_file("none.csv", "a\n");
  EXPECT_EQ(inputs_error("none.csv", {"a"}), "65 none.csv: 0 samples; at least 1 is needed");
  write_file("empty.csv", "");
  EXPECT_EQ(inputs_error("empty.csv", {"a"}),
            "65 empty.csv: empty file; a header line and at least 1 row is needed");
  EXPECT_EQ(error_of([] { read_all("empty.csv"); }),
            "65 empty.csv: empty file; a header line is needed");
  EXPECT_EQ(read_all("none.csv").rows, 0u);
}

TEST_F(DatasetFiles, PredictionFromArraysGoesByPositionOrName) {
  write_npy("new.npy", 2, 3);
  EXPECT_EQ(read_inputs("new.npy", {"age", "sex", "bmi"}, MissingValues::error).x,
            (Values{0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(read_inputs("new.npy", {"x1", "x2"}, MissingValues::error).x, (Values{1, 11, 2, 12}));
  EXPECT_EQ(inputs_error("new.npy", {"a", "b"}), "65 new.npy: 3 columns, expected 2");
  EXPECT_EQ(inputs_error("new.npy", {"x0"}), "65 new.npy: 3 columns, expected 1");
  EXPECT_EQ(inputs_error("new.npy", {"a", "b", "c", "d"}), "65 new.npy: 3 columns, expected 4");
}

TEST_F(DatasetFiles, ObservationsAreInputsAndTargetByName) {
  write_file("new.csv", "who,y,x2,x1\nAnn,1,2,3\nBen,4,5,6\n");
  const Dataset data = read_observations("new.csv", {"x1", "x2"}, "y", MissingValues::error);
  EXPECT_EQ(data.x, (Values{3, 6, 2, 5}));
  EXPECT_EQ(data.y, (Values{1, 4}));
  EXPECT_EQ(data.rows, 2u);
  EXPECT_EQ(data.input_names, (Names{"x1", "x2"}));
  EXPECT_EQ(data.target_name, "y");
  EXPECT_EQ(error_of([] { read_observations("new.csv", {"x1"}, "z", MissingValues::error); }),
            "65 new.csv: missing column 'z' (the fit needs: x1, z)");
  // Columns of an array go by name even where their number fits: the target may have been first.
  write_npy("new.npy", 2, 3);
  const Dataset array = read_observations("new.npy", {"x1", "x2"}, "x0", MissingValues::error);
  EXPECT_EQ(array.x, (Values{1, 11, 2, 12}));
  EXPECT_EQ(array.y, (Values{0, 10}));
  write_file("hole.csv", "x,y\n1,2\n3,\n");
  const Dataset kept = read_observations("hole.csv", {"x"}, "y", MissingValues::drop);
  EXPECT_EQ(kept.y, Values{2});
  EXPECT_EQ(kept.dropped_rows, 1u);
}

Dataset small() {
  Dataset data;
  data.rows = 3;
  data.inputs = 2;
  data.x = {1, 2, 3, 4, 5, 7};
  data.y = {1, 0, 2};
  data.input_names = {"a", "b"};
  data.target_name = "y";
  return data;
}

std::string check_error(const std::function<void(Dataset&)>& change) {
  Dataset data = small();
  change(data);
  return error_of([&] { check_dataset(data); });
}

TEST(CheckDataset, RefusesWhatCannotBeFitted) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(check_error([](Dataset&) {}), "no error");
  EXPECT_EQ(check_error([&](Dataset& d) { d.y[1] = -infinity; }),
            "65 Input y contains infinity (row 2)");
  EXPECT_EQ(check_error([&](Dataset& d) { d.y[2] = nan; }), "65 Input y contains NaN (row 3)");
  EXPECT_EQ(check_error([&](Dataset& d) { d.x[2] = nan; }),
            "65 Input X contains NaN (row 3, column 'a')");
  EXPECT_EQ(check_error([&](Dataset& d) { d.x[3] = infinity; }),
            "65 Input X contains infinity (row 1, column 'b')");
  EXPECT_EQ(check_error([](Dataset& d) { d = Dataset{1, 1, {1}, {1}, {"a"}, "y"}; }),
            "65 1 sample; at least 2 are needed");
  EXPECT_EQ(check_error([](Dataset& d) { d = Dataset{0, 1, {}, {}, {"a"}, "y"}; }),
            "65 0 samples; at least 2 are needed");
  EXPECT_EQ(check_error([](Dataset& d) {
              d = Dataset{2, 0, {}, {1, 2}, {}, "y"};
            }),
            "65 no feature columns; at least 1 is needed");
  EXPECT_EQ(check_error([](Dataset& d) { d.y.pop_back(); }), "65 2 values in y, expected 3");
  EXPECT_EQ(check_error([](Dataset& d) { d.x.pop_back(); }),
            "65 5 values in X, expected 3 rows x 2 columns");
  EXPECT_EQ(check_error([](Dataset& d) { d.input_names.pop_back(); }),
            "65 1 input name, expected 2");
}

TEST(CheckDataset, WarnsAboutWhatLooksWrong) {
  EXPECT_EQ(check_dataset(small()), Names{});
  Dataset data = small();
  data.x = {0.0, -0.0, 0.0, 4, 4, 5};
  data.y = {1, 1, 1};
  EXPECT_EQ(check_dataset(data), (Names{"column 'a' is constant; it cannot matter",
                                        "target 'y' is constant; the fit will be flat",
                                        "1 of 3 rows is an exact duplicate"}));
  data.x = {1, 1, 1, 2, 2, 2};
  data.y = {3, 3, 3};
  EXPECT_EQ(check_dataset(data).back(), "2 of 3 rows are exact duplicates");
  data.y = {3, 4, 3.5};
  EXPECT_EQ(check_dataset(data).size(), 2u)
      << "the same inputs with other targets are no duplicates";

  Dataset wide{2, 14, Values(28, 1.0), {1, 2}, {}, "y"};
  for (int j = 0; j < 14; ++j) wide.input_names.push_back(fmt::format("c{}", j));
  const Names warnings = check_dataset(wide);
  EXPECT_EQ(warnings.size(), 11u);
  EXPECT_EQ(warnings.back(), "4 more columns are constant; they cannot matter");
}

TEST(HashDataset, DependsOnEveryNumberAndName) {
  const std::uint64_t original = hash_dataset(small());
  EXPECT_EQ(hash_dataset(small()), original);
  // Fixed for ever: result files hold this hash.
  EXPECT_EQ(fmt::format("{:016x}", original), "b9a6b21ba1403f04");
  const std::function<void(Dataset&)> changes[] = {
      [](Dataset& d) { d.x[5] = std::nextafter(d.x[5], 8.0); },
      [](Dataset& d) { d.y[0] = -1; },
      [](Dataset& d) { std::swap(d.y[0], d.y[2]); },
      [](Dataset& d) { d.input_names[0] = "A"; },
      [](Dataset& d) { std::swap(d.input_names[0], d.input_names[1]); },
      [](Dataset& d) {
        d.input_names = {"ab", ""};
      },
      [](Dataset& d) { d.target_name = "z"; },
      [](Dataset& d) { std::swap(d.rows, d.inputs); },
  };
  for (std::size_t k = 0; k < std::size(changes); ++k) {
    Dataset data = small();
    changes[k](data);
    EXPECT_NE(hash_dataset(data), original) << k;
  }
}

}  // namespace
}  // namespace lacuna::testing
