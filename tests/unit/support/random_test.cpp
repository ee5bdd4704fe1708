// Random streams: published Philox values, independence of the parts of a key, and the laws of the
// distributions.
#include "support/random.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::kFalseAlarm;
using testing::test_stream;

using Block = std::array<std::uint64_t, 4>;

Block philox(const Block& counter, const std::array<std::uint64_t, 2>& key) {
  const auto out =
      r123::Philox4x64{}({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {out[0], out[1], out[2], out[3]};
}

Block next_block(RandomStream& stream) {
  return {stream.bits(), stream.bits(), stream.bits(), stream.bits()};
}

TEST(RandomStream, InstalledPhiloxGivesThePublishedValues) {
  constexpr std::uint64_t ones = UINT64_MAX;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc,
                                                 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
  EXPECT_EQ(
      philox({ones, ones, ones, ones}, {ones, ones}),
      (Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}));
  EXPECT_EQ(
      philox({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
             {0x452821e638d01377, 0xbe5466cf34e90c6c}),
      (Block{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}));
}

TEST(RandomStream, KeyAndCounterAreLaidOutAsDocumented) {
  RandomStream zero({.seed = 0});
  EXPECT_EQ(next_block(zero), philox({0, 0, 0, 0}, {0, 0}));
  RandomStream stream({.seed = 0x0123456789abcdef,
                       .chain = 0xdeadbeef,
                       .rung = 0x01020304,
                       .iteration = 0xfedcba9876543210,
                       .purpose = Purpose::exchange});
  for (std::uint64_t block = 0; block < 5; ++block) {
    EXPECT_EQ(next_block(stream),
              philox({block, 0xfedcba9876543210, 2, 0}, {0x0123456789abcdef, 0x01020304deadbeef}));
  }
}

TEST(RandomStream, EveryPartOfTheKeyGivesAnotherStream) {
  std::vector<StreamKey> keys = {{}};
  for (const std::uint64_t bit : {0, 31, 32, 63}) {
    keys.push_back({.seed = 1 ^ (std::uint64_t{1} << bit)});
    keys.push_back({.iteration = std::uint64_t{1} << bit});
  }
  for (const std::uint32_t bit : {0, 15, 31}) {
    keys.push_back({.chain = std::uint32_t{1} << bit});
    keys.push_back({.rung = std::uint32_t{1} << bit});
  }
  for (const Purpose purpose : {Purpose::start, Purpose::exchange, Purpose::simulation,
                                Purpose::prediction, Purpose::test}) {
    keys.push_back({.purpose = purpose});
  }
  std::set<std::uint64_t> seen;
  for (const StreamKey& key : keys) {
    RandomStream stream(key);
    for (int i = 0; i < 1000; ++i) seen.insert(stream.bits());
  }
  EXPECT_EQ(seen.size(), 1000 * keys.size());
}

TEST(RandomStream, TheSameKeyReplays) {
  const StreamKey key = {
      .seed = 7, .chain = 3, .rung = 2, .iteration = 11, .purpose = Purpose::start};
  RandomStream a(key), b(key);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(a.normal(), b.normal());
    EXPECT_EQ(a.uniform(), b.uniform());
    EXPECT_EQ(a.below(1000), b.below(1000));
  }
}

TEST(RandomStream, ACopyGoesOnAsTheOriginal) {
  RandomStream original = test_stream(1);
  original.normal();  // leaves a half-used block behind
  RandomStream copy = original;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(copy.normal(), original.normal());
}

TEST(RandomStream, UniformStaysInsideTheOpenIntervalAndIsFlat) {
  RandomStream stream = test_stream(2);
  std::vector<double> sample(200000);
  for (double& u : sample) {
    u = stream.uniform();
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
  }
  EXPECT_GT(testing::kolmogorov_p_value(sample, [](double u) { return u; }), kFalseAlarm);
}

TEST(RandomStream, UniformFollowsFromTheBitsAsTheCentreOfACell) {
  RandomStream bits = test_stream(3), uniforms = test_stream(3);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t cell = bits.bits() >> 12;
    EXPECT_EQ(uniforms.uniform(), (static_cast<double>(cell) + 0.5) * 0x1p-52);
  }
  // The two outermost cells: their centres are neither 0 nor 1 after rounding.
  EXPECT_GT(0.5 * 0x1p-52, 0.0);
  EXPECT_LT((static_cast<double>(UINT64_MAX >> 12) + 0.5) * 0x1p-52, 1.0);
}

TEST(RandomStream, UniformOnAnIntervalKeepsToIt) {
  RandomStream stream = test_stream(4);
  std::vector<double> sample(50000);
  for (double& u : sample) {
    u = stream.uniform(-3.0, 5.0);
    ASSERT_GT(u, -3.0);
    ASSERT_LT(u, 5.0);
  }
  EXPECT_GT(testing::kolmogorov_p_value(sample, [](double u) { return (u + 3.0) / 8.0; }),
            kFalseAlarm);
}

TEST(RandomStream, BelowIsUnbiased) {
  RandomStream stream = test_stream(5);
  for (const std::uint64_t bound : {2, 3, 7, 10, 64, 1000}) {
    std::vector<std::uint64_t> counts(bound);
    for (int i = 0; i < 200000; ++i) ++counts.at(stream.below(bound));
    EXPECT_GT(testing::chi_square_uniform_p_value(counts), kFalseAlarm) << "bound " << bound;
  }
}

TEST(RandomStream, BelowIsUnbiasedWhereAModuloWouldShow) {
  // With bound = 3 * 2^62 plain `bits % bound` gives the first third twice the weight of the
  // others.
  RandomStream stream = test_stream(6);
  const std::uint64_t bound = std::uint64_t{3} << 62;
  std::vector<std::uint64_t> counts(3);
  for (int i = 0; i < 100000; ++i) ++counts.at(stream.below(bound) >> 62);
  EXPECT_GT(testing::chi_square_uniform_p_value(counts), kFalseAlarm);
}

TEST(RandomStream, BelowAtTheEdgesOfItsRange) {
  RandomStream stream = test_stream(7);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(stream.below(1), 0u);
    EXPECT_LT(stream.below(UINT64_MAX), UINT64_MAX);
    EXPECT_LT(stream.below(std::uint64_t{1} << 63), std::uint64_t{1} << 63);
  }
}

TEST(RandomStream, NormalHasTheRightLaw) {
  RandomStream stream = test_stream(8);
  constexpr int n = 400000;
  std::vector<double> sample(n);
  double moments[5] = {};
  for (double& z : sample) {
    z = stream.normal();
    double power = 1.0;
    for (double& moment : moments) {
      moment += power / n;
      power *= z;
    }
  }
  // The standard errors are sqrt(Var z^k / n); five of them are exceeded once in 1.7 million times.
  EXPECT_NEAR(moments[1], 0.0, 5.0 * std::sqrt(1.0 / n));
  EXPECT_NEAR(moments[2], 1.0, 5.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(moments[3], 0.0, 5.0 * std::sqrt(15.0 / n));
  EXPECT_NEAR(moments[4], 3.0, 5.0 * std::sqrt(96.0 / n));
  EXPECT_GT(testing::kolmogorov_p_value(sample, testing::normal_cdf), kFalseAlarm);
}

// Many cells and values, so that a wrong layer shows.
TEST(RandomStream, NormalIsRightInEveryLayerAndBeyond) {
  RandomStream stream = test_stream(10);
  constexpr int n = 4'000'000, cells = 400;
  constexpr double width = 0.02;  // the last cell has what lies beyond
  std::vector<std::uint64_t> observed(cells + 1);
  std::vector<double> probability(cells + 1);
  std::vector<double> tail;
  constexpr double least = 3.6541528853610088;
  for (int i = 0; i < n; ++i) {
    const double z = stream.normal();
    const double place = (z + 0.5 * width * cells) / width;
    ++observed[place < 0.0 || place >= cells ? cells : static_cast<std::size_t>(place)];
    if (std::abs(z) > least) tail.push_back(std::abs(z));
  }
  double inside = 0.0;
  for (std::size_t k = 0; k < cells; ++k) {
    const double left = width * static_cast<double>(k) - 0.5 * width * cells;
    const double mass = testing::normal_cdf(left + width) - testing::normal_cdf(left);
    probability[k] = mass;
    inside += mass;
  }
  probability[cells] = 1.0 - inside;
  EXPECT_GT(testing::chi_square_p_value(observed, probability), kFalseAlarm);
  // Beyond the layers: how many, and where.
  const double beyond = 2.0 * testing::normal_cdf(-least);
  EXPECT_NEAR(static_cast<double>(tail.size()), n * beyond, 5.0 * std::sqrt(n * beyond));
  const auto cdf_beyond = [&](double z) { return 1.0 - 2.0 * testing::normal_cdf(-z) / beyond; };
  EXPECT_GT(testing::kolmogorov_p_value(tail, cdf_beyond), kFalseAlarm);
}

TEST(RandomStream, NeighbouringNormalsAreIndependent) {
  RandomStream stream = test_stream(9);
  constexpr int pairs = 200000;
  double product = 0.0, product_of_squares = 0.0;
  for (int i = 0; i < pairs; ++i) {
    const double a = stream.normal(), b = stream.normal();
    product += a * b / pairs;
    product_of_squares += (a * a - 1.0) * (b * b - 1.0) / pairs;
  }
  EXPECT_NEAR(product, 0.0, 5.0 * std::sqrt(1.0 / pairs));
  EXPECT_NEAR(product_of_squares, 0.0, 5.0 * std::sqrt(4.0 / pairs));
}

}  // namespace
}  // namespace lacuna
