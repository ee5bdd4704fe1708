// The one accept/reject: its frequency, and what infinite and undefined ratios do.
#include "mcmc/accept.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(AcceptOrReject, InfiniteAndUndefinedRatios) {
  RandomStream stream = testing::test_stream(300);
  for (int i = 0; i < 10000; ++i) {
    ASSERT_EQ(accept_or_reject(kInfinity, stream), Verdict::accepted);
    ASSERT_EQ(accept_or_reject(0.0, stream), Verdict::accepted);
    ASSERT_EQ(accept_or_reject(1e-300, stream), Verdict::accepted);
    ASSERT_EQ(accept_or_reject(-kInfinity, stream), Verdict::rejected);
    ASSERT_EQ(accept_or_reject(-1000.0, stream), Verdict::rejected);
    ASSERT_EQ(accept_or_reject(std::numeric_limits<double>::quiet_NaN(), stream), Verdict::invalid);
  }
}

TEST(AcceptOrReject, AcceptsAsOftenAsTheRatioSays) {
  RandomStream stream = testing::test_stream(301);
  for (const double ratio : {0.01, 0.3, 0.5, 0.9, 0.999}) {
    std::vector<std::uint64_t> counts(2);
    for (int i = 0; i < 100000; ++i) {
      ++counts[accept_or_reject(std::log(ratio), stream) == Verdict::accepted];
    }
    const std::vector<double> probabilities = {1.0 - ratio, ratio};
    EXPECT_GT(testing::chi_square_p_value(counts, probabilities), testing::kFalseAlarm)
        << "ratio " << ratio;
  }
}

TEST(AcceptOrReject, EveryVerdictUsesOneNumberOfTheStream) {
  for (const double log_ratio :
       {kInfinity, -kInfinity, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    RandomStream used = testing::test_stream(302), skipped = testing::test_stream(302);
    accept_or_reject(log_ratio, used);
    skipped.uniform();
    EXPECT_EQ(used.bits(), skipped.bits());
  }
}

}  // namespace
}  // namespace lacuna
