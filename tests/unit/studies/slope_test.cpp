// Slopes and means of measurements, against values computed by hand or with R.
#include "studies/slope.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lacuna::studies {
namespace {

TEST(FittedSlope, OfALineIsExactAndCertain) {
  const std::vector<double> x = {1, 2, 3, 4}, y = {5, 3, 1, -1};
  const Slope line = fitted_slope(x, y);
  EXPECT_NEAR(line.slope, -2.0, 1e-12);
  EXPECT_NEAR(line.intercept, 7.0, 1e-12);
  EXPECT_NEAR(line.upper - line.lower, 0.0, 1e-9);
}

// x = 1..5, y = 1, 3, 2, 5, 4: slope 0.8, residual sum of squares 3.6, so that its standard error
// is sqrt(3.6 / 3 / 10) and the interval has 3.1824 of those on either side.
TEST(FittedSlope, HasStudentsInterval) {
  const std::vector<double> x = {1, 2, 3, 4, 5}, y = {1, 3, 2, 5, 4};
  const Slope line = fitted_slope(x, y);
  EXPECT_NEAR(line.slope, 0.8, 1e-12);
  EXPECT_NEAR(line.upper - line.slope, 3.1824 * std::sqrt(0.12), 1e-10);
  EXPECT_NEAR(line.slope - line.lower, line.upper - line.slope, 1e-12);
}

TEST(Means, ByHand) {
  const std::vector<double> values = {1.0, 10.0, 100.0}, one = {7.0}, none;
  const Centre geometric = geometric_mean(values);
  EXPECT_NEAR(geometric.value, 10.0, 1e-12);
  EXPECT_NEAR(std::log(geometric.upper / 10.0), 4.3027 * std::log(10.0) / std::sqrt(3.0), 1e-10);
  EXPECT_NEAR(arithmetic_mean(values).value, 37.0, 1e-12);
  EXPECT_EQ(arithmetic_mean(one).lower, 7.0);
  EXPECT_TRUE(std::isnan(arithmetic_mean(none).value));
}

// Student's 97.5% points: 2.1314 at 15 degrees of freedom, 2.0003 at 60.
TEST(Means, IntervalsOfManyValuesApproachTheNormal) {
  for (const auto& [count, point] : {std::pair{16, 2.1314}, std::pair{61, 2.0003}}) {
    std::vector<double> values;
    for (int k = 0; k < count; ++k) values.push_back(k % 2 == 0 ? 1.0 : -1.0);
    double mean = 0.0, squares = 0.0;
    for (const double v : values) mean += v / count;
    for (const double v : values) squares += (v - mean) * (v - mean);
    const double error = std::sqrt(squares / (count - 1) / count);
    const Centre centre = arithmetic_mean(values);
    EXPECT_NEAR((centre.upper - centre.value) / error, point, 1e-3) << count;
  }
}

}  // namespace
}  // namespace lacuna::studies
