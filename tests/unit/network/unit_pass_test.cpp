// Derivatives by the outgoing weight of a new unit against those of a full evaluation with the unit
// in place.
#include "network/unit_pass.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "network/evaluator.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

TEST(UnitSignals, GiveTheDerivativesOfANewOutgoingWeight) {
  RandomStream stream = testing::test_stream(232);
  UnitSignals signals;
  int compared = 0, curved = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    const Architecture shape = testing::random_architecture(stream);
    const testing::Rows rows = testing::random_rows(1 + stream.below(30), shape.inputs(), stream);
    const Samples samples = rows.samples();
    const SparseTheta theta = testing::random_theta(shape, 0.7 * stream.uniform(), stream);
    const double clip = stream.uniform(0.5, 3.0);
    Evaluator evaluator(shape, clip);
    const LiveNetwork network = evaluator.network_of(theta);
    signals.build(network, theta, samples, clip);

    const std::size_t layer = 1 + stream.below(shape.hidden_layers());
    const std::uint64_t unit = stream.below(shape.size(layer));
    const auto& next = network.layer(layer + 1).units;
    const std::size_t sources = layer == 1 ? shape.inputs() : network.layer(layer - 1).units.size();
    if (sources == 0 || next.empty()) continue;
    const auto destination = static_cast<std::uint32_t>(stream.below(next.size()));
    bool touched = !next[destination].live;
    for (const std::uint64_t i : theta.index) {
      const Place at = shape.place(i);
      touched = touched || (at.layer == layer && at.destination == unit) ||
                (at.layer == layer + 1 && !at.shift && at.source == unit);
    }
    if (touched) continue;

    UnitInput input;
    input.count = sources > 1 ? 1 + stream.below(2) : 1;
    input.source[0] = static_cast<std::uint32_t>(stream.below(sources));
    input.source[1] = static_cast<std::uint32_t>((input.source[0] + 1) % sources);
    SparseTheta with = theta;
    for (std::size_t j = 0; j < input.count; ++j) {
      input.weight[j] = stream.uniform(-2.0, 2.0);
      const std::uint64_t source =
          layer == 1 ? input.source[j] : network.layer(layer - 1).units[input.source[j]].unit;
      with.insert(shape.weight_index(layer, unit, source), input.weight[j]);
    }
    input.shift = stream.uniform(-1.0, 1.0);
    with.insert(shape.shift_index(layer, unit), input.shift);
    const std::uint64_t out = shape.weight_index(layer + 1, next[destination].unit, unit);
    with.insert(out, 0.0);
    Evaluation at;
    evaluator.evaluate(with, samples, samples.all(), {.gradient = true, .curvature = true}, at);
    const OutgoingDerivative found = signals.outgoing(layer, destination, input);
    const std::size_t k = with.position(out);
    EXPECT_NEAR(found.gradient, at.gradient[k], 1e-12 * (1.0 + std::abs(at.gradient[k])));
    EXPECT_NEAR(found.curvature, at.curvature[k], 1e-12 * (1.0 + at.curvature[k]));
    ++compared;
    curved += found.curvature > 0.0;
  }
  EXPECT_GT(compared, 800);
  EXPECT_GT(curved, 400);
}

}  // namespace
}  // namespace lacuna
