// The network: units matched by what they compute, and the picture of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "network/architecture.hpp"
#include "report/network_picture.hpp"
#include "report/unit_matching.hpp"
#include "unit/data/files.hpp"
#include "unit/report/xml_check.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::report {
namespace {

// f = |x1| by two units in a hidden layer of three, each draw with its own units and scale.
SparseTheta absolute_value(const Architecture& architecture, std::size_t rising,
                           std::size_t falling, double scale) {
  std::vector<std::pair<std::uint64_t, double>> weights = {
      {architecture.weight_index(1, rising, 0), scale},
      {architecture.weight_index(1, falling, 0), -scale},
      {architecture.weight_index(2, 0, rising), 1.0 / scale},
      {architecture.weight_index(2, 0, falling), 1.0 / scale}};
  std::ranges::sort(weights);
  SparseTheta theta;
  for (const auto& [index, value] : weights) {
    theta.index.push_back(index);
    theta.value.push_back(value);
  }
  return theta;
}

using UnitMatching = testing::InFolder;

// A file with these draws of one chain, the first of them the best.
Fit fit_with(const std::vector<SparseTheta>& draws) {
  const std::string path = "d.lacuna";
  Config config = testing::quick_config();
  config.chains = 1;
  Observer nobody;
  fit(testing::small_data(), config, path, "a test", nobody);
  const FitInfo info = read_info(path);
  {
    DrawBlock block;
    for (std::size_t k = 0; k < draws.size(); ++k)
      block.add(draws[k], 0.0, 0.1 + 0.01 * static_cast<double>(k));
    FitWriter writer(path, info);
    writer.write_draws(0, block);
    writer.close();
  }
  return Fit::open(path);
}

TEST_F(UnitMatching, FindsUnitsThatChangedPlacesAndScale) {
  const Architecture architecture(2, {3});
  const Fit fit =
      fit_with({absolute_value(architecture, 0, 1, 1.0), absolute_value(architecture, 2, 0, 2.0),
                absolute_value(architecture, 1, 2, 0.5)});
  const MatchedNetworks found = match_units(fit);
  EXPECT_EQ(found.draws, 3u);
  EXPECT_DOUBLE_EQ(found.known_share, 1.0);
  EXPECT_EQ(found.units, (std::map<UnitName, double>{{{1, 0}, 1.0}, {{1, 1}, 1.0}}));
  ASSERT_EQ(found.edges.size(), 4u);
  for (const auto& [edge, seen] : found.edges) EXPECT_DOUBLE_EQ(seen.share, 1.0);
  EXPECT_DOUBLE_EQ((found.edges.at({{0, 0}, {1, 0}}).positive), 1.0);
  EXPECT_DOUBLE_EQ((found.edges.at({{0, 0}, {1, 1}}).positive), 0.0);
}

TEST_F(UnitMatching, CountsUnitsWithoutACounterpart) {
  const Architecture architecture(2, {3});
  SparseTheta half;  // only the rising unit, and another one on the second input
  half.index = {architecture.weight_index(1, 0, 0), architecture.weight_index(1, 2, 1),
                architecture.weight_index(2, 0, 0), architecture.weight_index(2, 0, 2)};
  half.value = {1.0, 1.0, 1.0, 1.0};
  const MatchedNetworks found =
      match_units(fit_with({absolute_value(architecture, 0, 1, 1.0), half}));
  EXPECT_DOUBLE_EQ(found.known_share, 0.75);
  EXPECT_DOUBLE_EQ((found.units.at({1, 0})), 1.0);
  EXPECT_DOUBLE_EQ((found.units.at({1, 1})), 0.5);
  EXPECT_DOUBLE_EQ((found.edges.at({{0, 0}, {1, 1}}).share), 0.5);
  EXPECT_FALSE((found.edges.contains({{0, 1}, {1, 2}})));
}

NetworkPicture small_network() {
  NetworkPicture picture;
  picture.title = "Net";
  picture.layers = {
      {{"<a>", "input", false}, {"b", "", false}}, {{"", "unit", true}}, {{"y", "", false}}};
  picture.edges = {
      {0, 0, 0, 1.0, true, "a to \"h\""}, {0, 1, 0, 0.1, false, ""}, {1, 0, 0, 0.5, true, ""}};
  return picture;
}

TEST(NetworkPicture, DrawsUnitsEdgesAndTips) {
  const std::string svg = draw_network(small_network());
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  EXPECT_EQ(count_of(svg, "data-tip=\"a to &quot;h&quot;\""), 1u);
  EXPECT_EQ(count_of(svg, "stroke=\"var(--accent)\""), 2u);  // one edge, one key
  EXPECT_NE(svg.find(">&lt;a&gt;</text>"), svg.npos);
  EXPECT_EQ(svg.find("http"), svg.npos);
}

TEST(NetworkPicture, StaysReadableWithManyUnitsAndWithNone) {
  NetworkPicture picture = small_network();
  picture.edges.clear();
  picture.layers[0].clear();
  for (int j = 0; j < 100; ++j) {
    picture.layers[0].push_back({"input " + std::string(200, 'w'), "", false});
    for (int k = 0; k < 4; ++k)
      picture.edges.push_back({0, static_cast<std::size_t>(j), 0, 0.5, k % 2 == 0, "tip"});
  }
  const std::string svg = draw_network(picture);
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  EXPECT_NE(svg.find("viewBox=\"0 0 520 1344\""), svg.npos);  // 13 pixels to a unit
  EXPECT_EQ(XmlCheck(draw_network({})).complaint(), "");
}

}  // namespace
}  // namespace lacuna::report
