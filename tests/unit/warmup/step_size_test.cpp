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
    StepSizeTuner tuner(first);
    RandomStream stream({1, 0, 0, 0, Purpose::test});
    for (int t = 0; t < 20'000; ++t) {
      // A noisy log ratio whose acceptance probability has the right mean: 1 or almost 0.
      const bool good = stream.uniform() < std::exp(-tuner.proposal_sd());
      tuner.learn(kept(good ? 0.5 : -50.0));
    }
    EXPECT_NEAR(tuner.proposal_sd(), -std::log(0.574), 0.08) << first;
  }
}

TEST(StepSizeTuner, LearnsFromStepsThatKeepTheSetOnly) {
  StepSizeTuner tuner(0.3);
  for (const Move move : {Move::add, Move::remove}) tuner.learn({move, Verdict::rejected, -99.0});
  EXPECT_DOUBLE_EQ(tuner.proposal_sd(), 0.3);
  tuner.learn(kept(-99.0));
  EXPECT_LT(tuner.proposal_sd(), 0.3);
}

TEST(StepSizeTuner, CountsOverflowAsRejection) {
  StepSizeTuner invalid(0.3), rejected(0.3);
  invalid.learn(kept(std::numeric_limits<double>::quiet_NaN()));
  rejected.learn(kept(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(invalid.proposal_sd(), rejected.proposal_sd());
}

TEST(StepSizeTuner, StaysBetweenItsLimits) {
  StepSizeTuner growing(0.1, 3.0), shrinking(0.1, 3.0);
  for (int t = 0; t < 100'000; ++t) {
    growing.learn(kept(1.0));
    shrinking.learn(kept(-1000.0));
  }
  EXPECT_NEAR(growing.proposal_sd(), 3.0, 1e-12);
  EXPECT_NEAR(shrinking.proposal_sd(), std::exp(-30.0), 1e-20);
}

}  // namespace
}  // namespace lacuna
