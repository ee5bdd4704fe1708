// Equal rows are joined, and neither their order nor how they are written matters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/random.hpp"
#include "unit/data/files.hpp"

namespace lacuna::testing {
namespace {

Dataset with_rows(const std::vector<std::vector<double>>& rows, std::vector<double> weight = {}) {
  Dataset data;
  data.rows = rows.size();
  data.inputs = rows.front().size() - 1;
  for (std::size_t j = 0; j < data.inputs; ++j) {
    data.input_names.push_back("x" + std::to_string(j + 1));
    for (const auto& row : rows) data.x.push_back(row[j]);
  }
  for (const auto& row : rows) data.y.push_back(row.back());
  data.target_name = "y";
  data.weight = std::move(weight);
  return data;
}

TEST(DistinctRows, JoinCopiesAndAddTheirWeights) {
  const auto [data, origin] = distinct_rows(with_rows({{1, 5}, {2, 5}, {1, 5}, {1, 6}, {1, 5}}));
  ASSERT_EQ(data.rows, 3u);
  EXPECT_EQ(data.inputs, 1u);
  EXPECT_EQ(total_weight(data), 5.0);
  std::map<std::pair<double, double>, double> weight;
  for (std::size_t i = 0; i < 3; ++i) weight[{data.x[i], data.y[i]}] = data.weight[i];
  EXPECT_EQ((weight[{1, 5}]), 3.0);
  EXPECT_EQ((weight[{2, 5}]), 1.0);
  EXPECT_EQ((weight[{1, 6}]), 1.0);
  std::vector<std::size_t> first = origin;
  std::ranges::sort(first);
  EXPECT_EQ(first, (std::vector<std::size_t>{0, 1, 3}));
}

TEST(DistinctRows, AreTheSameForCopiesAndForWeightsInAnyOrder) {
  RandomStream stream({7, 0, 0, 0, Purpose::test});
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::vector<double>> rows, copies;
    std::vector<double> weights;
    for (int i = 0; i < 30; ++i) {
      rows.push_back({stream.normal(), static_cast<double>(stream.below(3)), stream.normal()});
      const std::size_t times = stream.below(4);
      weights.push_back(static_cast<double>(times));
      copies.insert(copies.end(), times, rows.back());
    }
    for (std::size_t i = copies.size(); i > 1; --i)
      std::swap(copies[i - 1], copies[stream.below(i)]);
    const Dataset a = distinct_rows(with_rows(rows, weights)).data;
    const Dataset b = distinct_rows(with_rows(copies)).data;
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.y, b.y);
    EXPECT_EQ(a.weight, b.weight);
    const Scaling s = standardisation(a), t = standardisation(b);
    EXPECT_EQ(s.input_shift, t.input_shift);
    EXPECT_EQ(s.target_scale, t.target_scale);
  }
}

TEST(DistinctRows, OfBrokenWeightsAddUpTheSameInAnyOrder) {
  const std::vector<std::vector<double>> equal(3, {1.0, 2.0});
  const double forward = distinct_rows(with_rows(equal, {0.1, 0.7, 1e-17})).data.weight.front();
  EXPECT_EQ(distinct_rows(with_rows(equal, {1e-17, 0.7, 0.1})).data.weight.front(), forward);
  EXPECT_EQ(distinct_rows(with_rows(equal, {0.7, 1e-17, 0.1})).data.weight.front(), forward);
}

TEST(DistinctRows, TakeMinusZeroForZero) {
  EXPECT_EQ(distinct_rows(with_rows({{0.0, 1}, {-0.0, 1}})).data.rows, 1u);
}

TEST(DistinctRows, ScaleByWeight) {
  const Scaling scaling = standardisation(with_rows({{0, 1}, {4, 3}}, {3, 1}));
  EXPECT_DOUBLE_EQ(scaling.input_shift[0], 1.0);
  EXPECT_DOUBLE_EQ(scaling.input_scale[0], std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(scaling.target_shift, 1.5);
}

TEST(RowWeights, ThatMakeNoSenseAreNamed) {
  const auto trouble = [](std::vector<double> weight) {
    return error_of([&] { check_dataset(with_rows({{1, 2}, {3, 4}}, std::move(weight))); });
  };
  EXPECT_EQ(trouble({1, -2}), "65 weight -2 (row 2): must be a number and not negative");
  EXPECT_EQ(trouble({std::nan(""), 1}), "65 weight nan (row 1): must be a number and not negative");
  EXPECT_EQ(trouble({0, 0}), "65 all weights are zero; at least one row has to count");
  EXPECT_EQ(trouble({1e308, 1e308}), "65 the weights overflow when added; rescale them");
  EXPECT_EQ(trouble({1}), "65 1 weight, expected 2");
  EXPECT_EQ(trouble({0, 2}), "no error");
}

TEST(RowWeights, ThatAreSharesOfOneBringAWarning) {
  const auto told = check_dataset(with_rows({{1, 2}, {3, 4}}, {0.05, 0.05}));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(
      told[0],
      "the weights of 2 rows sum to 0.1; a weight counts copies of its row, so the fit trusts "
      "the data like 0.1 rows; multiply the weights if they are shares");
  EXPECT_TRUE(check_dataset(with_rows({{1, 2}, {3, 4}}, {0.5, 0.5})).empty());
}

TEST(RowWeights, AreOfTheData) {
  const Dataset plain = with_rows({{1, 2}, {3, 4}});
  EXPECT_NE(hash_dataset(plain), hash_dataset(with_rows({{1, 2}, {3, 4}}, {1, 1})));
  EXPECT_NE(hash_dataset(with_rows({{1, 2}, {3, 4}}, {2, 1})),
            hash_dataset(with_rows({{1, 2}, {3, 4}}, {1, 1})));
}

class WeightColumn : public InFolder {};

TEST_F(WeightColumn, IsNeitherInputNorTarget) {
  write_file("d.csv", "a,w,y,b\n1,2,3,4\n5,6,7,8\n");
  const Dataset data = read_dataset("d.csv", "y", {}, MissingValues::error, "w");
  EXPECT_EQ(data.input_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.weight, (std::vector<double>{2, 6}));
  EXPECT_EQ(data.weight_name, "w");
  EXPECT_EQ(data.y, (std::vector<double>{3, 7}));
  EXPECT_EQ(error_of([] { read_dataset("d.csv", "y", {}, MissingValues::error, "y"); }),
            "64 column 'y' cannot hold both target and weights");
  EXPECT_EQ(error_of([] { read_dataset("d.csv", "y", {}, MissingValues::error, "v"); }),
            "65 d.csv: no column 'v'; columns: a, w, y, b");
}

}  // namespace
}  // namespace lacuna::testing
