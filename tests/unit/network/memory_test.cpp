// Memory of the passes: nothing is allocated once the buffers have grown, and little on networks of
// 10^9 parameters.
#include <gtest/gtest.h>

#include "allocation/allocation_counter.hpp"
#include "network/evaluator.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

TEST(Memory, NothingIsAllocatedOnceTheBuffersHaveGrown) {
  RandomStream stream = testing::test_stream(150);
  const Architecture architecture(5, {8, 8});
  const Samples samples = testing::random_rows(300, 5, stream).samples();
  std::vector<SparseTheta> points;
  for (int i = 0; i < 50; ++i)
    points.push_back(testing::random_theta(architecture, stream.uniform(), stream));
  Evaluator evaluator(architecture, 2.0);
  Evaluation out;
  std::vector<double> f(300);
  const auto round = [&] {
    for (const SparseTheta& theta : points) {
      for (unsigned flags = 0; flags < 8; ++flags) {
        evaluator.evaluate(theta, samples, samples.all(),
                           {(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0}, out);
      }
      evaluator.predict(theta, samples, f);
    }
  };
  round();
  const std::uint64_t before = testing::allocations();
  round();
  EXPECT_EQ(testing::allocations(), before);
}

// A sparse point on layers of `architecture`: `paths` chains of units from an input to the output,
// with cross links.
SparseTheta sparse_paths(const Architecture& a, std::size_t paths, RandomStream& stream) {
  SparseTheta theta;
  std::vector<std::uint64_t> units(paths), before(paths);
  const auto put = [&](std::uint64_t index) {
    if (!theta.contains(index)) theta.insert(index, stream.uniform(0.2, 1.0));
  };
  for (std::uint64_t& input : before) input = stream.below(a.inputs());
  for (std::size_t l = 1; l <= a.layers(); ++l) {
    for (std::size_t k = 0; k < paths; ++k) {
      units[k] = stream.below(a.size(l));
      put(a.weight_index(l, units[k], before[k]));
      put(a.weight_index(l, units[k], before[(k + 1) % paths]));
      if (k % 2 == 0) put(a.shift_index(l, units[k]));
    }
    before = units;
  }
  return theta;
}

TEST(Memory, ANetworkOfABillionParametersCostsWhatItsLivePartCosts) {
  RandomStream stream = testing::test_stream(151);
  const Architecture architecture(50, std::vector<std::size_t>(14, 10000));
  ASSERT_GT(architecture.parameter_count(), 1'000'000'000u);
  const Samples samples = testing::random_rows(1000, 50, stream).samples();
  const SparseTheta theta = sparse_paths(architecture, 3, stream);

  const std::uint64_t before = testing::allocated_bytes();
  Evaluator evaluator(architecture, 3.0);
  Evaluation out;
  const Request everything = {.gradient = true, .curvature = true, .inactive = true};
  evaluator.evaluate(theta, samples, samples.all(), everything, out);
  EXPECT_LT(testing::allocated_bytes() - before, 2'000'000u);
  EXPECT_EQ(evaluator.network().evaluated_units(), 43u);
  EXPECT_GT(out.inactive.size(), 3u * 45u);

  // A gradient takes three multiply-adds per active weight and row, and a fixed number besides.
  const std::uint64_t work = evaluator.work();
  evaluator.evaluate(theta, samples, samples.all(), {.gradient = true}, out);
  EXPECT_LE(evaluator.work() - work, 100'000u + 3u * 1000u * theta.size());
}

TEST(Memory, HugeAndSmallNetworksAgreeOnTheSameLivePart) {
  // Units 0 .. 3 of a huge network carry the same weights as a small network: the same bits must
  // come out.
  RandomStream stream = testing::test_stream(152);
  const Architecture small(3, {4, 4}), huge(3, {1'000'000, 1'000'000});
  const Samples samples = testing::random_rows(200, 3, stream).samples();
  Evaluator small_evaluator(small, 2.0), huge_evaluator(huge, 2.0);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const SparseTheta theta = testing::random_theta(small, 0.6, stream);
    SparseTheta lifted;
    for (std::size_t k = 0; k < theta.size(); ++k) {
      const Place at = small.place(theta.index[k]);
      lifted.insert(at.shift ? huge.shift_index(at.layer, at.destination)
                             : huge.weight_index(at.layer, at.destination, at.source),
                    theta.value[k]);
    }
    ASSERT_EQ(lifted.value, theta.value);
    Evaluation a, b;
    const Request everything = {.gradient = true, .curvature = true, .inactive = true};
    small_evaluator.evaluate(theta, samples, samples.all(), everything, a);
    huge_evaluator.evaluate(lifted, samples, samples.all(), everything, b);
    ASSERT_EQ(testing::bits_of(a.risk), testing::bits_of(b.risk));
    ASSERT_EQ(testing::bits_of(a.gradient), testing::bits_of(b.gradient));
    ASSERT_EQ(testing::bits_of(a.curvature), testing::bits_of(b.curvature));
    ASSERT_EQ(a.inactive.size(), b.inactive.size());
    for (std::size_t k = 0; k < a.inactive.size(); ++k) {
      ASSERT_EQ(testing::bits_of(a.inactive[k].gradient), testing::bits_of(b.inactive[k].gradient));
    }
  }
}

}  // namespace
}  // namespace lacuna
