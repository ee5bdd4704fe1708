// A network over some of the inputs is the same function as its picture in the network over all.
#include "network/input_choice.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "network/architecture.hpp"
#include "network/evaluator.hpp"
#include "unit/network/random_case.hpp"

namespace lacuna::testing {
namespace {

constexpr std::size_t inputs = 7;
const std::vector<std::size_t> chosen = {1, 2, 6};

TEST(InputChoice, KeepsEveryWeightAtItsPlace) {
  for (const std::vector<std::size_t>& widths : {std::vector<std::size_t>{4}, {3, 5, 2}}) {
    const Architecture left(chosen.size(), widths), all(inputs, widths);
    const InputChoice choice(inputs, chosen, widths.front());
    std::vector<std::uint64_t> index(left.parameter_count());
    std::iota(index.begin(), index.end(), 0);
    const std::vector<std::uint64_t> before = index;
    choice.to_all(index);
    for (std::size_t k = 0; k < index.size(); ++k) {
      ASSERT_TRUE(k == 0 || index[k - 1] < index[k]);
      const Place from = left.place(before[k]), to = all.place(index[k]);
      EXPECT_EQ(to.layer, from.layer);
      EXPECT_EQ(to.destination, from.destination);
      EXPECT_EQ(to.shift, from.shift);
      if (from.shift) continue;
      EXPECT_EQ(to.source, from.layer == 1 ? chosen[from.source] : from.source);
    }
    choice.to_left(index);
    EXPECT_EQ(index, before);
  }
}

TEST(InputChoice, OfAllInputsChangesNothing) {
  const InputChoice choice(inputs, {}, 4);
  std::vector<std::uint64_t> index = {0, 5, 30};
  choice.to_all(index);
  choice.to_left(index);
  EXPECT_EQ(index, (std::vector<std::uint64_t>{0, 5, 30}));
}

TEST(InputChoice, IsTheSameFunction) {
  RandomStream stream({3, 0, 0, 0, Purpose::test});
  const std::vector<std::size_t> widths = {5, 4};
  const Architecture left(chosen.size(), widths), all(inputs, widths);
  const Samples samples = random_rows(33, inputs, stream).samples();
  const Samples fewer = samples.with_inputs(chosen);
  SparseTheta theta;
  for (std::uint64_t i = 0; i < left.parameter_count(); ++i) {
    if (stream.uniform() < 0.3) continue;
    theta.index.push_back(i);
    theta.value.push_back(stream.normal());
  }
  std::vector<double> here(33), there(33);
  Evaluator(left, 100.0).predict(theta, fewer, here);
  InputChoice(inputs, chosen, widths.front()).to_all(theta.index);
  Evaluator(all, 100.0).predict(theta, samples, there);
  EXPECT_EQ(here, there);
  EXPECT_NE(here.front(), here.back());
}

}  // namespace
}  // namespace lacuna::testing
