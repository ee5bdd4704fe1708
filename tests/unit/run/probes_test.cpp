// Which training rows become probe points.
#include "run/probes.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

// Targets 0 .. rows - 1 in an order that visits every row once (7 and the number of rows must have
// no common divisor); two inputs that name their row.
Dataset stirred(std::size_t rows) {
  Dataset data;
  data.rows = rows;
  data.inputs = 2;
  data.x.resize(2 * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    data.y.push_back(static_cast<double>(7 * i % rows));
    data.x[i] = static_cast<double>(i);
    data.x[rows + i] = -static_cast<double>(i);
  }
  return data;
}

TEST(ProbePoints, LieAtEqualStepsInTheOrderOfTheTarget) {
  const Dataset data = stirred(80);
  const ProbePoints probes = probe_points(data);
  ASSERT_EQ(probes.rows.size(), 8u);
  ASSERT_EQ(probes.x.size(), 16u);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(data.y[probes.rows[k]], 10.0 * static_cast<double>(k) + 5.0);
    EXPECT_EQ(probes.x[k], static_cast<double>(probes.rows[k]));
    EXPECT_EQ(probes.x[8 + k], -static_cast<double>(probes.rows[k]));
  }
}

TEST(ProbePoints, AreAllRowsOfFew) {
  const Dataset data = stirred(5);
  const ProbePoints probes = probe_points(data);
  ASSERT_EQ(probes.rows.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(data.y[probes.rows[k]], static_cast<double>(k));
}

TEST(ProbePoints, SpreadOverTheRowsOfAConstantTarget) {
  Dataset data = stirred(16);
  data.y.assign(16, 3.0);
  EXPECT_EQ(probe_points(data).rows, (std::vector<std::size_t>{1, 3, 5, 7, 9, 11, 13, 15}));
}

}  // namespace
}  // namespace lacuna
