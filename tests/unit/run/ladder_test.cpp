// A tempered chain: with one rung a plain chain, otherwise exchanges in turn, rungs placed in
// burn-in and frozen after it, and replicas followed.
#include "run/ladder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>

#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

Target small_target(double lambda = 20.0) {
  const Dataset data = small_data();
  const Architecture architecture(2, {3});
  return {architecture,
          Prior(PriorKind::sparse, architecture.parameter_count(), 2.0, 3.0),
          std::make_shared<const Samples>(data.rows, data.inputs, data.x, data.y),
          5.0,
          lambda,
          7};
}

Chain chain_of(const Target& target, std::uint32_t number = 0, bool paper = false) {
  RandomStream stream({target.seed, 0, 0, 0, Purpose::start});
  Engine engine = paper ? Engine(PaperEngine(target, {}, 2)) : Engine(MixtureEngine(target));
  return Chain(number, target, std::move(engine), target.prior.draw(stream));
}

std::vector<double> lambdas(const Ladder& ladder) {
  std::vector<double> out;
  for (const Chain& rung : ladder.rungs()) out.push_back(rung.lambda());
  return out;
}

TEST(RoundTrips, AreCountedFromTheColdestRungToTheHottestAndBack) {
  RoundTrips trips(3);
  EXPECT_EQ(trips.trips(), (std::vector<std::uint64_t>{0, 0, 0}));
  trips.exchanged(1);  // 0 2 1
  trips.exchanged(0);  // 2 0 1: replica 2 comes from the hottest rung, but never was on the coldest
  EXPECT_EQ(trips.replica_at(), (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(trips.trips(), (std::vector<std::uint64_t>{0, 0, 0}));
  trips.exchanged(0);  // 0 2 1: replica 0 turned back half-way
  EXPECT_EQ(trips.trips(), (std::vector<std::uint64_t>{0, 0, 0}));
  trips.exchanged(0);  // 2 0 1
  trips.exchanged(1);  // 2 1 0: replica 0 has reached the hottest rung
  trips.exchanged(1);  // 2 0 1
  trips.exchanged(0);  // 0 2 1: and is back
  EXPECT_EQ(trips.trips(), (std::vector<std::uint64_t>{1, 0, 0}));
  trips.exchanged(1);  // 0 1 2: replica 2 was on the coldest rung and reaches the hottest
  trips.exchanged(1);  // 0 2 1
  trips.exchanged(0);  // 2 0 1
  EXPECT_EQ(trips.trips(), (std::vector<std::uint64_t>{1, 0, 1}));
}

TEST(Ladder, OfOneRungIsThePlainChain) {
  const Target target = small_target();
  Chain chain = chain_of(target);
  Ladder ladder(chain_of(target), 1);
  chain.burn_in(123);
  ladder.burn_in(123, 1);
  chain.end_burn_in();
  ladder.end_burn_in();
  chain.sample(77, 7);
  ladder.sample(77, 7, 1);
  EXPECT_EQ(ladder.checkpoint(), chain.checkpoint());
  EXPECT_EQ(ladder.coldest().block().bytes, chain.block().bytes);
}

TEST(Ladder, DependsNeitherOnThreadsNorOnHowStepsAreCut) {
  const Target target = small_target();
  for (const bool paper : {false, true}) {
    Ladder whole(chain_of(target, 3, paper), 4), cut(chain_of(target, 3, paper), 4);
    whole.burn_in(1000, 1);
    for (const std::uint64_t steps : {7, 3, 10, 480, 500}) cut.burn_in(steps, 3);
    EXPECT_EQ(whole.checkpoint(), cut.checkpoint());
    whole.end_burn_in();
    cut.end_burn_in();
    whole.sample(205, 5, 2);
    for (const std::uint64_t steps : {1, 104, 100}) cut.sample(steps, 5, 1);
    EXPECT_EQ(whole.checkpoint(), cut.checkpoint());
    EXPECT_EQ(whole.coldest().block().count, 41u);
    EXPECT_EQ(whole.coldest().block().bytes, cut.coldest().block().bytes);
  }
}

TEST(Ladder, PairsOfNeighboursTakeTurns) {
  const Target target = small_target();
  Ladder ladder(chain_of(target), 4);
  ladder.end_burn_in();
  ladder.sample(10 * Ladder::steps_between_exchanges, 1, 1);  // sweeps at steps 0, 10, ..., 90
  for (const ExchangeCount& count : ladder.exchanges()) EXPECT_EQ(count.proposed, 5u);
  ladder.sample(1, 1, 1);  // the next sweep is one of even pairs
  EXPECT_EQ(ladder.exchanges()[0].proposed, 6u);
  EXPECT_EQ(ladder.exchanges()[1].proposed, 5u);
  EXPECT_EQ(ladder.exchanges()[2].proposed, 6u);
}

TEST(Ladder, PlacesItsRungsInBurnInAndNeverAfter) {
  const Target target = small_target();
  Ladder ladder(chain_of(target), 4);
  const std::vector<double> first = lambdas(ladder);
  ladder.burn_in(20'000, 1);
  const std::vector<double> placed = lambdas(ladder);
  EXPECT_NE(placed, first);
  EXPECT_EQ(placed.front(), target.lambda);
  EXPECT_TRUE(std::ranges::is_sorted(placed, std::greater<>()));
  ladder.end_burn_in();
  const auto kernels = [&] {
    std::vector<nlohmann::json> out;
    for (const Chain& rung : ladder.rungs()) out.push_back(rung.to_json().at("kernel"));
    return out;
  };
  const auto frozen = kernels();
  ladder.sample(20'000, 10, 1);
  EXPECT_EQ(lambdas(ladder), placed);
  EXPECT_EQ(kernels(), frozen);
}

TEST(Ladder, KeepsTheStateOfEachRungAndItsMeanRisk) {
  const Target target = small_target();
  Ladder ladder(chain_of(target), 3);
  ladder.burn_in(5000, 1);
  ladder.end_burn_in();
  std::vector<double> sums(3);
  for (int t = 0; t < 100; ++t) {
    ladder.sample(1, 10, 1);
    for (std::size_t r = 0; r < 3; ++r) sums[r] += ladder.rungs()[r].state().evaluation.risk;
  }
  const auto j = nlohmann::json::parse(ladder.checkpoint());
  EXPECT_EQ(j.at("theta"), ladder.coldest().to_json().at("theta"));
  const auto& rungs = j.at("tempering").at("rungs");
  EmpiricalRisk risk(target.samples, target.architecture, target.clip);
  for (std::size_t r = 0; r < 3; ++r) {
    const Point& state = ladder.rungs()[r].state();
    Evaluation again;
    risk.evaluate(state.theta, {}, again);
    EXPECT_EQ(state.evaluation.risk, again.risk);
    EXPECT_EQ(state.log_prior, target.prior.log_density(state.theta));
    EXPECT_EQ(rungs[r].at("lambda"), ladder.rungs()[r].lambda());
    EXPECT_EQ(rungs[r].at("risk-mean").at("count"), 100u);
    EXPECT_DOUBLE_EQ(rungs[r].at("risk-mean").at("sum"), sums[r]);
    if (r > 0) {
      EXPECT_EQ(rungs[r].at("theta").at("value"), state.theta.value);
    }
  }
}

TEST(Ladder, RungsAndChainsHaveTheirOwnStreams) {
  const Target target = small_target();
  Ladder one(chain_of(target, 1), 3), two(chain_of(target, 2), 3);
  one.burn_in(9, 1);
  two.burn_in(9, 1);
  std::vector<SparseTheta> states;
  for (const Ladder* ladder : {&one, &two}) {
    for (const Chain& rung : ladder->rungs()) states.push_back(rung.state().theta);
  }
  for (std::size_t a = 0; a < states.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(states[a], states[b]) << a << " " << b;
  }
}

}  // namespace
}  // namespace lacuna::testing
