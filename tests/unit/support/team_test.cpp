// Teams: every member does its part, call after call, and results are there when a call returns.
#include "support/team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

namespace lacuna {
namespace {

TEST(Team, EveryMemberWorksOnceInEveryCall) {
  for (const std::size_t threads : {1u, 2u, 5u}) {
    Team team(threads);
    ASSERT_EQ(team.size(), threads);
    std::vector<std::uint64_t> calls(threads), sums(threads);
    for (std::uint64_t round = 1; round <= 2000; ++round) {
      team.run([&](std::size_t member) {
        ++calls[member];
        sums[member] += round * (member + 1);
      });
      // What members wrote is seen here without further ado.
      for (std::size_t m = 0; m < threads; ++m) ASSERT_EQ(calls[m], round);
    }
    for (std::size_t m = 0; m < threads; ++m) EXPECT_EQ(sums[m], 2001000u * (m + 1));
  }
}

TEST(Team, WakesUpAfterALongRest) {
  Team team(3);
  std::vector<int> calls(3);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    team.run([&](std::size_t member) {
      if (member == 1) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ++calls[member];
    });
    EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), 0), 3 * (round + 1));
  }
}

TEST(Team, MayNeverBeUsed) { Team team(4); }

}  // namespace
}  // namespace lacuna
