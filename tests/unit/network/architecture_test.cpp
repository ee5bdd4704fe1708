// Parameter counts and the flat order of parameters, from the smallest network to beyond what
// memory could hold.
#include "network/architecture.hpp"

#include <gtest/gtest.h>

#include "lacuna/errors.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

// Follows the definition of the flat order one parameter at a time.
std::vector<Place> walk(const Architecture& architecture) {
  std::vector<Place> places;
  for (std::size_t layer = 1; layer <= architecture.layers(); ++layer) {
    for (std::uint64_t d = 0; d < architecture.size(layer); ++d) {
      for (std::uint64_t s = 0; s < architecture.size(layer - 1); ++s)
        places.push_back({layer, d, s, false});
    }
    for (std::uint64_t d = 0; d < architecture.size(layer); ++d)
      places.push_back({layer, d, 0, true});
  }
  return places;
}

std::uint64_t index_of(const Architecture& architecture, const Place& place) {
  return place.shift ? architecture.shift_index(place.layer, place.destination)
                     : architecture.weight_index(place.layer, place.destination, place.source);
}

TEST(Architecture, CountIsThePapersFormulaForOneWidth) {
  for (std::uint64_t p = 1; p <= 6; ++p) {
    for (std::uint64_t depth = 1; depth <= 5; ++depth) {
      for (std::uint64_t r = 1; r <= 6; ++r) {
        const Architecture architecture(p, std::vector<std::size_t>(depth, r));
        EXPECT_EQ(architecture.parameter_count(), (p + 1) * r + (depth - 1) * (r + 1) * r + r + 1);
        EXPECT_EQ(architecture.hidden_layers(), depth);
        EXPECT_EQ(architecture.layers(), depth + 1);
      }
    }
  }
}

TEST(Architecture, CountOfAListOfWidths) {
  const Architecture architecture(3, {5, 2, 7});
  EXPECT_EQ(architecture.parameter_count(), (3u + 1) * 5 + (5u + 1) * 2 + (2u + 1) * 7 + (7u + 1));
  EXPECT_EQ(architecture.widths(), (std::vector<std::size_t>{5, 2, 7}));
  EXPECT_EQ(architecture.inputs(), 3u);
  EXPECT_EQ(architecture.first_index(1), 0u);
  EXPECT_EQ(architecture.first_index(2), 20u);
  EXPECT_EQ(architecture.first_index(3), 32u);
  EXPECT_EQ(architecture.first_index(4), 53u);
}

TEST(Architecture, SmallestNetworkHasTheOrderThatFilesPromise) {
  const Architecture architecture(1, {1});  // theta = (W1, v1, W2, v2)
  ASSERT_EQ(architecture.parameter_count(), 4u);
  EXPECT_EQ(architecture.weight_index(1, 0, 0), 0u);
  EXPECT_EQ(architecture.shift_index(1, 0), 1u);
  EXPECT_EQ(architecture.weight_index(2, 0, 0), 2u);
  EXPECT_EQ(architecture.shift_index(2, 0), 3u);
}

TEST(Architecture, PlacesFollowTheFlatOrder) {
  for (const Architecture& architecture :
       {Architecture(1, {1}), Architecture(4, {1}), Architecture(2, {3, 1, 5}),
        Architecture(7, {6, 4}), Architecture(1, {1, 1, 1, 1, 1})}) {
    const std::vector<Place> places = walk(architecture);
    ASSERT_EQ(places.size(), architecture.parameter_count());
    for (std::uint64_t index = 0; index < places.size(); ++index) {
      const Place place = architecture.place(index);
      EXPECT_EQ(place.layer, places[index].layer);
      EXPECT_EQ(place.destination, places[index].destination);
      EXPECT_EQ(place.source, places[index].source);
      EXPECT_EQ(place.shift, places[index].shift);
      EXPECT_EQ(index_of(architecture, place), index);
    }
  }
}

TEST(Architecture, RoundTripsOnHugeNetworks) {
  RandomStream stream = testing::test_stream(100);
  const std::vector<Architecture> huge = {
      Architecture(10, std::vector<std::size_t>(14, 10'000)),         // P > 10^9
      Architecture(1'000, std::vector<std::size_t>(11, 10'000'000)),  // P > 10^15
      Architecture(3, {2'000'000'000, 2'000'000'000}),                // P > 4 * 10^18
  };
  EXPECT_GT(huge[0].parameter_count(), 1'000'000'000u);
  EXPECT_GT(huge[1].parameter_count(), 1'000'000'000'000'000u);
  for (const Architecture& architecture : huge) {
    const std::uint64_t count = architecture.parameter_count();
    std::vector<std::uint64_t> indices = {0, count - 1};
    for (std::size_t layer = 2; layer <= architecture.layers(); ++layer) {
      indices.push_back(architecture.first_index(layer));
      indices.push_back(architecture.first_index(layer) - 1);
      indices.push_back(architecture.shift_index(layer, 0));
      indices.push_back(architecture.shift_index(layer, 0) - 1);
    }
    for (int i = 0; i < 20000; ++i) indices.push_back(stream.below(count));
    for (const std::uint64_t index : indices) {
      const Place place = architecture.place(index);
      ASSERT_GE(place.layer, 1u);
      ASSERT_LE(place.layer, architecture.layers());
      ASSERT_LT(place.destination, architecture.size(place.layer));
      if (!place.shift) {
        ASSERT_LT(place.source, architecture.size(place.layer - 1));
      }
      ASSERT_EQ(index_of(architecture, place), index);
    }
  }
}

TEST(Architecture, TooManyParametersAreRefused) {
  const std::size_t most = SIZE_MAX;
  const std::vector<std::pair<std::size_t, std::vector<std::size_t>>> too_large = {
      {most, {1}},  // p + 1 overflows
      {1, {most}},  // (p + 1) r overflows
      {std::size_t{1} << 32, {std::size_t{1} << 32}},
      {1, {std::size_t{1} << 31, std::size_t{1} << 32}},  // just past 2^63, no overflow of 64 bits
      {1,
       std::vector<std::size_t>(5, std::size_t{3} << 30)},  // only the sum of layers is too large
  };
  for (const auto& [inputs, widths] : too_large) {
    try {
      Architecture(inputs, widths);
      ADD_FAILURE() << "accepted " << inputs << " inputs and a first width of " << widths[0];
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_STREQ(error.what(),
                   "the network has more than 2^63 parameters; use fewer or narrower layers");
    }
  }
}

TEST(Architecture, LargestCountsAreAccepted) {
  const std::size_t width = (std::size_t{1} << 62) / 3;
  const Architecture architecture(1, {width});  // P = 3 width + 1, just above 2^62
  EXPECT_EQ(architecture.parameter_count(), 3 * width + 1);
}

TEST(Architecture, EmptySizesAreRefusedByName) {
  const auto message = [](std::size_t inputs, std::vector<std::size_t> widths) -> std::string {
    try {
      Architecture(inputs, std::move(widths));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(0, {1}), "inputs=0: must be >= 1");
  EXPECT_EQ(message(1, {}), "depth=0: must be >= 1");
  EXPECT_EQ(message(1, {3, 0, 2}), "width=0: must be >= 1");
}

}  // namespace
}  // namespace lacuna
