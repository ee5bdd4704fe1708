// Series of draws put together by hand.
#include "estimation/traces.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

// One hidden unit and two inputs: weights 0 and 1 lead in, 2 is its shift, 3 leads out, 4 shifts.
class TwoInputs : public ::testing::Test {
 protected:
  TwoInputs() {
    info.config.widths = {1};
    info.config.chains = 2;
    info.config.clip = 5.0;
    info.input_names = {"a", "b"};
    info.scaling = identity_scaling(2);
    info.scaling.target_shift = 10.0;
    info.scaling.target_scale = 2.0;
    info.lambda = 3.0;
    info.probes = {{4, 9}, {1.0, -1.0, 0.5, 0.25}};  // (1, 0.5) and (-1, 0.25)
    add(0, {0, 3}, {2.0, 1.5});                      // 3 max(a, 0)
    add(0, {0, 3}, {2.0, 1.5});                      // the same again
    add(0, {1, 3, 4}, {4.0, 1.0, -0.5});             // 4 b - 0.5
    add(1, {0, 1}, {1.0, 1.0});                      // nothing reaches the output
    add(1, {2, 3}, {0.5, 20.0});                     // 10, clipped to 5
  }
  void add(std::size_t chain, std::vector<std::uint64_t> index, std::vector<double> value) {
    const auto number = static_cast<std::uint64_t>(draws.size());
    draws.add({chain, number, -1.0, 0.25 * static_cast<double>(number), index, value});
  }

  FitInfo info;
  DrawStore draws;
};

TEST_F(TwoInputs, GiveTheirSeries) {
  const Traces t = traces_of(info, Architecture(2, {1}), draws);
  EXPECT_EQ(t.risk, (ChainDraws{{0.0, 0.25, 0.5}, {0.75, 1.0}}));
  EXPECT_EQ(t.log_posterior, (ChainDraws{{-1.0, -1.75, -2.5}, {-3.25, -4.0}}));
  EXPECT_EQ(t.active, (ChainDraws{{2, 2, 3}, {2, 2}}));
  EXPECT_EQ(t.live, (ChainDraws{{2, 2, 3}, {0, 2}}));
  EXPECT_EQ(t.dead, (ChainDraws{{0, 0, 0}, {2, 0}}));
  ASSERT_EQ(t.f.size(), 2u);
  EXPECT_EQ(t.f[0], (ChainDraws{{16.0, 16.0, 13.0}, {10.0, 20.0}}));
  EXPECT_EQ(t.f[1], (ChainDraws{{10.0, 10.0, 11.0}, {10.0, 20.0}}));
  EXPECT_EQ(t.changed, (std::vector<std::vector<bool>>{{false, true}, {true}}));
  EXPECT_EQ(t.sizes, (std::map<std::uint64_t, std::uint64_t>{{2, 4}, {3, 1}}));
  EXPECT_EQ(inclusion_series(t, 0), (ChainDraws{{1, 1, 0}, {0, 0}}));
  EXPECT_EQ(inclusion_series(t, 1), (ChainDraws{{0, 0, 1}, {0, 0}}));
}

TEST_F(TwoInputs, DoWithoutProbesAndWithoutDraws) {
  info.probes = {};
  EXPECT_TRUE(traces_of(info, Architecture(2, {1}), draws).f.empty());
  const Traces none = traces_of(info, Architecture(2, {1}), DrawStore());
  EXPECT_EQ(none.risk, (ChainDraws{{}, {}}));
  EXPECT_EQ(inclusion_series(none, 1), (ChainDraws{{}, {}}));
}

}  // namespace
}  // namespace lacuna
