// Tick marks for comfortable and for awkward ranges.
#include "report/ticks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace lacuna::report {
namespace {

using Labels = std::vector<std::string>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Ticks, RoundNumbers) {
  EXPECT_EQ(nice_ticks({0.0, 1.0}, 6).labels, (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(nice_ticks({-0.93, 0.61}, 5).labels, (Labels{"−0.5", "0.0", "0.5"}));
  EXPECT_EQ(nice_ticks({3.0, 97.0}, 7).labels, (Labels{"20", "40", "60", "80"}));
  EXPECT_EQ(nice_ticks({-1234.0, -1000.0}, 4).labels, (Labels{"−1200", "−1100", "−1000"}));
}

TEST(Ticks, TinyAndHugeRangesShareOnePowerOfTen) {
  EXPECT_EQ(nice_ticks({0.0, 4e-9}, 5).labels, (Labels{"0", "10⁻⁹", "2×10⁻⁹", "3×10⁻⁹", "4×10⁻⁹"}));
  EXPECT_EQ(nice_ticks({-2e12, 2e12}, 5).labels,
            (Labels{"−2×10¹²", "−10¹²", "0", "10¹²", "2×10¹²"}));
  EXPECT_EQ(nice_ticks({1e7, 2e7}, 3).labels, (Labels{"1.0×10⁷", "1.5×10⁷", "2.0×10⁷"}));
}

TEST(Ticks, ShortRangesFarFromZeroKeepDistinctLabels) {
  EXPECT_EQ(nice_ticks({1e9, 1e9 + 2.0}, 3).labels,
            (Labels{"1000000000", "1000000001", "1000000002"}));
}

TEST(Ticks, HoldTheirPromisesOnAwkwardRanges) {
  const std::vector<Range> ranges = {
      {5.0, 5.0},       {0.0, 0.0},        {-3.0, -3.0},     {1.0, 1.0 + 1e-16},  {1e300, 1e300},
      {-1e300, 1e300},  {1e-280, 3e-280},  {1e-310, 2e-310}, {-1e-5, 1e5},        {0.1, 0.3},
      {1.0, 1.0001},    {123456, 123457},  {-7e-7, -6.9e-7}, {99.999, 100.001},   {-1.0, 0.0},
      {1e15, 1e15 + 3}, {-1e-300, 1e-300}, {2.5e-4, 7.5e-4}, {-1e-200, 1.5e-200}, {-9e6, 15e6},
  };
  for (const Range range : ranges) {
    for (const int most : {2, 3, 5, 9}) {
      const Ticks ticks = nice_ticks(range, most);
      SCOPED_TRACE(testing::Message() << range.low << " .. " << range.high << ", " << most);
      ASSERT_GE(ticks.at.size(), 1u);
      ASSERT_LE(ticks.at.size(), static_cast<std::size_t>(most));
      EXPECT_EQ(std::set<std::string>(ticks.labels.begin(), ticks.labels.end()).size(),
                ticks.at.size());
      EXPECT_TRUE(std::is_sorted(ticks.at.begin(), ticks.at.end()));
      for (const auto& label : ticks.labels) {
        EXPECT_EQ(label.find_first_of("naif-"), std::string::npos) << label;
        EXPECT_LE(label.size(), 30u) << label;
      }
    }
  }
}

TEST(Ticks, LieInsideRandomRanges) {
  double low = 0.37;
  for (int i = 0; i < 2000; ++i) {
    low = 3.99 * low * (1.0 - low);  // the logistic map, as a source of variety
    const double scale = std::pow(10.0, i % 40 - 20);
    const Range range{(low - 0.5) * scale, (low - 0.5 + 0.01 + low * low) * scale};
    const double slack = 1e-8 * (range.high - range.low);
    const Ticks ticks = nice_ticks(range, 7);
    EXPECT_GE(ticks.at.size(), 3u);
    EXPECT_GE(ticks.at.front(), range.low - slack);
    EXPECT_LE(ticks.at.back(), range.high + slack);
  }
}

TEST(LogarithmicTicks, AreValuesOfWhichTheRangeHoldsEnough) {
  const Ticks wide = logarithmic_ticks({-3.3, 0.0});
  EXPECT_EQ(wide.labels, (std::vector<std::string>{"0.001", "0.01", "0.1", "1"}));
  EXPECT_EQ(wide.at, (std::vector<double>{-3.0, -2.0, -1.0, 0.0}));
  const Ticks medium = logarithmic_ticks({std::log10(150.0), std::log10(7000.0)});
  EXPECT_EQ(medium.labels, (std::vector<std::string>{"200", "500", "1000", "2000", "5000"}));
  const Ticks narrow = logarithmic_ticks({std::log10(0.25), std::log10(0.65)});
  EXPECT_EQ(narrow.labels, (std::vector<std::string>{"0.3", "0.4", "0.5", "0.6"}));
  EXPECT_LE(logarithmic_ticks({-40.0, 3.0}).at.size(), 8u);
}

TEST(Range, SkipsWhatCannotBeDrawn) {
  const std::vector<double> values = {kNaN, 2.0, kInfinity, -1.0, -kInfinity, 1e305};
  const std::vector<double> more = {0.5, 3.0};
  const Range range = range_of({values, more});
  EXPECT_EQ(range.low, -1.0);
  EXPECT_EQ(range.high, 3.0);
}

TEST(Range, OfNothingOrOfOneValueHasLength) {
  const std::vector<double> nothing = {kNaN};
  EXPECT_EQ(range_of({}).high, 1.0);
  EXPECT_EQ(range_of({nothing}).low, 0.0);
  for (const double value : {0.0, 4.0, -4.0, 1e-9, 1e300, 1e-320}) {
    const std::vector<double> one = {value};
    const Range range = range_of({one});
    EXPECT_LT(range.low, value);
    EXPECT_GT(range.high, value);
  }
}

}  // namespace
}  // namespace lacuna::report
