// The live network against plain reachability over all units and all parameters of the full
// network.
#include "network/live_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "unit/network/brute_force.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::BruteForce;

std::vector<std::uint64_t> listed_candidates(const LiveNetwork& network) {
  std::vector<std::uint64_t> listed;
  for (std::size_t l = 1; l <= network.layers(); ++l) {
    for (const Candidate& c : network.layer(l).candidates) listed.push_back(c.index);
  }
  return listed;
}

// Units, flags, edges and slots of one layer.
void expect_layer(const LiveNetwork& network, std::size_t l, const SparseTheta& theta,
                  const BruteForce& truth) {
  const Architecture& a = network.architecture();
  const LiveLayer& layer = network.layer(l);
  std::vector<std::uint64_t> units, expected_units;
  for (const LiveUnit& unit : layer.units) units.push_back(unit.unit);
  for (std::uint64_t u = 0; u < a.size(l); ++u) {
    if (truth.reached[l][u] || l == network.layers()) expected_units.push_back(u);
  }
  ASSERT_EQ(units, expected_units);

  std::uint32_t edge = 0;
  for (const LiveUnit& unit : layer.units) {
    EXPECT_EQ(unit.live, truth.live[l][unit.unit]);
    const std::uint64_t shift = a.shift_index(l, unit.unit);
    EXPECT_EQ(unit.shift_slot, theta.contains(shift) ? theta.position(shift) : no_slot);
    EXPECT_EQ(unit.first_edge, edge);
    for (std::uint64_t s = 0; s < a.size(l - 1); ++s) {
      const std::uint64_t index = a.weight_index(l, unit.unit, s);
      if (!theta.contains(index) || !truth.reached[l - 1][s]) continue;
      ASSERT_LT(edge, layer.edges.size());
      EXPECT_EQ(layer.edges[edge].slot, theta.position(index));
      const std::uint32_t source = layer.edges[edge].neighbour;
      EXPECT_EQ(l == 1 ? source : network.layer(l - 1).units.at(source).unit, s);
      ++edge;
    }
    EXPECT_EQ(unit.last_edge, edge);
  }
  EXPECT_EQ(edge, layer.edges.size());

  for (const Candidate& c : layer.candidates) {
    const Place at = a.place(c.index);
    EXPECT_EQ(at.layer, l);
    EXPECT_EQ(layer.units.at(c.destination).unit, at.destination);
    EXPECT_EQ(c.source == no_slot, at.shift);
    if (!at.shift) {
      EXPECT_EQ(l == 1 ? c.source : network.layer(l - 1).units.at(c.source).unit, at.source);
    }
  }
}

void expect_matches(LiveNetwork& network, const SparseTheta& theta) {
  const BruteForce truth(network.architecture(), theta);
  network.build_candidates();
  std::size_t units = 0;
  for (std::size_t l = 1; l <= network.layers(); ++l) {
    expect_layer(network, l, theta, truth);
    units += network.layer(l).units.size();
  }
  EXPECT_EQ(network.evaluated_units(), units);
  EXPECT_EQ(network.active_count(), theta.size());
  EXPECT_EQ(network.live_count(),
            static_cast<std::size_t>(std::ranges::count(truth.slot_live, true)));
  for (std::size_t k = 0; k < theta.size(); ++k)
    EXPECT_EQ(network.slot_is_live(k), truth.slot_live[k]);
  EXPECT_EQ(listed_candidates(network), truth.candidates);
  EXPECT_EQ(network.candidate_count(), truth.candidates.size());
}

TEST(LiveNetwork, MatchesReachabilityOnTheFullGraph) {
  RandomStream stream = testing::test_stream(120);
  for (int repeat = 0; repeat < 5000; ++repeat) {
    const Architecture architecture = testing::random_architecture(stream);
    const SparseTheta theta =
        testing::random_theta(architecture, testing::random_density(stream), stream);
    LiveNetwork network(architecture);
    network.build(theta.index);
    expect_matches(network, theta);
    ASSERT_FALSE(HasFailure()) << "repeat " << repeat;
  }
}

TEST(LiveNetwork, HistoryLeavesNoTrace) {
  RandomStream stream = testing::test_stream(121);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Architecture architecture = testing::random_architecture(stream);
    LiveNetwork used(architecture);
    for (int other = 0; other < 20; ++other) {
      const SparseTheta theta =
          testing::random_theta(architecture, testing::random_density(stream), stream);
      used.build(theta.index);
      if (stream.uniform() < 0.5) used.build_candidates();
      if (stream.uniform() < 0.3) used.build(theta.index);  // the same set again
      expect_matches(used, theta);
      ASSERT_FALSE(HasFailure()) << "repeat " << repeat << ", set " << other;
    }
  }
}

TEST(LiveNetwork, AllSetsOfATinyNetwork) {
  const Architecture architecture(1, {2});  // P = 7
  LiveNetwork network(architecture);
  for (unsigned set = 0; set < 128; ++set) {
    SparseTheta theta;
    for (std::uint64_t i = 0; i < 7; ++i) {
      if (set >> i & 1) theta.insert(i, 1.0);
    }
    network.build(theta.index);
    expect_matches(network, theta);
    ASSERT_FALSE(HasFailure()) << "set " << set;
  }
}

TEST(LiveNetwork, TheEmptySetHasTheOutputOnly) {
  LiveNetwork network(Architecture(3, {4, 4}));
  network.build({});
  network.build_candidates();
  EXPECT_EQ(network.evaluated_units(), 1u);
  EXPECT_EQ(network.live_count(), 0u);
  EXPECT_EQ(listed_candidates(network),
            std::vector<std::uint64_t>{network.architecture().shift_index(3, 0)});
}

TEST(LiveNetwork, DanglingUnitsAreEvaluatedButNotLive) {
  // Input -> first hidden unit, and nothing from there: its outgoing weight is a candidate, no
  // input to it is.
  const Architecture architecture(2, {2});
  LiveNetwork network(architecture);
  const std::vector<std::uint64_t> active = {architecture.weight_index(1, 0, 1)};
  network.build(active);
  network.build_candidates();
  ASSERT_EQ(network.layer(1).units.size(), 1u);
  EXPECT_FALSE(network.layer(1).units[0].live);
  EXPECT_FALSE(network.slot_is_live(0));
  const std::vector<std::uint64_t> expected = {architecture.weight_index(2, 0, 0),
                                               architecture.shift_index(2, 0)};
  EXPECT_EQ(listed_candidates(network), expected);
}

}  // namespace
}  // namespace lacuna
