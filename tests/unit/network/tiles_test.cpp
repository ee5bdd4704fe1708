// Tiles of units, and passes through them in both precisions.
#include "network/tiles.hpp"

#include <gtest/gtest.h>

#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

Tiles tiles_of(const std::vector<std::vector<Link>>& links) {
  Tiles tiles;
  tiles.build(
      links.size(), [&](std::size_t u) { return UnitLinks{links[u]}; }, 100);
  return tiles;
}

TEST(Tiles, HoldFourUnitsWithTheUnionOfTheirNeighbours) {
  const std::vector<Link> all = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}};
  const std::vector<Link> some = {{0, 5}, {2, 6}, {3, 7}, {4, 8}};
  // A unit with few neighbours takes no part, and the last ones are not enough for a second tile.
  const Tiles tiles = tiles_of({all, {{1, 9}}, some, all, all, all});
  ASSERT_EQ(tiles.tiles().size(), 1u);
  const Tile& tile = tiles.tiles().front();
  EXPECT_EQ(std::vector<std::uint32_t>(tile.unit, tile.unit + 4),
            (std::vector<std::uint32_t>{0, 2, 3, 4}));
  ASSERT_EQ(tile.last_row - tile.first_row, 5u);
  EXPECT_EQ(tiles.row(1), 1u);
  EXPECT_EQ(tiles.slots(1)[0], 1u);
  EXPECT_EQ(tiles.slots(1)[1], no_slot);
  EXPECT_EQ(tiles.slots(4)[1], 8u);
  EXPECT_EQ(tiles.first_weight(), 100u);
  EXPECT_EQ(tiles.weight_count(), 28u);  // five neighbours, shifts, weights to the output
  for (const std::size_t u : {0, 2, 3, 4}) EXPECT_TRUE(tiles.has(u));
  for (const std::size_t u : {1, 5}) EXPECT_FALSE(tiles.has(u));
}

TEST(Tiles, AreNotMadeOfUnitsWithLittleInCommon) {
  std::vector<std::vector<Link>> links(4);
  for (std::uint32_t u = 0; u < 4; ++u) {
    for (std::uint32_t k = 0; k < 5; ++k) links[u].push_back({u + 4 * k, 5 * u + k});
  }
  EXPECT_TRUE(tiles_of(links).tiles().empty());
  EXPECT_EQ(tiles_of(links).weight_count(), 0u);
}

// Units of tiles come first, tile by tile.
TEST(Tiles, GiveTheirUnitsAnotherOrder) {
  const std::vector<Link> all = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}};
  const Tiles tiles = tiles_of({{{1, 9}}, all, all, {{2, 9}}, all, all, all});
  std::vector<std::uint32_t> places;
  for (std::size_t u = 0; u < 7; ++u) places.push_back(tiles.place(u));
  EXPECT_EQ(places, (std::vector<std::uint32_t>{4, 0, 1, 5, 2, 3, 6}));
}

TEST(Tiles, HaveShiftsAndWeightsToTheOutputAfterTheOthers) {
  const std::vector<Link> all = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  Tiles tiles;
  tiles.build(
      4,
      [&](std::size_t u) {
        const auto slot = static_cast<std::uint32_t>(u);
        return UnitLinks{all, u == 1 ? no_slot : 10 + slot, 20 + slot};
      },
      0);
  ASSERT_EQ(tiles.tiles().size(), 1u);
  const Tile& tile = tiles.tiles().front();
  const auto four = [](const std::uint32_t* slots) {
    return std::vector<std::uint32_t>(slots, slots + tile_units);
  };
  EXPECT_EQ(four(tiles.shift_slots(tile)), (std::vector<std::uint32_t>{10, no_slot, 12, 13}));
  EXPECT_EQ(four(tiles.output_slots(tile)), (std::vector<std::uint32_t>{20, 21, 22, 23}));
  EXPECT_EQ(tiles.weight_count(), (4 + 2) * tile_units);
}

// More rows than a block, not a multiple of one, and a wide network: single precision agrees with
// double to what it can hold.
TEST(Tiles, GiveTheSameInSinglePrecision) {
  RandomStream stream = testing::test_stream(142);
  for (const double density : {1.0, 0.7}) {
    const Architecture shape(7, {13, 18});
    const SparseTheta theta = testing::random_theta(shape, density, stream);
    const testing::Rows rows = testing::random_rows(1000, 7, stream);
    const Samples full = rows.samples();
    std::vector<std::size_t> all(rows.count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const Samples single = full.subset(all, Precision::single);
    Evaluator evaluator(shape, 50.0);
    Evaluation exact, rounded;
    const Request request{.gradient = true, .curvature = true};
    evaluator.evaluate(theta, full, full.all(), request, exact);
    EXPECT_GT(evaluator.network().tile_weights(), 100u);
    evaluator.evaluate(theta, single, single.all(), request, rounded);
    EXPECT_NEAR(rounded.risk, exact.risk, 1e-5 * exact.risk);
    const auto largest = [](const std::vector<double>& v) {
      double most = 0.0;
      for (const double x : v) most = std::max(most, std::abs(x));
      return most;
    };
    for (std::size_t k = 0; k < theta.size(); ++k) {
      EXPECT_NEAR(rounded.gradient[k], exact.gradient[k], 1e-4 * largest(exact.gradient));
      EXPECT_NEAR(rounded.curvature[k], exact.curvature[k], 1e-4 * largest(exact.curvature));
    }
  }
}

}  // namespace
}  // namespace lacuna
