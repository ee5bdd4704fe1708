// Constants and bounds of the paper against values computed by hand, or with 60 decimal digits
// (Python's decimal: ln of each factor of the formula as the paper prints it, summed).
#include "theory/bounds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "lacuna/errors.hpp"
#include "lacuna/theory.hpp"
#include "posterior/lambda.hpp"
#include "statistical/naive_network.hpp"
#include "theory/constants.hpp"

namespace lacuna {
namespace {

TEST(TheoryConstants, ParametersByHand) {
  EXPECT_EQ(parameters_of(1, 1, 1), 4U);
  EXPECT_EQ(parameters_of(1, 1, 2), 7U);
  EXPECT_EQ(parameters_of(2, 2, 1), 7U);
  EXPECT_EQ(parameters_of(10, 3, 64), 11U * 64 + 2 * 65 * 64 + 65);
  EXPECT_EQ(parameters_of(100, 5, 500000), 1000053000001U);
  EXPECT_THROW(parameters_of(1, 1000, std::uint64_t{1} << 30), Error);
}

TEST(TheoryConstants, FactorIsHalfAtTheTheoremsLambda) {
  for (const double clip : {1.0, 1.5, 5.0}) {
    for (const double tail : {0.1, 3.0, 20.0}) {
      const BernsteinAssumption a{clip, 0.3, tail};
      const double n = 777.0, lambda = theory_lambda(n, clip, 0.3, tail);
      EXPECT_NEAR(bernstein_factor(a, n, lambda), 0.5, 1e-14);
      EXPECT_NEAR(bernstein_factor(a, n, largest_lambda(a, n)), 1.0, 1e-13);
      EXPECT_LT(bernstein_factor(a, n, 0.5 * lambda), 0.5);
      EXPECT_TRUE(std::isinf(bernstein_factor(a, n, n / bernstein_w(a))));
    }
  }
  // C = 1, sigma = 0: w = 32; at lambda = n / 40 the factor is (8 / 40) / (1 - 32 / 40) = 1.
  EXPECT_DOUBLE_EQ(bernstein_w({1.0, 0.0, 2.0}), 32.0);
  EXPECT_DOUBLE_EQ(bernstein_factor({1.0, 0.0, 2.0}, 400.0, 10.0), 1.0);
  EXPECT_DOUBLE_EQ(bernstein_w({1.0, 0.0, 3.0}), 48.0);
}

// The moments of standard normal noise, E|Z|^k = 2^(k/2) Gamma((k+1)/2) / sqrt(pi), satisfy the
// assumption with Gamma = sigma, the default, and with 0.532 sigma, but not with 0.531 sigma.
TEST(TheoryConstants, NormalNoiseSatisfiesTheAssumption) {
  const auto holds = [](double tail) {
    for (int k = 2; k <= 150; ++k) {
      const double log_moment =
          0.5 * k * std::log(2.0) + std::lgamma(0.5 * (k + 1)) - 0.5 * std::log(std::acos(-1.0));
      const double log_bound = std::lgamma(k + 1.0) - std::log(2.0) + (k - 2) * std::log(tail);
      if (log_moment > log_bound + 1e-12) return false;
    }
    return true;
  };
  EXPECT_TRUE(holds(1.0));
  EXPECT_TRUE(holds(0.532));
  EXPECT_FALSE(holds(0.531));
}

struct Reference {
  TheorySetting setting;
  double log_eta, inside, corner, simple, oracle, pac_bayes;
};

TEST(TheoryBounds, AgreeWithSixtyDigits) {
  TheorySetting small;
  small.n = 500;
  small.inputs = 3;
  small.depth = 2;
  small.width = 8;
  small.clip = 1.0;
  small.sigma = 0.1;
  small.second_moment = 1.5;
  small.approximation = 0.01;
  small.active = {7};
  TheorySetting other_base = small;
  other_base.base = 1.5;  // sum_j a^-j is above one
  TheorySetting large = small;
  large.n = 1e6;
  large.inputs = 100;
  large.depth = 5;
  large.width = 500000;  // P = 1.000053e12
  large.second_moment = 1.0;
  large.approximation = 0.0;
  large.active = {50};
  const std::array references = {
      Reference{small, -17.540529058694084, 159.70306353531701, 164.55509379923663,
                180.26976469036097, 70.915610415983292, 64.861062015050905},
      Reference{other_base, -17.540529058694084, 158.38243620871449, 163.23446647263411,
                178.94913736375845, 70.406799119589873, 64.352250718657486},
      Reference{large, -95.070736518794120, 6076.2007381743657, 6110.8580972023630,
                6309.3358641553609, 1.2161410866149292, 1.1779063295891037}};
  for (const Reference& ref : references) {
    const TheoryReport report = theory_report(ref.setting);
    ASSERT_EQ(report.oracle.size(), 1U);
    const OracleRow& row = report.oracle.front();
    const auto near = [](double value, double expected) {
      EXPECT_NEAR(value / expected, 1.0, 1e-13);
    };
    near(report.xi_0, 48.16);
    near(report.log_eta, ref.log_eta);
    near(row.kl_inside, ref.inside);
    near(row.kl_corner, ref.corner);
    near(row.kl_lemma, ref.corner);
    near(row.kl_simple, ref.simple);
    near(row.oracle, ref.oracle);
    near(row.pac_bayes, ref.pac_bayes);
    EXPECT_NEAR(row.oracle_mean - row.oracle, 4.0 * 48.16 / ref.setting.n, 1e-12 * row.oracle);
  }
}

// theta = (0, 2.75, -3, 1) in [-3, 3], eta = 1/2, P = 113: lengths 1, 3/4, 1/2, 1.
TEST(TheoryBounds, CubeAroundGivenValues) {
  const std::array theta = {0.0, 2.75, -3.0, 1.0};
  EXPECT_NEAR(kl_of_cube(theta, std::log(0.5), 113, 2.0, 3.0), 26.598299278927967, 1e-12);
}

TEST(TheoryBounds, CubesLieBetweenInsideAndCorner) {
  const Prior prior(PriorKind::sparse, 1000, 2.0, 2.0);
  for (const double log_eta : {-2000.0, -40.0, -3.0, 0.0}) {  // the first underflows
    const std::array inside = {0.5, -0.25, 0.0}, corner = {2.0, -2.0, 2.0};
    EXPECT_NEAR(kl_of_cube(inside, log_eta, 1000, 2.0, 2.0), kl_inside(prior, 3, log_eta), 1e-9);
    EXPECT_NEAR(kl_of_cube(corner, log_eta, 1000, 2.0, 2.0), kl_corner(prior, 3, log_eta), 1e-9);
    EXPECT_LE(kl_corner(prior, 3, log_eta), kl_lemma(prior, 3, log_eta) + 1e-9);
    EXPECT_LT(kl_lemma(prior, 3, log_eta), kl_simple(prior, 3, log_eta));
  }
  const std::array outside = {2.5};
  EXPECT_THROW(kl_of_cube(outside, -1.0, 1000, 2.0, 2.0), Error);
}

// 1 / C_I is the prior mass of one set, so over all sets it sums to one.
TEST(TheoryBounds, CostsOfSetsAreMinusLogOfTheirMass) {
  for (const double base : {1.2, 2.0, 7.0}) {
    const Prior prior(PriorKind::sparse, 12, base, 3.0);
    double sum = 0.0, binomial = 1.0;
    for (std::uint64_t k = 1; k <= 12; ++k) {
      binomial *= static_cast<double>(12 - k + 1) / static_cast<double>(k);
      sum += binomial * std::exp(-log_set_cost(prior, k));
    }
    EXPECT_NEAR(sum, 1.0, 1e-13);
  }
}

// Random pairs of networks never differ by more than the lemma allows.
TEST(TheoryBounds, LipschitzConstantIsNotExceeded) {
  RandomStream stream({7, 0, 0, 0, Purpose::test});
  double largest = 0.0;
  for (int repetition = 0; repetition < 2000; ++repetition) {
    const std::size_t depth = 1 + stream.below(3), width = 1 + stream.below(4);
    const statistical::NaiveNetwork network{2, std::vector<std::size_t>(depth, width)};
    const double bound = stream.uniform(1.0, 3.0);
    std::vector<double> theta(network.parameter_count()), other(theta);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      theta[i] = stream.uniform() < 0.5 ? bound : stream.uniform(-bound, bound);
      other[i] = theta[i] - stream.uniform(0.0, 0.01);
    }
    double distance = 0.0;
    for (std::size_t i = 0; i < theta.size(); ++i)
      distance = std::max(distance, std::abs(theta[i] - other[i]));
    const std::array x = {stream.uniform(-2.0, 2.0), stream.uniform(-2.0, 2.0)};
    const double difference =
        std::abs(network.output(theta, x.data()) - network.output(other, x.data()));
    const double norm = std::max(1.0, std::abs(x[0]) + std::abs(x[1]));
    const NetworkSize size{2.0, static_cast<double>(depth), static_cast<double>(width), bound, 1.0};
    largest = std::max(largest, difference / (std::exp(log_lipschitz(size)) * norm * distance));
  }
  EXPECT_LE(largest, 1.0);
  EXPECT_GT(largest, 0.05);  // the comparison means something
}

TEST(TheoryBounds, PacBayesIsThePapersAtAHalf) {
  EXPECT_DOUBLE_EQ(pac_bayes_bound(0.25, 10.0, {8.0, 0.5, 0.05}),
                   3 * 0.25 + 0.5 * (10.0 + std::log(40.0)));
}

TEST(TheoryReport, RowsNeededIsWhereTheBoundLeavesVacuity) {
  TheorySetting s;
  s.n = 1000;
  s.inputs = 5;
  s.depth = 2;
  s.width = 16;
  s.clip = 1.0;
  s.sigma = 0.1;
  const TheoryReport first = theory_report(s);
  ASSERT_EQ(first.oracle.size(), 3U);  // P = 385
  for (const OracleRow& row : first.oracle) {
    TheorySetting at = s;
    at.active = {row.active};
    at.n = row.rows_needed;
    EXPECT_FALSE(theory_report(at).oracle.front().vacuous);
    at.n = row.rows_needed - 2;
    EXPECT_TRUE(theory_report(at).oracle.front().vacuous);
  }
  s.approximation = 1.0;  // 4 C^2 = 4 = 4 E(theta*)
  EXPECT_TRUE(std::isinf(theory_report(s).oracle.front().rows_needed));
}

TEST(TheoryReport, RefusesWhatTheTheoremDoesNotCover) {
  TheorySetting good;
  good.n = 100;
  good.inputs = good.depth = good.width = 2;
  EXPECT_NO_THROW(theory_report(good));
  const auto refused = [&](auto change) {
    TheorySetting bad = good;
    change(bad);
    EXPECT_THROW(theory_report(bad), Error);
  };
  refused([](TheorySetting& s) { s.n = 1; });
  refused([](TheorySetting& s) { s.clip = 0.5; });
  refused([](TheorySetting& s) { s.bound = 0.5; });
  refused([](TheorySetting& s) { s.delta = 1.0; });
  refused([](TheorySetting& s) { s.sigma = std::nan(""); });
  refused([](TheorySetting& s) { s.base = 1.0; });
  refused([](TheorySetting& s) { s.active = {16}; });  // P = 15
  refused([](TheorySetting& s) { s.lambda = s.n; });
  refused([](TheorySetting& s) { s.eta = 2.0; });
}

}  // namespace
}  // namespace lacuna
