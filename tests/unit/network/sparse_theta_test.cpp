// A sparse point keeps its indices increasing whatever is put in or taken out.
#include "network/sparse_theta.hpp"

#include <gtest/gtest.h>

#include <map>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

TEST(SparseTheta, PositionsAndMembership) {
  const SparseTheta theta{{2, 5, 9}, {0.1, -0.2, 0.3}};
  EXPECT_EQ(theta.size(), 3u);
  EXPECT_EQ(theta.position(0), 0u);
  EXPECT_EQ(theta.position(5), 1u);
  EXPECT_EQ(theta.position(6), 2u);
  EXPECT_EQ(theta.position(10), 3u);
  EXPECT_TRUE(theta.contains(9));
  EXPECT_FALSE(theta.contains(3));
  EXPECT_FALSE(theta.contains(10));
  EXPECT_FALSE(SparseTheta{}.contains(0));
}

TEST(SparseTheta, AgreesWithAMapUnderRandomChanges) {
  RandomStream stream = testing::test_stream(110);
  SparseTheta theta;
  std::map<std::uint64_t, double> reference;
  for (int change = 0; change < 5000; ++change) {
    const std::uint64_t index = stream.below(60) * 1'000'000'007;
    if (theta.contains(index)) {
      ASSERT_TRUE(reference.contains(index));
      theta.erase_position(theta.position(index));
      reference.erase(index);
    } else {
      const double value = stream.normal();
      theta.insert(index, value);
      reference[index] = value;
    }
    SparseTheta expected;
    for (const auto& [i, v] : reference) {
      expected.index.push_back(i);
      expected.value.push_back(v);
    }
    ASSERT_EQ(theta, expected);
  }
}

TEST(SparseTheta, EqualityLooksAtIndicesAndValues) {
  const SparseTheta theta{{1, 2}, {0.5, 0.5}};
  EXPECT_EQ(theta, (SparseTheta{{1, 2}, {0.5, 0.5}}));
  EXPECT_NE(theta, (SparseTheta{{1, 3}, {0.5, 0.5}}));
  EXPECT_NE(theta, (SparseTheta{{1, 2}, {0.5, 0.25}}));
}

}  // namespace
}  // namespace lacuna
