// Student's t against tabulated values and against its own density.
#include "support/student_t.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace lacuna {
namespace {

TEST(StudentT, HasTheTabulatedQuantiles) {
  EXPECT_NEAR(StudentT(1).quantile(0.95), 6.313751514675043, 1e-10);
  EXPECT_NEAR(StudentT(2).quantile(0.975), 4.302652729749464, 1e-10);
  EXPECT_NEAR(StudentT(3).quantile(0.95), 2.3533634348018264, 1e-11);
  EXPECT_NEAR(StudentT(4).quantile(0.975), 2.7764451051977987, 1e-11);
  EXPECT_NEAR(StudentT(10).quantile(0.99), 2.7637694581126957, 1e-11);
  EXPECT_NEAR(StudentT(30).quantile(0.025), -2.0422724563012373, 1e-11);
  EXPECT_NEAR(StudentT({}).quantile(0.975), 1.959963984540054, 1e-11);
}

TEST(StudentT, ItsDistributionIsTheIntegralOfItsDensity) {
  for (const std::optional<unsigned> degrees :
       {std::optional<unsigned>{}, std::optional(1u), std::optional(3u), std::optional(4u),
        std::optional(5u), std::optional(10u), std::optional(31u)}) {
    const StudentT t(degrees);
    EXPECT_EQ(t.distribution(0.0), 0.5);
    double sum = 0.0;
    constexpr double from = -1.7, to = 2.9;
    constexpr int steps = 20'000;
    for (int k = 0; k < steps; ++k)
      sum += std::exp(t.log_density(from + (to - from) * (k + 0.5) / steps)) * (to - from) / steps;
    EXPECT_NEAR(t.distribution(to) - t.distribution(from), sum, 1e-9);
    for (const double q : {1e-9, 1e-3, 0.2, 0.5, 0.77, 0.999999})
      EXPECT_NEAR(t.distribution(t.quantile(q)), q, 1e-12 + 1e-9 * q);
  }
}

TEST(StudentT, KeepsItsTailFarOut) {
  // P(T < -t) of three degrees of freedom falls as t^-3.
  const StudentT t(3);
  const double near = t.distribution(-1e3), far = t.distribution(-1e5);
  EXPECT_GT(far, 0.0);
  EXPECT_NEAR(near / far, 1e6, 1e2);
  EXPECT_NEAR(t.distribution(-1731.0) / t.distribution(-1733.0), std::pow(1733.0 / 1731.0, 3.0),
              1e-5);  // on either side of where the sums end
}

}  // namespace
}  // namespace lacuna
