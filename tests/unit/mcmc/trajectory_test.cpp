// Scales of trajectories: what they follow, and above all what they must not look at.
#include "mcmc/trajectory.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "unit/mcmc/random_target.hpp"

namespace lacuna {
namespace {

using testing::RandomTarget;

LiveNetwork live(const Architecture& shape, const SparseTheta& theta) {
  LiveNetwork network(shape);
  network.build(theta.index);
  return network;
}

TEST(PathCurvature, IsTheSumOverPathsOfSquaredWeights) {
  const Architecture shape(1, {2});
  // Inputs to units: 0, 1; shifts: 2, 3; units to output: 4, 5; its shift: 6.
  const SparseTheta theta{{0, 1, 2, 4, 6}, {2.0, 3.0, 0.5, 1.5, 0.7}};
  PathCurvature path_curvature;
  const std::vector<double> expected = path_curvature.at(live(shape, theta), theta);
  EXPECT_DOUBLE_EQ(expected[0], 2.0 * 1.5 * 1.5);
  EXPECT_DOUBLE_EQ(expected[1], 0.0);  // its unit does not lead to the output
  EXPECT_DOUBLE_EQ(expected[2], 2.0 * 1.5 * 1.5);
  EXPECT_DOUBLE_EQ(expected[3], 2.0 * (2.0 * 2.0 + 0.5 * 0.5));
  EXPECT_DOUBLE_EQ(expected[4], 2.0);
  // The same again: nothing is left over from the call before.
  EXPECT_EQ(path_curvature.at(live(shape, theta), theta), expected);
}

// This makes a trajectory exact: while the values of a layer move, their scales do not.
TEST(PathCurvature, DoesNotSeeTheValuesOfItsOwnLayer) {
  RandomStream stream({11, 0, 0, 0, Purpose::test});
  for (int repetition = 0; repetition < 300; ++repetition) {
    RandomTarget random(stream);
    SparseTheta theta = random.point.theta;
    PathCurvature path_curvature;
    const std::vector<double> before = path_curvature.at(live(random.shape, theta), theta);
    const LayerBlock block = choose_layer(random.shape, theta, stream);
    ASSERT_LT(block.begin, block.end);
    for (std::size_t k = block.begin; k < block.end; ++k)
      theta.value[k] = stream.uniform(-2.0, 2.0);
    const std::vector<double>& after = path_curvature.at(live(random.shape, theta), theta);
    for (std::size_t k = block.begin; k < block.end; ++k)
      EXPECT_TRUE(testing::same_bits(after[k], before[k]));
  }
}

TEST(PathCurvature, IsZeroOnlyWhereCurvatureIs) {
  RandomStream stream({12, 0, 0, 0, Purpose::test});
  for (int repetition = 0; repetition < 300; ++repetition) {
    RandomTarget random(stream);
    PathCurvature path_curvature;
    const std::vector<double>& expected =
        path_curvature.at(live(random.shape, random.point.theta), random.point.theta);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      if (expected[k] == 0.0) {
        EXPECT_EQ(random.point.evaluation.curvature[k], 0.0);
      }
    }
  }
}

TEST(PathCurvature, FollowsCurvatureWhenAUnitIsRescaled) {
  const Architecture shape(1, {2});
  const std::vector<double> x = {-1.0, 0.2, 0.5, 1.5}, y = {0.1, -0.2, 0.3, 0.4};
  EmpiricalRisk risk(std::make_shared<const Samples>(4, 1, x, y), shape, 100.0);
  const double t = 3.0;
  const SparseTheta theta{{0, 1, 2, 4, 5}, {1.0, -0.7, 0.5, 1.5, 0.4}};
  const SparseTheta rescaled{{0, 1, 2, 4, 5}, {1.0 * t, -0.7, 0.5 * t, 1.5 / t, 0.4}};
  PathCurvature path_curvature;
  Evaluation at;
  const auto ratios = [&](const SparseTheta& point) {
    risk.evaluate(point, {.gradient = true, .curvature = true}, at);
    std::vector<double> ratio = path_curvature.at(live(shape, point), point);
    for (std::size_t k = 0; k < ratio.size(); ++k) ratio[k] = at.curvature[k] / ratio[k];
    return ratio;
  };
  const std::vector<double> before = ratios(theta), after = ratios(rescaled);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_NEAR(after[k], before[k], 1e-12);
}

TEST(ChooseLayer, TakesEveryLayerThatHasActiveWeights) {
  const Architecture shape(2, {2, 3});
  const SparseTheta theta{{0, shape.first_index(3)}, {1.0, 1.0}};
  std::set<std::size_t> begins;
  for (std::uint32_t k = 0; k < 50; ++k) {
    RandomStream stream({13, k, 0, 0, Purpose::test});
    const LayerBlock block = choose_layer(shape, theta, stream);
    EXPECT_EQ(block.end, block.begin + 1);
    begins.insert(block.begin);
  }
  EXPECT_EQ(begins, (std::set<std::size_t>{0, 1}));
}

TEST(Trajectory, MovesOneLayerAndKeepsThePointUpToDate) {
  RandomStream stream({14, 0, 0, 0, Purpose::test});
  TrajectoryScratch scratch;
  int accepted = 0;
  for (int repetition = 0; repetition < 200; ++repetition) {
    RandomTarget random(stream);
    const SparseTheta before = random.point.theta;
    const TrajectoryKernel kernel{nullptr, 0.1, 3};
    const StepOutcome outcome = step(kernel, random.target(), random.point, scratch, stream);
    EXPECT_EQ(random.point.theta.index, before.index);
    EXPECT_TRUE(testing::up_to_date(random, random.point));
    std::set<std::size_t> moved;
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (random.point.theta.value[k] != before.value[k])
        moved.insert(random.shape.place(before.index[k]).layer);
    }
    EXPECT_EQ(moved.size(), outcome.verdict == Verdict::accepted ? 1u : 0u);
    accepted += outcome.verdict == Verdict::accepted;
  }
  EXPECT_GT(accepted, 50);
}

}  // namespace
}  // namespace lacuna
