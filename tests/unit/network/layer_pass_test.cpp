// Derivatives of one layer: the same bits as those of all layers, whatever was kept of the layers
// below.
#include <gtest/gtest.h>

#include "network/evaluator.hpp"
#include "support/team.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::bits_of;

struct LayerCase {
  Architecture shape;
  std::vector<Samples> samples;  // two sets of the same size
  SparseTheta theta;

  bool in_layer(std::size_t k, std::size_t layer) const {
    return shape.place(theta.index[k]).layer == layer;
  }
};

LayerCase random_case(std::vector<std::size_t> widths, std::size_t rows, Precision precision,
                      RandomStream& stream) {
  const Architecture shape =
      widths.empty() ? testing::random_architecture(stream) : Architecture(3, std::move(widths));
  LayerCase made{shape, {}, testing::random_theta(shape, testing::random_density(stream), stream)};
  for (int k = 0; k < 2; ++k) {
    const Samples full = testing::random_rows(rows, shape.inputs(), stream).samples();
    made.samples.push_back(full.subset(testing::all_rows(rows), precision));
  }
  return made;
}

// Something that can happen between two evaluations of a layer.
void disturb(LayerCase& at, std::size_t layer, Evaluator& evaluator, RandomStream& stream) {
  Evaluation ignored;
  std::vector<double> f(at.samples[1].rows());
  const std::size_t k = stream.below(at.theta.size());
  switch (stream.below(7)) {
    case 0:  // any layer
      at.theta.value[k] = stream.uniform(-2.0, 2.0);
      break;
    case 1: {
      const std::uint64_t i = stream.below(at.shape.parameter_count());
      if (!at.theta.contains(i)) at.theta.insert(i, stream.uniform(-2.0, 2.0));
      break;
    }
    case 2:
      if (at.theta.size() > 1) at.theta.erase_position(k);
      break;
    case 3:
      evaluator.evaluate(at.theta, at.samples[0], at.samples[0].all(), {.gradient = true}, ignored);
      break;
    case 4:
      evaluator.predict(at.theta, at.samples[1], f);
      break;
    default:  // what a trajectory does
      for (std::size_t j = 0; j < at.theta.size(); ++j) {
        if (at.in_layer(j, layer)) at.theta.value[j] += 0.1 * stream.normal();
      }
  }
}

void expect_the_same_bits(LayerCase& at, Evaluator& evaluator, RandomStream& stream) {
  const std::size_t layer = 1 + stream.below(at.shape.layers());
  for (int turn = 0; turn < 6; ++turn) {
    const Samples& samples = at.samples[stream.below(8) == 0 ? 1 : 0];
    const bool curvature = stream.below(3) == 0;
    Evaluation found, expected;
    evaluator.evaluate(at.theta, samples, samples.all(),
                       {.gradient = true, .curvature = curvature, .layer = layer}, found);
    Evaluator fresh(at.shape, 2.0);
    fresh.evaluate(at.theta, samples, samples.all(), {.gradient = true, .curvature = true},
                   expected);
    EXPECT_EQ(bits_of(found.risk), bits_of(expected.risk));
    ASSERT_EQ(found.gradient.size(), at.theta.size());
    ASSERT_EQ(found.curvature.size(), curvature ? at.theta.size() : 0);
    for (std::size_t k = 0; k < at.theta.size(); ++k) {
      const bool here = at.in_layer(k, layer);
      EXPECT_EQ(bits_of(found.gradient[k]), bits_of(here ? expected.gradient[k] : 0.0));
      if (curvature) {
        EXPECT_EQ(bits_of(found.curvature[k]), bits_of(here ? expected.curvature[k] : 0.0));
      }
    }
    disturb(at, layer, evaluator, stream);
  }
}

TEST(LayerPass, HasTheBitsOfAWholePass) {
  for (std::uint64_t k = 0; k < 300; ++k) {
    RandomStream stream = testing::test_stream(170'000 + k);
    LayerCase at = random_case({}, 1 + stream.below(700),
                               k % 2 == 0 ? Precision::single : Precision::full, stream);
    Evaluator evaluator(at.shape, 2.0);
    for (int visit = 0; visit < 3; ++visit) expect_the_same_bits(at, evaluator, stream);
    if (HasFailure()) FAIL() << "case " << k;
  }
}

// Tiles of units, a team, and more signals than are kept (40 units at 5,000 rows).
TEST(LayerPass, HasTheBitsOfAWholePassWhereLayersAreWide) {
  Team team(3);
  for (const std::size_t rows : {300, 5000}) {
    RandomStream stream = testing::test_stream(171'000 + rows);
    LayerCase at = random_case({40, 12, 9}, rows, Precision::single, stream);
    at.theta = testing::random_theta(at.shape, 0.9, stream);
    Evaluator evaluator(at.shape, 2.0);
    evaluator.work_with(&team);
    for (int visit = 0; visit < 6; ++visit) expect_the_same_bits(at, evaluator, stream);
  }
}

TEST(LayerPass, CostsLessThanAWholePass) {
  RandomStream stream = testing::test_stream(172);
  LayerCase at = random_case({6, 5}, 100, Precision::full, stream);
  at.theta = testing::random_theta(at.shape, 2.0, stream);
  Evaluator evaluator(at.shape, 2.0);
  const auto work = [&](Request request) {
    const std::uint64_t before = evaluator.work();
    Evaluation out;
    evaluator.evaluate(at.theta, at.samples[0], at.samples[0].all(), request, out);
    return evaluator.work() - before;
  };
  const std::uint64_t whole = work({.gradient = true});
  // 24, 35 and 6 weights: forward and derivatives of the layer, forward and back above it.
  EXPECT_EQ(whole - work({.gradient = true, .layer = 3}), 100 * (3 * 65 - 2 * 6));
  EXPECT_EQ(whole - work({.gradient = true, .layer = 2}), 100 * (3 * 65 - 2 * (35 + 6)));
  EXPECT_EQ(whole - work({.gradient = true, .layer = 1}), 100 * (3 * 65 - 2 * 65));
  EXPECT_EQ(work({.gradient = true, .layer = 2}), work({.gradient = true, .layer = 2}));
}

TEST(LayerPass, WhatItCovers) {
  const Request one{.gradient = true, .layer = 2}, all{.gradient = true};
  EXPECT_TRUE(all.covers(one));
  EXPECT_TRUE(one.covers(one));
  EXPECT_FALSE(one.covers(all));
  EXPECT_FALSE(one.covers({.gradient = true, .layer = 1}));
}

}  // namespace
}  // namespace lacuna
