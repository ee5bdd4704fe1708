// What is read from cells against the same from sorted draws.
#include "estimation/draw_sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "estimation/intervals.hpp"
#include "support/random.hpp"

namespace lacuna {
namespace {

// Draws with long tails, some of them equal, as those of a chain that stays where it is.
std::vector<double> draws_of(std::size_t count, std::uint64_t seed, double centre) {
  RandomStream stream({seed, 0, 0, 0, Purpose::test});
  std::vector<double> draws;
  while (draws.size() < count) {
    const double z = stream.normal();
    const double f = centre + z * z * z;
    draws.push_back(!draws.empty() && stream.uniform() < 0.3 ? draws.back() : f);
  }
  return draws;
}

TEST(DrawSketch, QuantilesAreThoseOfSortedDraws) {
  DrawSketch sketch;  // one for all, so that nothing of the draws before may be left
  for (const std::size_t count : {1u, 2u, 3u, 15u, 16u, 17u, 128u, 1000u, 3001u}) {
    for (const double centre : {0.0, -7.0, 1e6}) {
      const std::vector<double> draws = draws_of(count, count, centre);
      std::vector<double> sorted = draws;
      std::ranges::sort(sorted);
      sketch.assign(draws);
      for (const double q : {1e-9, 0.005, 0.05, 0.25, 0.5, 0.61, 0.95, 0.999, 1.0 - 1e-16})
        EXPECT_EQ(sketch.quantile(q), sorted_quantile(sorted, q)) << count << " " << q;
    }
  }
}

TEST(DrawSketch, MomentsAndCountsAreThoseOfTheDraws) {
  for (const std::size_t count : {1u, 7u, 8u, 9u, 1000u, 4003u}) {
    const std::vector<double> draws = draws_of(count, 50 + count, 1e4);
    const auto n = static_cast<double>(count);
    const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / n;
    double variance = 0.0;
    for (const double f : draws) variance += (f - mean) * (f - mean) / n;
    for (const double width : {0.0, 0.02, 1e3}) {
      DrawSketch sketch;
      sketch.assign(draws, width);
      EXPECT_NEAR(sketch.mean(), mean, 1e-9);
      EXPECT_NEAR(sketch.variance(), variance, 1e-9 * (1.0 + variance));
      EXPECT_EQ(sketch.lowest(), std::ranges::min(draws));
      std::vector<std::uint32_t> expected(sketch.cells());
      for (const double f : draws) {
        const double place = sketch.width() == 0.0 ? 0.0 : (f - sketch.lowest()) / sketch.width();
        ++expected[std::min(static_cast<std::size_t>(place), sketch.cells() - 1)];
      }
      // A draw on the border of two cells may be counted in either.
      std::int64_t ahead = 0;
      for (std::size_t c = 0; c < sketch.cells(); ++c) {
        ahead += std::int64_t{sketch.count(c)} - expected[c];
        EXPECT_LE(std::abs(ahead), 1) << c;
      }
      EXPECT_EQ(ahead, 0);
    }
  }
}

TEST(DrawSketch, OfEqualDrawsHasNoWidth) {
  DrawSketch sketch;
  const std::vector<double> draws(300, 0.1 + 0.2);
  sketch.assign(draws);
  EXPECT_EQ(sketch.width(), 0.0);
  EXPECT_EQ(sketch.variance(), 0.0);
  EXPECT_EQ(sketch.mean(), 0.1 + 0.2);
  EXPECT_EQ(sketch.quantile(0.05), 0.1 + 0.2);
}

}  // namespace
}  // namespace lacuna
