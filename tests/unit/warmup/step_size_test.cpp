// The tuner of step sizes on an acceptance curve whose answer is known.
#include "warmup/step_size.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/random.hpp"

namespace lacuna {
namespace {

StepOutcome kept(double log_ratio) { return {Move::keep, Verdict::rejected, log_ratio}; }

// Acceptance exp(-s): the target 0.574 is met at s = 0.555, from either side. The last gain leaves
// a standard deviation of about 0.017.
TEST(StepSizeTuner, ReachesItsTarget) {
  for (const double first : {1e-4, 0.1, 5.0}) {
    StepSizeTuner tuner(Move::keep, 0.574, first, 10.0);
    RandomStream stream({1, 0, 0, 0, Purpose::test});
    for (int t = 0; t < 20'000; ++t) {
      // A noisy log ratio whose acceptance probability has the right mean: 1 or almost 0.
      const bool good = stream.uniform() < std::exp(-tuner.size());
      tuner.learn(kept(good ? 0.5 : -50.0));
    }
    EXPECT_NEAR(tuner.size(), -std::log(0.574), 0.08) << first;
  }
}

TEST(StepSizeTuner, LearnsFromItsOwnMoveOnly) {
  StepSizeTuner tuner(Move::keep, 0.574, 0.3, 10.0);
  for (const Move move : {Move::add, Move::remove}) tuner.learn({move, Verdict::rejected, -99.0});
  EXPECT_DOUBLE_EQ(tuner.size(), 0.3);
  tuner.learn(kept(-99.0));
  EXPECT_LT(tuner.size(), 0.3);
}

TEST(StepSizeTuner, CountsOverflowAsRejection) {
  StepSizeTuner invalid(Move::keep, 0.574, 0.3, 10.0), rejected = invalid;
  invalid.learn(kept(std::numeric_limits<double>::quiet_NaN()));
  rejected.learn(kept(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(invalid.size(), rejected.size());
}

TEST(StepSizeTuner, StaysBetweenItsLimits) {
  StepSizeTuner growing(Move::keep, 0.574, 0.1, 3.0), shrinking = growing;
  for (int t = 0; t < 100'000; ++t) {
    growing.learn(kept(1.0));
    shrinking.learn(kept(-1000.0));
  }
  EXPECT_NEAR(growing.size(), 3.0, 1e-12);
  EXPECT_NEAR(shrinking.size(), std::exp(-30.0), 1e-20);
}

}  // namespace
}  // namespace lacuna
