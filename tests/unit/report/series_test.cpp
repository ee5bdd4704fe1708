// Traces and ranks of chains.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "report/bar_picture.hpp"
#include "report/scatter_picture.hpp"
#include "report/series_picture.hpp"
#include "unit/report/xml_check.hpp"

namespace lacuna::report {
namespace {

SeriesPicture two_chains(std::size_t draws) {
  SeriesPicture picture{.title = "Trace", .label = "risk", .series = {{}, {}}};
  for (std::size_t k = 0; k < draws; ++k) {
    picture.series[0].push_back(std::sin(static_cast<double>(7 * k)));
    picture.series[1].push_back(std::cos(static_cast<double>(5 * k)));
  }
  return picture;
}

TEST(SeriesPicture, HasAGroupForEachChainAndThinsLongOnes) {
  const std::string svg = draw_trace(two_chains(10000));
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  EXPECT_EQ(count_of(svg, "data-chain=\"0\""), 1u);
  EXPECT_EQ(count_of(svg, "data-chain=\"1\""), 1u);
  EXPECT_EQ(shown_draws(two_chains(10000)), 2400u);
  EXPECT_EQ(shown_draws(two_chains(100)), 100u);
  EXPECT_LT(svg.size(), 100000u);
}

TEST(SeriesPicture, ShowsASingleDrawAndMissingValues) {
  EXPECT_EQ(count_of(draw_trace(two_chains(1)), "<circle"), 2u);
  SeriesPicture picture = two_chains(50);
  picture.series[0][3] = std::numeric_limits<double>::quiet_NaN();
  const std::string svg = draw_trace(picture);
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  EXPECT_EQ(svg.find("nan"), svg.npos);
}

TEST(SeriesPicture, RanksAreLevelForEqualChainsAndApartForOthers) {
  std::vector<std::vector<double>> apart(2), equal(2);
  for (int k = 0; k < 400; ++k) {
    apart[0].push_back(k);
    apart[1].push_back(1000 + k);
    equal[0].push_back(k);
    equal[1].push_back(k + 0.5);
  }
  const RankHistogram bad = rank_histogram(apart), good = rank_histogram(equal);
  ASSERT_EQ(bad.bins, 20u);
  EXPECT_DOUBLE_EQ(bad.heights[0].front(), 2.0);
  EXPECT_DOUBLE_EQ(bad.heights[0].back(), 0.0);
  for (const double height : good.heights[0]) EXPECT_DOUBLE_EQ(height, 1.0);
  EXPECT_NEAR(good.spread, 1.96 * std::sqrt(19.0 / 400.0), 1e-12);
}

TEST(SeriesPicture, TiesSayNothingAboutAChain) {
  const std::vector<std::vector<double>> same(2, std::vector<double>(4000, 1.0));
  for (const auto& heights : rank_histogram(same).heights)
    for (const double height : heights) EXPECT_NEAR(height, 1.0, 0.3);
}

TEST(BarPicture, MarksWhereBarsShouldEndAndHowFarChanceReaches) {
  BarPicture picture{.title = "Coverage", .labels = {"90%"}, .values = {0.8}, .x_label = "share"};
  const std::string plain = draw_bars(picture);
  picture.errors = {0.05};
  picture.expected = {0.9};
  const std::string svg = draw_bars(picture);
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  EXPECT_EQ(count_of(svg, "<path"), count_of(plain, "<path") + 1);  // the whisker
  EXPECT_EQ(count_of(svg, "<line"), count_of(plain, "<line") + 1);  // the mark
  picture.errors = {0.05, 0.1};
  EXPECT_THROW(draw_bars(picture), std::exception);
}

TEST(Residuals, AreObservedLessPredicted) {
  ScatterPicture picture{.title = "Rest",
                         .observed = {1.0, 2.0},
                         .mean = {0.5, 2.5},
                         .y_lower = {0.0, 2.0},
                         .y_upper = {0.9, 3.0},
                         .rows = {7, 11},
                         .sheet = {.medium = Medium::page, .width = 440.0, .height = 300.0}};
  const std::string svg = draw_residuals(picture);
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  EXPECT_NE(svg.find("row 11: observed 2, predicted 2.5, 90% interval 2 to 3"), svg.npos);
  EXPECT_NE(svg.find("observed − predicted"), svg.npos);
  EXPECT_EQ(count_of(svg, "data-tip"), 2u);
}

}  // namespace
}  // namespace lacuna::report
