// The prior's log density and its differences between sizes, in every regime of P and k.
#include "posterior/prior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

long double log_binomial(std::uint64_t total, std::uint64_t k) {
  long double sum = 0.0L;
  for (std::uint64_t j = 1; j <= k; ++j) {
    sum +=
        std::log(static_cast<long double>(total - j + 1)) - std::log(static_cast<long double>(j));
  }
  return sum;
}

// log of sum_{j=1}^P a^-j, summed from the definition until the terms vanish.
long double log_normaliser(std::uint64_t total, double base) {
  long double sum = 0.0L, term = 1.0L;
  for (std::uint64_t j = 1; j <= total && term > 1e-25L; ++j)
    sum += term /= static_cast<long double>(base);
  return std::log(sum);
}

long double reference(std::uint64_t total, std::uint64_t k, double base, double bound) {
  const auto size = static_cast<long double>(k);
  return -size * std::log(static_cast<long double>(base)) - log_binomial(total, k) -
         size * std::log(2.0L * static_cast<long double>(bound)) - log_normaliser(total, base);
}

TEST(Prior, LogDensityIsTheFormula) {
  for (const std::uint64_t total :
       {std::uint64_t{4}, std::uint64_t{7}, std::uint64_t{385}, std::uint64_t{100'000},
        std::uint64_t{1'000'000'000}, std::uint64_t{1'000'000'000'000}}) {
    for (const double base : {1.25, 2.0, 10.0, 1e6}) {
      for (const double bound : {1.0, 3.0, 1000.0}) {
        const Prior prior(PriorKind::sparse, total, base, bound);
        for (const std::uint64_t k : {1, 2, 3, 4, 7, 50, 385, 5000}) {
          if (k > total) continue;
          const double expected = static_cast<double>(reference(total, k, base, bound));
          EXPECT_NEAR(prior.log_density_of_size(k), expected, 1e-15 * std::abs(expected) + 1e-14)
              << "P " << total << ", k " << k << ", a " << base << ", B " << bound;
        }
      }
    }
  }
}

TEST(Prior, SmallestNetworkByHand) {
  // P = 4, a = 2, B = 1: sum_{j=1}^4 2^-j = 15/16; a set of two has prior mass (1/4) / (15/16) / 6
  // = 2/45.
  const Prior prior(PriorKind::sparse, 4, 2.0, 1.0);
  EXPECT_NEAR(prior.log_mass_of_size(1), std::log(8.0 / 15.0), 1e-15);
  EXPECT_NEAR(prior.log_mass_of_size(4), std::log(1.0 / 15.0), 1e-15);
  EXPECT_NEAR(prior.log_density_of_size(2), std::log(2.0 / 45.0 / 4.0), 1e-15);
  EXPECT_NEAR(prior.log_density({{0, 3}, {0.5, -0.5}}), std::log(2.0 / 45.0 / 4.0), 1e-15);
}

TEST(Prior, MassesSumToOne) {
  for (const std::uint64_t total : {1, 4, 31, 385, 3000}) {
    for (const double base : {1.01, 1.5, 2.0, 100.0}) {
      const Prior prior(PriorKind::sparse, total, base, 3.0);
      long double by_size = 0.0L, by_set = 0.0L, log_sets = 0.0L;
      for (std::uint64_t k = 1; k <= total; ++k) {
        log_sets += std::log(static_cast<long double>(total - k + 1) / static_cast<long double>(k));
        by_size += std::exp(static_cast<long double>(prior.log_mass_of_size(k)));
        // all sets of the size, times the volume of the box
        by_set += std::exp(log_sets + static_cast<long double>(k) * std::log(6.0L) +
                           static_cast<long double>(prior.log_density_of_size(k)));
      }
      EXPECT_NEAR(static_cast<double>(by_size), 1.0, 1e-13) << "P " << total << ", a " << base;
      EXPECT_NEAR(static_cast<double>(by_set), 1.0, 1e-10) << "P " << total << ", a " << base;
    }
  }
}

TEST(Prior, DifferencesBetweenNeighbouringSizesAreExactOnHugeNetworks) {
  for (const std::uint64_t total :
       {std::uint64_t{1'000'000'000}, std::uint64_t{1'000'000'000'000}}) {
    const double base = 2.0, bound = 3.0;
    const Prior prior(PriorKind::sparse, total, base, bound);
    for (std::uint64_t k = 1; k <= 500; ++k) {
      const long double expected =
          -std::log(static_cast<long double>(total - k) / static_cast<long double>(k + 1)) -
          std::log(static_cast<long double>(base)) -
          std::log(2.0L * static_cast<long double>(bound));
      const double difference = prior.log_density_of_size(k + 1) - prior.log_density_of_size(k);
      EXPECT_NEAR(difference / static_cast<double>(expected), 1.0, 1e-12)
          << "P " << total << ", k " << k;
    }
  }
}

TEST(Prior, DifferencesStayGoodWhereSizesAreNoLongerTabulated) {
  // Past 2^16 the binomial comes from log-gamma; a jump there must still see its ratio to a part in
  // 10^6.
  for (const std::uint64_t total :
       {std::uint64_t{200'000}, std::uint64_t{10'000'000}, std::uint64_t{1'000'000'000}}) {
    const Prior prior(PriorKind::sparse, total, 2.0, 1.0);
    for (const std::uint64_t k : {65'534, 65'535, 65'536, 65'537, 100'000}) {
      const long double expected =
          -std::log(static_cast<long double>(total - k) / static_cast<long double>(k + 1)) -
          2.0L * std::log(2.0L);
      const double difference = prior.log_density_of_size(k + 1) - prior.log_density_of_size(k);
      EXPECT_NEAR(difference, static_cast<double>(expected), 1e-6) << "P " << total << ", k " << k;
    }
  }
}

TEST(Prior, SizesWithoutMass) {
  const Prior sparse(PriorKind::sparse, 7, 2.0, 1.0);
  const Prior dense(PriorKind::dense, 7, 2.0, 1.0);
  EXPECT_EQ(sparse.log_density_of_size(0), kMinusInfinity);
  EXPECT_EQ(sparse.log_density_of_size(8), kMinusInfinity);
  EXPECT_EQ(sparse.log_mass_of_size(0), kMinusInfinity);
  EXPECT_EQ(sparse.log_mass_of_size(8), kMinusInfinity);
  EXPECT_EQ(sparse.log_density({}), kMinusInfinity);
  EXPECT_EQ(dense.log_density_of_size(6), kMinusInfinity);
  EXPECT_EQ(dense.log_mass_of_size(6), kMinusInfinity);
  EXPECT_EQ(dense.log_mass_of_size(7), 0.0);
}

TEST(Prior, DenseIsUniformOnTheBox) {
  const Prior prior(PriorKind::dense, 5, 2.0, 3.0);
  EXPECT_NEAR(prior.log_density({{0, 1, 2, 3, 4}, {1.0, -3.0, 0.0, 3.0, 2.5}}),
              -5.0 * std::log(6.0), 1e-14);
}

TEST(Prior, OutsideTheBoxThereIsNothing) {
  for (const PriorKind kind : {PriorKind::sparse, PriorKind::dense}) {
    const Prior prior(kind, 2, 2.0, 3.0);
    const auto at = [&](double value) { return SparseTheta{{0, 1}, {0.5, value}}; };
    for (const double inside : {-3.0, 3.0, 0.0}) {
      EXPECT_TRUE(prior.inside_box(at(inside)));
      EXPECT_TRUE(std::isfinite(prior.log_density(at(inside))));
    }
    for (const double outside :
         {std::nextafter(3.0, 4.0), -std::nextafter(3.0, 4.0), 1e300, -kMinusInfinity,
          kMinusInfinity, std::numeric_limits<double>::quiet_NaN()}) {
      EXPECT_FALSE(prior.inside_box(at(outside)));
      EXPECT_EQ(prior.log_density(at(outside)), kMinusInfinity);
    }
  }
}

TEST(Prior, SettingsOutOfRangeAreNamed) {
  const auto message = [](double base, double bound) -> std::string {
    try {
      Prior(PriorKind::sparse, 10, base, bound);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(1.0, 1.0), "base a=1: must be > 1");
  EXPECT_EQ(message(0.5, 1.0), "base a=0.5: must be > 1");
  EXPECT_EQ(message(2.0, 0.5), "bound B=0.5: must be >= 1");
  EXPECT_EQ(message(2.0, -1.0), "bound B=-1: must be >= 1");
  EXPECT_EQ(message(2.0, std::numeric_limits<double>::quiet_NaN()),
            "bound B=nan: must be a finite number");
  EXPECT_EQ(message(-kMinusInfinity, 1.0), "base a=inf: must be a finite number");
  EXPECT_EQ(message(2.0, 1.0), "no error");
}

TEST(Prior, RemembersItsSettings) {
  const Prior prior(PriorKind::sparse, 12, 2.5, 4.0);
  EXPECT_EQ(prior.kind(), PriorKind::sparse);
  EXPECT_EQ(prior.parameter_count(), 12u);
  EXPECT_EQ(prior.base(), 2.5);
  EXPECT_EQ(prior.bound(), 4.0);
}

}  // namespace
}  // namespace lacuna
