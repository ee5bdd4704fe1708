// Rows are padded to whole vectors with rows of weight zero.
#include "network/samples.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

TEST(Samples, ColumnsArePaddedWithZeroRowsOfWeightZero) {
  for (const std::size_t rows : {1, 7, 8, 9, 16, 127, 128, 129}) {
    std::vector<double> x(2 * rows), y(rows);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i + 1);
    for (std::size_t i = 0; i < rows; ++i) y[i] = -static_cast<double>(i + 1);
    const Samples samples(rows, 2, x, y);

    EXPECT_EQ(samples.rows(), rows);
    EXPECT_EQ(samples.inputs(), 2u);
    EXPECT_EQ(samples.padded_rows() % row_unit, 0u);
    EXPECT_LT(samples.padded_rows() - rows, row_unit);
    EXPECT_EQ(samples.all().begin, 0u);
    EXPECT_EQ(samples.all().end, rows);
    for (std::size_t i = 0; i < samples.padded_rows(); ++i) {
      const bool real = i < rows;
      EXPECT_EQ(samples.column(0)[i], real ? x[i] : 0.0);
      EXPECT_EQ(samples.column(1)[i], real ? x[rows + i] : 0.0);
      EXPECT_EQ(samples.target()[i], real ? y[i] : 0.0);
      EXPECT_EQ(samples.weight_as<double>()[i], real ? 1.0 : 0.0);
    }
  }
}

TEST(Samples, TargetsMayBeLeftOut) {
  const std::vector<double> x = {1.0, 2.0, 3.0};
  const Samples samples(3, 1, x, {});
  for (std::size_t i = 0; i < samples.padded_rows(); ++i) EXPECT_EQ(samples.target()[i], 0.0);
}

TEST(Samples, SomeInputsKeepRowsTargetsAndWeights) {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8, 9}, y = {-1, -2, -3}, w = {1, 2, 0.5};
  const Samples all(3, 3, x, y, Precision::single, w);
  const std::vector<std::size_t> chosen = {0, 2};
  const Samples some = all.with_inputs(chosen);
  EXPECT_EQ(some.inputs(), 2u);
  EXPECT_EQ(some.rows(), 3u);
  EXPECT_EQ(some.precision(), Precision::single);
  EXPECT_EQ(some.total_weight(), all.total_weight());
  for (std::size_t i = 0; i < some.padded_rows(); ++i) {
    EXPECT_EQ(some.column_as<float>(0)[i], all.column_as<float>(0)[i]);
    EXPECT_EQ(some.column_as<float>(1)[i], all.column_as<float>(2)[i]);
    EXPECT_EQ(some.target()[i], all.target()[i]);
    EXPECT_EQ(some.root_weight_as<float>()[i], all.root_weight_as<float>()[i]);
  }
}

TEST(Samples, AFewRowsAreEvenlySpacedAndAllOfThemAreTheSameObject) {
  std::vector<double> x(20), y(10);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = -static_cast<double>(i);
  const auto samples = std::make_shared<const Samples>(10, 2, x, y);
  EXPECT_EQ(evenly_spaced(samples, 10), samples);
  const auto few = evenly_spaced(samples, 4);
  ASSERT_EQ(few->rows(), 4u);
  const std::size_t expected[] = {0, 2, 5, 7};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(few->column(0)[k], x[expected[k]]);
    EXPECT_EQ(few->column(1)[k], x[10 + expected[k]]);
    EXPECT_EQ(few->target()[k], y[expected[k]]);
  }
}

}  // namespace
}  // namespace lacuna
