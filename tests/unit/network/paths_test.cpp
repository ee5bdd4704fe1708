// Paths of random networks against reachability by brute force.
#include "network/paths.hpp"

#include <gtest/gtest.h>

#include "unit/network/brute_force.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::BruteForce;

TEST(Paths, AgreeWithBruteForceOnRandomNetworks) {
  RandomStream stream = testing::test_stream(231);
  for (int trial = 0; trial < 3000; ++trial) {
    const Architecture shape = testing::random_architecture(stream);
    const SparseTheta theta = testing::random_theta(shape, testing::random_density(stream), stream);
    const BruteForce truth(shape, theta);
    Paths paths(shape);
    // What was built before must not matter.
    paths.build(testing::random_theta(shape, 0.5, stream).index);
    paths.build(theta.index);
    for (std::uint64_t i = 0; i < shape.parameter_count(); ++i) {
      SparseTheta with = theta;
      if (!theta.contains(i)) with.insert(i, 1.0);
      EXPECT_EQ(paths.is_live(i), BruteForce(shape, with).slot_live[with.position(i)]) << i;
    }
    for (std::size_t l = 1; l < shape.layers(); ++l) {
      std::vector<std::uint64_t> vacant, listed;
      for (std::uint64_t u = 0; u < shape.size(l); ++u) {
        if (!truth.reached[l][u] && !truth.leads[l][u]) vacant.push_back(u);
      }
      for (std::uint64_t k = 0; k < paths.vacant_units(l); ++k)
        listed.push_back(paths.vacant_unit(l, k));
      EXPECT_EQ(listed, vacant);
    }
  }
}

TEST(Paths, AreCheapInAHugeNetwork) {
  const Architecture shape(1000, {1000000, 1000000});
  Paths paths(shape);
  const std::vector<std::uint64_t> active = {shape.weight_index(1, 7, 3),
                                             shape.weight_index(2, 999999, 7),
                                             shape.weight_index(3, 0, 999999)};
  paths.build(active);
  EXPECT_EQ(paths.vacant_units(1), 999999u);
  EXPECT_EQ(paths.vacant_unit(1, 6), 6u);
  EXPECT_EQ(paths.vacant_unit(1, 7), 8u);
  EXPECT_EQ(paths.vacant_unit(2, 999998), 999998u);
  for (const std::uint64_t i : active) EXPECT_TRUE(paths.is_live(i));
  EXPECT_FALSE(paths.is_live(shape.shift_index(2, 5)));
}

}  // namespace
}  // namespace lacuna
