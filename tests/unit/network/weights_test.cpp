// A row of weight k counts as k copies of it, in every pass.
#include <gtest/gtest.h>

#include <memory>

#include "network/evaluator.hpp"
#include "network/unit_pass.hpp"
#include "posterior/risk.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

// The same rows twice: with whole weights, and copied as often as these say.
struct WeightedAndCopied {
  Samples weighted, copied;
};

WeightedAndCopied both_ways(const Samples& rows, Precision precision, RandomStream& stream) {
  std::vector<double> x, weights;
  std::vector<std::size_t> copies;
  for (std::size_t j = 0; j < rows.inputs(); ++j)
    x.insert(x.end(), rows.column(j), rows.column(j) + rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::size_t weight = 1 + stream.below(4);
    weights.push_back(static_cast<double>(weight));
    copies.insert(copies.end(), weight, i);
  }
  return {Samples(rows.rows(), rows.inputs(), x, {rows.target(), rows.rows()}, precision, weights),
          rows.subset(copies, precision)};
}

void expect_close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], tolerance * (1.0 + std::abs(b[i])));
}

class Weights : public ::testing::TestWithParam<Precision> {
 protected:
  RandomStream stream = testing::test_stream(612);
  const double tolerance = GetParam() == Precision::full ? 1e-11 : 3e-4;
};

TEST_P(Weights, CountCopiesInRiskAndDerivatives) {
  for (int trial = 0; trial < 300; ++trial) {
    const Architecture shape = testing::random_architecture(stream);
    const testing::Rows rows = testing::random_rows(1 + stream.below(60), shape.inputs(), stream);
    const auto [weighted, copied] = both_ways(rows.samples(), GetParam(), stream);
    EXPECT_EQ(weighted.total_weight(), static_cast<double>(copied.rows()));
    const SparseTheta theta = testing::random_theta(shape, testing::random_density(stream), stream);
    Evaluator evaluator(shape, stream.uniform(0.5, 20.0));
    const Request all{.gradient = true, .curvature = true, .inactive = true};
    Evaluation a, b;
    evaluator.evaluate(theta, weighted, weighted.all(), all, a);
    evaluator.evaluate(theta, copied, copied.all(), all, b);
    EXPECT_NEAR(a.risk, b.risk, tolerance * (1.0 + b.risk));
    EXPECT_NEAR(evaluator.exact_risk(theta, weighted), evaluator.exact_risk(theta, copied),
                1e-12 * (1.0 + b.risk));
    expect_close(a.gradient, b.gradient, tolerance);
    expect_close(a.curvature, b.curvature, tolerance);
    ASSERT_EQ(a.inactive.size(), b.inactive.size());
    for (std::size_t k = 0; k < a.inactive.size(); ++k) {
      EXPECT_NEAR(a.inactive[k].gradient, b.inactive[k].gradient,
                  tolerance * (1.0 + std::abs(b.inactive[k].gradient)));
      EXPECT_NEAR(a.inactive[k].curvature, b.inactive[k].curvature,
                  tolerance * (1.0 + b.inactive[k].curvature));
    }
    OutputMoments of_weighted, of_copied;
    evaluator.output_moments(theta, weighted, of_weighted);
    evaluator.output_moments(theta, copied, of_copied);
    const double per_row = tolerance * static_cast<double>(copied.rows());
    expect_close(of_weighted.gram, of_copied.gram, per_row);
    expect_close(of_weighted.cross, of_copied.cross, per_row);
  }
}

TEST_P(Weights, CountCopiesInTheSignalsOfUnits) {
  int compared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Architecture shape = testing::random_architecture(stream);
    const testing::Rows rows = testing::random_rows(1 + stream.below(60), shape.inputs(), stream);
    const auto [weighted, copied] = both_ways(rows.samples(), GetParam(), stream);
    const SparseTheta theta = testing::random_theta(shape, testing::random_density(stream), stream);
    const double clip = stream.uniform(0.5, 20.0);
    Evaluator evaluator(shape, clip);
    const LiveNetwork network = evaluator.network_of(theta);
    if (network.layer(2).units.empty()) continue;
    UnitSignals a, b;
    a.build(network, theta, weighted, clip);
    b.build(network, theta, copied, clip);
    UnitInput input;
    input.count = 1;
    input.shift = stream.normal();
    input.source[0] = static_cast<std::uint32_t>(stream.below(shape.inputs()));
    input.weight[0] = stream.normal();
    const auto destination =
        static_cast<std::uint32_t>(stream.below(network.layer(2).units.size()));
    const OutgoingDerivative by_weight = a.outgoing(1, destination, input);
    const OutgoingDerivative by_copy = b.outgoing(1, destination, input);
    EXPECT_NEAR(by_weight.gradient, by_copy.gradient, 1e-11 * (1.0 + std::abs(by_copy.gradient)));
    EXPECT_NEAR(by_weight.curvature, by_copy.curvature, 1e-11 * (1.0 + by_copy.curvature));
    compared += by_copy.curvature > 0.0;
  }
  EXPECT_GT(compared, 50);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Weights,
                         ::testing::Values(Precision::full, Precision::single));

TEST(PartOfTheRows, HasTheWeightOfItsRowsAndNotMore) {
  std::vector<double> x(40, 1.0), y(40), weights(40);
  for (std::size_t i = 0; i < 40; ++i) weights[i] = 0.5 + static_cast<double>(i);
  const Samples samples(40, 1, x, y, Precision::full, weights);
  EXPECT_DOUBLE_EQ(samples.total_weight({16, 32}), 16 * 0.5 + (16 + 31) * 8.0);
  const std::vector<std::size_t> some = {3, 1};
  const Samples part = samples.subset(some, Precision::single);
  EXPECT_EQ(part.weight(0), 3.5);
  EXPECT_EQ(part.weight(1), 1.5);
  EXPECT_EQ(part.total_weight(), 5.0);
}

}  // namespace
}  // namespace lacuna
