// Risk, gradient and prediction of the evaluator against the naive network, and the promise of the
// same bits.
#include "network/evaluator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::bits_of;

constexpr Request kEverything = {.gradient = true, .curvature = true, .inactive = true};

// Gradient of the clipped risk in long double by the chain rule over all P parameters, one row at a
// time.
std::vector<long double> naive_gradient(const Architecture& a, const SparseTheta& theta,
                                        const testing::Rows& rows, double clip) {
  const auto network = testing::naive<long double>(a, theta);
  std::vector<long double> gradient(a.parameter_count()), z;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const long double g = network.output(rows.row(i), &z);
    if (std::abs(g) > clip) continue;
    std::vector<std::vector<long double>> activation(a.layers()), back(a.layers() + 1);
    activation[0].assign(rows.row(i), rows.row(i) + a.inputs());
    for (std::size_t l = 1, unit = 0; l < a.layers(); ++l) {
      for (std::size_t u = 0; u < a.size(l); ++u)
        activation[l].push_back(std::max(z[unit++], 0.0L));
    }
    back[a.layers()] = {2.0L * (g - rows.y[i]) / static_cast<long double>(rows.count)};
    for (std::size_t l = a.layers(); l >= 1; --l) {
      back[l - 1].assign(a.size(l - 1), 0.0L);
      for (std::size_t d = 0; d < a.size(l); ++d) {
        gradient[a.shift_index(l, d)] += back[l][d];
        for (std::size_t s = 0; s < a.size(l - 1); ++s) {
          const std::uint64_t index = a.weight_index(l, d, s);
          gradient[index] += back[l][d] * activation[l - 1][s];
          if (activation[l - 1][s] > 0.0L) back[l - 1][s] += back[l][d] * network.theta[index];
        }
      }
    }
  }
  return gradient;
}

void expect_matches_naive(const Architecture& a, const SparseTheta& theta,
                          const testing::Rows& rows, double clip) {
  Evaluator evaluator(a, clip);
  const Samples samples = rows.samples();
  Evaluation out;
  evaluator.evaluate(theta, samples, samples.all(), kEverything, out);

  const auto network = testing::naive<long double>(a, theta);
  EXPECT_NEAR(out.risk, static_cast<double>(testing::naive_risk(network, rows, clip)),
              1e-13 * (1.0 + out.risk));
  const std::vector<long double> gradient = naive_gradient(a, theta, rows, clip);
  std::set<std::uint64_t> covered(theta.index.begin(), theta.index.end());
  for (std::size_t k = 0; k < theta.size(); ++k) {
    EXPECT_NEAR(out.gradient[k], static_cast<double>(gradient[theta.index[k]]), 1e-11);
  }
  for (const InactiveDerivative& d : out.inactive) {
    EXPECT_TRUE(covered.insert(d.index).second);
    EXPECT_NEAR(d.gradient, static_cast<double>(gradient[d.index]), 1e-11);
  }
  for (std::uint64_t i = 0; i < a.parameter_count(); ++i) {
    if (!covered.contains(i)) {
      EXPECT_EQ(gradient[i], 0.0L);
    }
  }

  std::vector<double> f(rows.count);
  evaluator.predict(theta, samples, f);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double expected =
        static_cast<double>(testing::clipped(network.output(rows.row(i)), clip));
    EXPECT_NEAR(f[i], expected, 1e-13 * (1.0 + std::abs(expected)));
    EXPECT_LE(std::abs(f[i]), clip);
  }
}

TEST(Evaluator, MatchesTheNaiveNetworkAtAwkwardRowCounts) {
  RandomStream stream = testing::test_stream(130);
  for (const std::size_t count : {1, 7, 8, 9, 127, 128, 129, 1000}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Architecture a = testing::random_architecture(stream);
      const SparseTheta theta = testing::random_theta(a, testing::random_density(stream), stream);
      expect_matches_naive(a, theta, testing::random_rows(count, a.inputs(), stream),
                           1.0 + 4.0 * stream.uniform());
      ASSERT_FALSE(HasFailure()) << count << " rows, repeat " << repeat;
    }
  }
}

TEST(Evaluator, MatchesTheNaiveNetworkWhenWideAndDense) {
  RandomStream stream = testing::test_stream(131);
  const Architecture a(13, {17, 9, 5});
  SparseTheta theta = testing::random_theta(a, 2.0, stream);
  ASSERT_EQ(theta.size(), a.parameter_count());
  for (double& value : theta.value) value *= 0.25;
  expect_matches_naive(a, theta, testing::random_rows(201, 13, stream), 1.0);
}

TEST(Evaluator, ARangeOfRowsIsTheRiskOfThoseRows) {
  RandomStream stream = testing::test_stream(132);
  const Architecture a(2, {3, 3});
  const SparseTheta theta = testing::random_theta(a, 0.7, stream);
  const testing::Rows rows = testing::random_rows(301, 2, stream);
  const Samples samples = rows.samples();
  Evaluator evaluator(a, 2.0);
  Evaluation out;
  for (const RowRange range :
       {RowRange{0, 16}, RowRange{16, 144}, RowRange{32, 301}, RowRange{288, 301}}) {
    testing::Rows part{range.end - range.begin, 2, {}, {}};
    part.x.assign(rows.row(range.begin), rows.row(range.begin) + 2 * part.count);
    part.y.assign(rows.y.begin() + static_cast<std::ptrdiff_t>(range.begin),
                  rows.y.begin() + static_cast<std::ptrdiff_t>(range.end));
    evaluator.evaluate(theta, samples, range, {.gradient = true}, out);
    EXPECT_NEAR(out.risk, testing::naive_risk(testing::naive<double>(a, theta), part, 2.0), 1e-13);
    const std::vector<long double> gradient = naive_gradient(a, theta, part, 2.0);
    for (std::size_t k = 0; k < theta.size(); ++k) {
      EXPECT_NEAR(out.gradient[k], static_cast<double>(gradient[theta.index[k]]), 1e-12);
    }
  }
}

TEST(Evaluator, SinglePrecisionIsCloseToDouble) {
  RandomStream stream = testing::test_stream(136);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Architecture a = testing::random_architecture(stream);
    const SparseTheta theta = testing::random_theta(a, testing::random_density(stream), stream);
    const testing::Rows rows = testing::random_rows(1 + stream.below(10'000), a.inputs(), stream);
    const Samples full = rows.samples();
    const Samples single = full.subset(testing::all_rows(rows.count), Precision::single);
    Evaluator evaluator(a, 2.0);
    Evaluation exact, rounded;
    evaluator.evaluate(theta, full, full.all(), kEverything, exact);
    evaluator.evaluate(theta, single, single.all(), kEverything, rounded);
    const double scale = 1.0 + exact.risk;
    EXPECT_NEAR(rounded.risk, exact.risk, 1e-5 * scale);
    // A row near a kink may fall on the other side of it: one row in n.
    const double tolerance = 1e-4 * scale + 20.0 / static_cast<double>(rows.count);
    for (std::size_t k = 0; k < theta.size(); ++k) {
      EXPECT_NEAR(rounded.gradient[k], exact.gradient[k],
                  tolerance * (1.0 + std::sqrt(exact.curvature[k])));
      EXPECT_NEAR(rounded.curvature[k], exact.curvature[k], tolerance * (1.0 + exact.curvature[k]));
    }
    ASSERT_EQ(rounded.inactive.size(), exact.inactive.size());
    for (std::size_t k = 0; k < exact.inactive.size(); ++k) {
      EXPECT_NEAR(rounded.inactive[k].gradient, exact.inactive[k].gradient,
                  tolerance * (1.0 + std::sqrt(exact.inactive[k].curvature)));
    }
    ASSERT_FALSE(HasFailure()) << "repeat " << repeat;
  }
}

TEST(Evaluator, ClippedRowsGiveNoDerivative) {
  // f = clip(x + v): rows with |x + v| > 1 are left out of the derivatives and stay in the risk.
  const Architecture a(1, {1});
  const SparseTheta theta{{0, 1, 2, 3}, {1.0, 10.0, 1.0, -10.0}};
  const std::vector<double> x = {-3.0, 0.25, 0.75, 5.0}, y = {0.0, 0.0, 0.0, 0.0};
  const Samples samples(4, 1, x, y);
  Evaluator evaluator(a, 1.0);
  Evaluation out;
  evaluator.evaluate(theta, samples, samples.all(), {.gradient = true, .curvature = true}, out);
  EXPECT_DOUBLE_EQ(out.risk, (1.0 + 0.0625 + 0.5625 + 1.0) / 4.0);
  EXPECT_DOUBLE_EQ(out.gradient[3], 2.0 / 4.0 * (0.25 + 0.75));
  EXPECT_DOUBLE_EQ(out.curvature[3], 2.0 / 4.0 * 2.0);

  const std::vector<double> outside = {-3.0, 5.0, 2.0, -7.0};
  const Samples all_clipped(4, 1, outside, y);
  evaluator.evaluate(theta, all_clipped, all_clipped.all(), kEverything, out);
  for (const double g : out.gradient) EXPECT_EQ(g, 0.0);
  for (const double h : out.curvature) EXPECT_EQ(h, 0.0);
  for (const InactiveDerivative& d : out.inactive) EXPECT_EQ(d.gradient, 0.0);
}

TEST(Evaluator, AtTheClipLevelItselfTheDerivativeIsThere) {
  const Architecture a(1, {1});
  const SparseTheta theta{{3}, {1.0}};  // f = 1 = C
  const std::vector<double> x = {0.0}, y = {0.0};
  const Samples samples(1, 1, x, y);
  Evaluator evaluator(a, 1.0);
  Evaluation out;
  evaluator.evaluate(theta, samples, samples.all(), {.gradient = true}, out);
  EXPECT_DOUBLE_EQ(out.gradient[0], 2.0);
}

TEST(Evaluator, TheSameBitsWhateverIsAskedFor) {
  RandomStream stream = testing::test_stream(133);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const Architecture a = testing::random_architecture(stream);
    const SparseTheta theta = testing::random_theta(a, testing::random_density(stream), stream);
    const Samples samples =
        testing::random_rows(1 + stream.below(300), a.inputs(), stream).samples();
    Evaluator reference_evaluator(a, 2.0);
    Evaluation reference;
    reference_evaluator.evaluate(theta, samples, samples.all(), kEverything, reference);
    Evaluator shared(a, 2.0);
    Evaluation out;
    for (unsigned flags = 0; flags < 8; ++flags) {
      const Request request{(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0};
      shared.evaluate(theta, samples, samples.all(), request, out);
      ASSERT_EQ(bits_of(out.risk), bits_of(reference.risk));
      if (flags != 0) {
        ASSERT_EQ(bits_of(out.gradient), bits_of(reference.gradient));
      }
      if (request.curvature) {
        ASSERT_EQ(bits_of(out.curvature), bits_of(reference.curvature));
      }
      ASSERT_EQ(out.inactive.size(), request.inactive ? reference.inactive.size() : 0);
      for (std::size_t k = 0; k < out.inactive.size(); ++k) {
        ASSERT_EQ(out.inactive[k].index, reference.inactive[k].index);
        ASSERT_EQ(bits_of(out.inactive[k].gradient), bits_of(reference.inactive[k].gradient));
        if (request.curvature) {
          ASSERT_EQ(bits_of(out.inactive[k].curvature), bits_of(reference.inactive[k].curvature));
        }
      }
    }
  }
}

TEST(Evaluator, TheSameBitsWhateverWasEvaluatedBefore) {
  RandomStream stream = testing::test_stream(134);
  const Architecture a(3, {4, 3, 4});
  const Samples samples = testing::random_rows(150, 3, stream).samples();
  const Samples others = testing::random_rows(333, 3, stream).samples();
  Evaluator used(a, 1.5);
  std::vector<double> f(333), prediction(150), fresh_prediction(150);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const SparseTheta theta = testing::random_theta(a, testing::random_density(stream), stream);
    SparseTheta rescaled = theta;  // the same set: the live network is not built again
    for (double& value : rescaled.value) value *= 1.5;
    Evaluation out, fresh_out, ignored;
    used.evaluate(testing::random_theta(a, 1.5, stream), others, others.all(), kEverything,
                  ignored);
    used.predict(testing::random_theta(a, 0.5, stream), others, f);
    used.evaluate(rescaled, others, others.all(), {}, ignored);
    used.evaluate(theta, samples, samples.all(), kEverything, out);
    used.predict(theta, samples, prediction);

    Evaluator fresh(a, 1.5);
    fresh.evaluate(theta, samples, samples.all(), kEverything, fresh_out);
    fresh.predict(theta, samples, fresh_prediction);
    ASSERT_EQ(bits_of(out.risk), bits_of(fresh_out.risk));
    ASSERT_EQ(bits_of(out.gradient), bits_of(fresh_out.gradient));
    ASSERT_EQ(bits_of(out.curvature), bits_of(fresh_out.curvature));
    ASSERT_EQ(bits_of(prediction), bits_of(fresh_prediction));
    ASSERT_EQ(out.inactive.size(), fresh_out.inactive.size());
    for (std::size_t k = 0; k < out.inactive.size(); ++k) {
      ASSERT_EQ(out.inactive[k].index, fresh_out.inactive[k].index);
      ASSERT_EQ(bits_of(out.inactive[k].gradient), bits_of(fresh_out.inactive[k].gradient));
      ASSERT_EQ(bits_of(out.inactive[k].curvature), bits_of(fresh_out.inactive[k].curvature));
    }
  }
}

TEST(Evaluator, DeadWeightsDoNotTouchAnyBit) {
  RandomStream stream = testing::test_stream(135);
  const Architecture a(2, {3, 3});
  const Samples samples = testing::random_rows(50, 2, stream).samples();
  for (int repeat = 0; repeat < 200; ++repeat) {
    const SparseTheta theta = testing::random_theta(a, 0.5, stream);
    Evaluator evaluator(a, 2.0);
    Evaluation before, after;
    evaluator.evaluate(theta, samples, samples.all(), {.gradient = true}, before);
    SparseTheta changed = theta;
    for (std::size_t k = 0; k < theta.size(); ++k) {
      if (evaluator.network().slot_is_live(k)) continue;
      EXPECT_EQ(before.gradient[k], 0.0);
      changed.value[k] = stream.uniform(-2.0, 2.0);
    }
    evaluator.evaluate(changed, samples, samples.all(), {.gradient = true}, after);
    ASSERT_EQ(bits_of(after.risk), bits_of(before.risk));
    ASSERT_EQ(bits_of(after.gradient), bits_of(before.gradient));
  }
}

TEST(Evaluator, TheEmptyPointPredictsZero) {
  const Architecture a(2, {3});
  const testing::Rows rows{2, 2, {1.0, 2.0, 3.0, 4.0}, {0.5, -1.0}};
  const Samples samples = rows.samples();
  Evaluator evaluator(a, 1.0);
  Evaluation out;
  evaluator.evaluate({}, samples, samples.all(), kEverything, out);
  EXPECT_DOUBLE_EQ(out.risk, (0.25 + 1.0) / 2.0);
  ASSERT_EQ(out.inactive.size(), 1u);
  EXPECT_DOUBLE_EQ(out.inactive[0].gradient, 2.0 / 2.0 * (-0.5 + 1.0));
  EXPECT_DOUBLE_EQ(out.inactive[0].curvature, 2.0);
}

TEST(Evaluator, WhatIsNotANumberStaysSo) {
  const Architecture a(1, {1});
  const double infinity = std::numeric_limits<double>::infinity();
  const SparseTheta theta{{0, 2, 3}, {infinity, 1.0, -infinity}};  // g = inf - inf
  const std::vector<double> x = {1.0}, y = {0.0};
  const Samples samples(1, 1, x, y);
  Evaluator evaluator(a, 1.0);
  Evaluation out;
  evaluator.evaluate(theta, samples, samples.all(), {.gradient = true}, out);
  EXPECT_TRUE(std::isnan(out.risk));
}

TEST(Evaluator, CountsItsPasses) {
  const Architecture a(1, {1});
  const std::vector<double> x = {1.0}, y = {0.0};
  const Samples samples(1, 1, x, y);
  Evaluator evaluator(a, 1.0);
  Evaluation out;
  for (int i = 0; i < 3; ++i) evaluator.evaluate({}, samples, samples.all(), {}, out);
  EXPECT_EQ(evaluator.passes(), 3u);
  OutputMoments moments;
  evaluator.output_moments({}, samples, moments);
  EXPECT_EQ(evaluator.passes(), 4u);
}

}  // namespace
}  // namespace lacuna
