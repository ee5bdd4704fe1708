// Steps take nothing from the heap once their buffers have grown.
#include <gtest/gtest.h>

#include <memory>

#include "allocation/allocation_counter.hpp"
#include "run/chain.hpp"

namespace lacuna::testing {
namespace {

Target friedman_target(PriorKind prior) {
  const Dataset data = simulate({.rows = 200, .inputs = 6}).data;
  const Architecture architecture(6, {8, 8});
  return {architecture,
          Prior(prior, architecture.parameter_count(), 2.0, 3.0),
          std::make_shared<const Samples>(data.rows, data.inputs, data.x, data.y),
          5.0,
          5000.0,
          7};
}

// A network may become larger than ever before at any time, and buffers grow with it, by half or
// more: a handful of allocations in thousands of steps, where one in each step would be thousands.
void expect_no_allocations(Chain& chain) {
  chain.burn_in(4000);
  chain.end_burn_in();
  chain.sample(4000, 1'000'000);
  const std::uint64_t before = allocations();
  chain.sample(4000, 1'000'000);
  EXPECT_LE(allocations() - before, 40u);
}

SparseTheta prior_start(const Target& target) {
  RandomStream stream({target.seed, 0, 0, 0, Purpose::start});
  return target.prior.draw(stream);
}

TEST(Allocations, NoneInAStepOfTheDefaultSampler) {
  const Target target = friedman_target(PriorKind::sparse);
  Chain chain(0, target, MixtureEngine(target), prior_start(target));
  expect_no_allocations(chain);
}

TEST(Allocations, NoneInAStepOfThePapersSampler) {
  for (const PriorKind prior : {PriorKind::sparse, PriorKind::dense}) {
    const Target target = friedman_target(prior);
    Chain chain(0, target, PaperEngine(target, Config{}, 2), prior_start(target));
    expect_no_allocations(chain);
  }
}

}  // namespace
}  // namespace lacuna::testing
