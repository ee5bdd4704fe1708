// Dead weights move, f and what is live do not.
#include "mcmc/dead_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/mcmc/random_target.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

SparseTheta live_part(const LiveNetwork& network, const SparseTheta& theta) {
  SparseTheta live;
  for (std::size_t k = 0; k < theta.size(); ++k) {
    if (network.slot_is_live(k)) live.insert(theta.index[k], theta.value[k]);
  }
  return live;
}

// pi(k + 1) / pi(k) = (k + 1) / (a (P - k) 2B): what is left is (k + 1) / (a D').
TEST(DeadWeights, RatioOfABirth) {
  const Prior prior(PriorKind::sparse, 1000, 3.0, 2.5);
  for (const std::uint64_t size : {1, 2, 57, 998}) {
    for (const std::uint64_t dead : {0, 1, 40}) {
      EXPECT_NEAR(log_dead_birth_ratio(prior, size, dead),
                  std::log(static_cast<double>(size + 1) / (3.0 * static_cast<double>(dead + 1))),
                  1e-11);
    }
  }
  // The prior has no mass at zero active weights, so the last weight never dies.
  EXPECT_EQ(log_dead_birth_ratio(prior, 0, 0), HUGE_VAL);
}

TEST(DeadWeights, AStepLeavesWhatIsLiveAndTheEvaluationRight) {
  RandomStream stream = testing::test_stream(241);
  int changed = 0, kept_inactive = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    testing::RandomTarget random(stream);
    Point& point = random.point;
    if (stream.uniform() < 0.5) require(random.target(), point, {true, true, true});
    const SparseTheta before = live_part(random.risk.live_network(point.theta), point.theta);
    const std::uint64_t evaluations = random.risk.evaluations();
    DeadWeightsScratch scratch;
    const StepOutcome outcome = step(DeadWeightsKernel{}, random.target(), point, scratch, stream);
    EXPECT_EQ(outcome.move, Move::dead);
    changed += outcome.verdict == Verdict::accepted;
    EXPECT_EQ(random.risk.evaluations(), evaluations);
    EXPECT_EQ(live_part(random.risk.live_network(point.theta), point.theta), before);
    EXPECT_TRUE(random.prior.inside_box(point.theta));
    EXPECT_TRUE(testing::up_to_date(random, point));
    kept_inactive += point.evaluation.have.inactive;
  }
  EXPECT_GT(changed, 500);
  EXPECT_GT(kept_inactive, 20);
}

TEST(DeadWeights, AllDeadValuesAreRedrawn) {
  RandomStream stream = testing::test_stream(242);
  const Architecture shape(2, {3});
  // A live path through unit 0, and two weights into units that lead nowhere.
  const SparseTheta start{{0, 2, 5, 9}, {0.5, 0.6, 0.7, 0.8}};
  const std::vector<double> x = {0.1, -0.4, 0.9, 0.3, 0.2, -1.0}, y = {0.2, 0.4, -0.3};
  EmpiricalRisk risk(std::make_shared<const Samples>(3, 2, x, y), shape, 2.0);
  const Prior prior(PriorKind::sparse, shape.parameter_count(), 2.0, 2.0);
  const GibbsPosterior<EmpiricalRisk> target{prior, risk, 3.0};
  Point point;
  point.theta = start;
  arrive(target, point, death_request);
  DeadWeightsScratch scratch;
  step(DeadWeightsKernel{0}, target, point, scratch, stream);
  EXPECT_EQ(point.theta.index, start.index);
  EXPECT_EQ(point.theta.value[0], 0.5);
  EXPECT_NE(point.theta.value[1], 0.6);
  EXPECT_NE(point.theta.value[2], 0.7);
  EXPECT_EQ(point.theta.value[3], 0.8);
}

}  // namespace
}  // namespace lacuna
