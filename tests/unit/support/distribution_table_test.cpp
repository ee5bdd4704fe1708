// The table against the formulas that it stands for.
#include "support/distribution_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

namespace lacuna {
namespace {

TEST(DistributionTable, AgreesWithTheFormulas) {
  for (const auto degrees : {std::optional<unsigned>{}, std::optional<unsigned>{1},
                             std::optional<unsigned>{3}, std::optional<unsigned>{30}}) {
    const StudentT law(degrees);
    const DistributionTable table(law);
    for (double t = -20.0; t < 20.0; t += 0.00371) {
      const auto [distribution, density] = table.at(t);
      ASSERT_NEAR(distribution, law.distribution(t), 1e-9) << t;
      ASSERT_NEAR(density, std::exp(law.log_density(t)), 1e-6) << t;
    }
    EXPECT_EQ(table.at(0.0).distribution, 0.5);
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(table.at(infinity).distribution, 1.0);
    EXPECT_EQ(table.at(-infinity).distribution, 0.0);
    EXPECT_TRUE(std::isnan(table.at(std::nan("")).distribution));
  }
}

}  // namespace
}  // namespace lacuna
