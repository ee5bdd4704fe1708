// Draws from the prior have its law: geometric sizes, uniform sets, uniform values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "posterior/prior.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::kFalseAlarm;

TEST(PriorDraw, SizesAreTruncatedGeometric) {
  RandomStream stream = testing::test_stream(200);
  for (const auto& [total, base] : {std::pair<std::uint64_t, double>{1, 2.0},
                                    {4, 2.0},
                                    {6, 1.1},
                                    {40, 1.05},
                                    {1000, 2.0},
                                    {1'000'000'000'000, 1.5}}) {
    const Prior prior(PriorKind::sparse, total, base, 1.0);
    std::vector<std::uint64_t> counts(std::min<std::uint64_t>(total, 200) + 1);
    std::vector<double> masses(counts.size());
    for (std::size_t k = 1; k < masses.size(); ++k) masses[k] = std::exp(prior.log_mass_of_size(k));
    for (int i = 0; i < 20000; ++i) ++counts.at(prior.draw(stream).size());
    EXPECT_EQ(counts[0], 0u);
    EXPECT_GT(testing::chi_square_p_value(counts, masses), kFalseAlarm)
        << "P " << total << ", a " << base;
  }
}

TEST(PriorDraw, SetsOfOneSizeAreEquallyLikely) {
  RandomStream stream = testing::test_stream(201);
  const std::uint64_t total = 6;
  const Prior prior(PriorKind::sparse, total, 1.5, 1.0);
  std::vector<std::uint64_t> counts(64);
  std::vector<double> probabilities(64);
  for (unsigned set = 1; set < 64; ++set) {
    const auto size = static_cast<std::uint64_t>(std::popcount(set));
    probabilities[set] =
        std::exp(prior.log_density_of_size(size) + static_cast<double>(size) * std::log(2.0));
  }
  for (int i = 0; i < 200000; ++i) {
    unsigned set = 0;
    for (const std::uint64_t index : prior.draw(stream).index) set |= 1u << index;
    ++counts[set];
  }
  EXPECT_GT(testing::chi_square_p_value(counts, probabilities), kFalseAlarm);
}

TEST(PriorDraw, ValuesAreUniformOnTheBoxAtEveryPosition) {
  RandomStream stream = testing::test_stream(202);
  const Prior prior(PriorKind::sparse, 30, 1.2, 3.0);
  std::vector<double> all, first, last;
  for (int i = 0; i < 20000; ++i) {
    const SparseTheta theta = prior.draw(stream);
    first.push_back(theta.value.front());
    last.push_back(theta.value.back());
    all.insert(all.end(), theta.value.begin(), theta.value.end());
  }
  for (const double v : all) {
    ASSERT_LE(std::abs(v), 3.0);
    ASSERT_NE(v, 0.0);
  }
  const auto cdf = [](double v) { return (v + 3.0) / 6.0; };
  EXPECT_GT(testing::kolmogorov_p_value(all, cdf), kFalseAlarm);
  EXPECT_GT(testing::kolmogorov_p_value(first, cdf), kFalseAlarm);
  EXPECT_GT(testing::kolmogorov_p_value(last, cdf), kFalseAlarm);
}

TEST(PriorDraw, HugeNetworks) {
  RandomStream stream = testing::test_stream(203);
  const std::uint64_t total = 1'000'000'000'000'000;
  const Prior prior(PriorKind::sparse, total, 1.1, 2.0);
  std::vector<double> positions;
  for (int i = 0; i < 5000; ++i) {
    const SparseTheta theta = prior.draw(stream);
    ASSERT_EQ(theta.index.size(), theta.value.size());
    ASSERT_TRUE(std::ranges::is_sorted(theta.index, std::ranges::less_equal{}) ||
                theta.size() == 1);
    ASSERT_TRUE(std::ranges::adjacent_find(theta.index) == theta.index.end());
    ASSERT_LT(theta.index.back(), total);
    ASSERT_TRUE(std::isfinite(prior.log_density(theta)));
    for (const std::uint64_t index : theta.index) positions.push_back(static_cast<double>(index));
  }
  EXPECT_GT(testing::kolmogorov_p_value(positions,
                                        [&](double i) { return i / static_cast<double>(total); }),
            kFalseAlarm);
}

TEST(PriorDraw, DenseDrawsHaveEveryCoordinate) {
  RandomStream stream = testing::test_stream(204);
  const Prior prior(PriorKind::dense, 50, 2.0, 1.5);
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) {
    const SparseTheta theta = prior.draw(stream);
    ASSERT_EQ(theta.size(), 50u);
    for (std::uint64_t k = 0; k < 50; ++k) ASSERT_EQ(theta.index[k], k);
    values.insert(values.end(), theta.value.begin(), theta.value.end());
  }
  EXPECT_GT(testing::kolmogorov_p_value(values, [](double v) { return (v + 1.5) / 3.0; }),
            kFalseAlarm);
}

TEST(PriorDraw, TheSameStreamGivesTheSameDraw) {
  const Prior prior(PriorKind::sparse, 1000, 1.1, 2.0);
  RandomStream a = testing::test_stream(205), b = testing::test_stream(205);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(prior.draw(a), prior.draw(b));
}

}  // namespace
}  // namespace lacuna
