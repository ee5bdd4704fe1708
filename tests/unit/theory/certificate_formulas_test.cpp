// Formulas of the certificates against values with 40 decimal digits (Python's decimal, bisection)
// and against coins, whose law is known.
#include "theory/certificate_formulas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/random.hpp"

namespace lacuna {
namespace {

TEST(CertificateFormulas, KlAndItsInverse) {
  EXPECT_NEAR(binary_kl(0.1, 0.3), 0.11632175658600450, 1e-15);
  EXPECT_DOUBLE_EQ(binary_kl(0.0, 0.5), std::log(2.0));
  EXPECT_DOUBLE_EQ(binary_kl(1.0, 0.5), std::log(2.0));
  EXPECT_NEAR(kl_inverse(0.1, 0.05), 0.22007860110692462, 1e-14);
  EXPECT_NEAR(kl_inverse(0.02, 0.3), 0.31803924499664056, 1e-14);
  EXPECT_NEAR(kl_inverse(0.25, 2.0), 0.96679956047921462, 1e-14);
  EXPECT_NEAR(kl_inverse(0.0, 0.5), 1.0 - std::exp(-0.5), 1e-14);
  EXPECT_NEAR(kl_inverse(0.3, 0.0), 0.3, 1e-7);
  EXPECT_DOUBLE_EQ(kl_inverse(1.0, 0.1), 1.0);
  for (const double q : {0.0, 1e-6, 0.2, 0.7}) {
    for (const double limit : {1e-4, 0.1, 1.0}) {
      const double p = kl_inverse(q, limit);
      EXPECT_GE(binary_kl(q, p) * (1.0 + 1e-9), limit);  // from above
      EXPECT_GT(p, q);
    }
  }
}

TEST(CertificateFormulas, ExcessByHand) {
  // (-0.01 + (log 40 + 80) / 20) / (1 - 0.5)
  EXPECT_NEAR(excess_bound({-80.0, 20.0, 0.5, 0.025, 0.01}),
              2.0 * (-0.01 + (std::log(40.0) + 80.0) / 20.0), 1e-13);
  EXPECT_DOUBLE_EQ(normal_noise_floor(0.5, 100.0, std::exp(-4.0)), 0.25 * (1.0 - 2.0 * 0.2));
  EXPECT_DOUBLE_EQ(normal_noise_floor(0.5, 2.0, 1e-9), 0.0);
}

TEST(CertificateFormulas, GibbsRisk) {
  const GibbsTerms terms{-80.0, 1000.0, 200.0, 0.025, 4.0};
  // At one e the bound is 4 kl^-1(e / 4, (KL + log(2 sqrt n / delta)) / n), KL = 80 - 1000 e.
  EXPECT_NEAR(gibbs_risk_bound(terms, 0.06, 0.06), 0.69062376785668778, 1e-12);
  // Over all e it is no less than at any of them, and barely more than the best of a fine grid.
  const double any = gibbs_risk_bound(terms, 0.0, std::numeric_limits<double>::infinity());
  double best = 0.0;
  for (int i = 0; i <= 500; ++i) {
    const double e = 0.08 * i / 500;
    best = std::max(best, gibbs_risk_bound(terms, e, e));
  }
  EXPECT_GE(any, best);
  EXPECT_LT(any, best * 1.01);
  // Wider intervals of the mean risk cannot help.
  EXPECT_LE(gibbs_risk_bound(terms, 0.05, 0.06), gibbs_risk_bound(terms, 0.04, 0.07));
}

TEST(CertificateFormulas, TestSetByHand) {
  EXPECT_NEAR(test_bound_bernstein(0.03, 0.004, 50.0, 0.05), 0.22995538486271013, 1e-13);
  EXPECT_NEAR(test_bound_kl(0.0, 100.0, std::exp(-5.0)), 1.0 - std::exp(-0.05), 1e-13);
}

// Coins with p = 0.1: the share of samples whose bound is below the truth is at most delta. Of
// 4,000 samples at delta = 0.1 more than 400 + 4.5 * 19 would be a false alarm of probability 4e-6;
// the kl bound fails for one head or none, 55 samples expected, so 20 is 4.7 standard deviations
// off.
TEST(CertificateFormulas, TestSetBoundsHold) {
  RandomStream stream({3, 0, 0, 0, Purpose::test});
  int broken_kl = 0, broken_variance = 0;
  constexpr int rows = 60, samples = 4000;
  for (int s = 0; s < samples; ++s) {
    double mean = 0.0;
    for (int i = 0; i < rows; ++i) mean += (stream.uniform() < 0.1) / static_cast<double>(rows);
    const double variance = mean * (1.0 - mean) * rows / (rows - 1.0);
    broken_kl += test_bound_kl(mean, rows, 0.1) < 0.1;
    broken_variance += test_bound_bernstein(mean, variance, rows, 0.1) < 0.1;
  }
  EXPECT_LE(broken_kl, 485);
  EXPECT_GT(broken_kl, 20);
  EXPECT_LE(broken_variance, 485);
}

}  // namespace
}  // namespace lacuna
