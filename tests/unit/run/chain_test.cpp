// One chain: which states become draws, what burn-in may change, and what it counts.
#include "run/chain.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>

#include "unit/data/files.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

Target small_target(PriorKind prior = PriorKind::sparse, double lambda = 20.0) {
  const Dataset data = small_data();
  const Architecture architecture(2, {3});
  return {architecture,
          Prior(prior, architecture.parameter_count(), 2.0, 3.0),
          std::make_shared<const Samples>(data.rows, data.inputs, data.x, data.y),
          5.0,
          lambda,
          7};
}

SparseTheta prior_draw(const Target& target) {
  RandomStream stream({target.seed, 0, 0, 0, Purpose::start});
  return target.prior.draw(stream);
}

struct Frozen {
  double learning_rate, proposal_sd;
};

Engine paper(const Target& target, std::optional<double> learning_rate,
             std::optional<double> proposal_sd) {
  Config config;
  config.learning_rate = learning_rate;
  config.proposal_sd = proposal_sd;
  return PaperEngine(target, config, 2);
}

Frozen kernel_of(const Chain& chain) {
  const auto j = nlohmann::json::parse(chain.checkpoint());
  return {j.at("kernel").at("learning-rate"), j.at("kernel").at("proposal-sd")};
}

// Thetas of the draws in a block, read the way a file is read.
std::vector<SparseTheta> draws_in(const DrawBlock& block) {
  std::vector<SparseTheta> draws;
  ByteReader reader(block.bytes);
  for (std::uint64_t k = 0; k < block.count; ++k) {
    reader.number<double>();
    reader.number<double>();
    const std::uint64_t size = reader.number<std::uint64_t>().value();
    SparseTheta& theta = draws.emplace_back();
    EXPECT_TRUE(reader.numbers(size, theta.index) && reader.numbers(size, theta.value));
  }
  EXPECT_EQ(reader.left(), 0u);
  return draws;
}

TEST(Chain, RecordsTheStatesAtBurnInPlusMultiplesOfTheGap) {
  const Target target = small_target();
  const Engine fixed = paper(target, 0.05, 0.2);
  Chain slow(0, target, fixed, prior_draw(target));
  slow.burn_in(10);
  slow.end_burn_in();
  std::vector<SparseTheta> expected;
  for (int k = 1; k <= 12; ++k) {
    slow.sample(1, 1'000'000);
    if (k % 3 == 0) expected.push_back(slow.state().theta);
  }
  EXPECT_EQ(slow.block().count, 0u);

  // The same steps cut into rounds that do not meet the gap.
  Chain chain(0, target, fixed, prior_draw(target));
  chain.burn_in(4);
  chain.burn_in(6);
  chain.end_burn_in();
  for (const std::uint64_t steps : {1, 4, 5, 2}) chain.sample(steps, 3);
  EXPECT_EQ(chain.iteration(), 22u);
  EXPECT_EQ(chain.block().first, 0u);
  ASSERT_EQ(chain.block().count, 4u);
  EXPECT_EQ(draws_in(chain.block()), expected);
}

TEST(Chain, TunesInBurnInAndNeverAfter) {
  const Target target = small_target();
  Chain chain(0, target, paper(target, std::nullopt, std::nullopt), prior_draw(target));
  const Frozen first = kernel_of(chain);
  chain.burn_in(500);
  const Frozen tuned = kernel_of(chain);
  EXPECT_NE(tuned.proposal_sd, first.proposal_sd);
  EXPECT_DOUBLE_EQ(tuned.learning_rate, 0.5 * 20.0 * tuned.proposal_sd * tuned.proposal_sd);
  chain.end_burn_in();
  chain.sample(500, 10);
  EXPECT_EQ(kernel_of(chain).proposal_sd, tuned.proposal_sd);
  EXPECT_EQ(kernel_of(chain).learning_rate, tuned.learning_rate);
}

TEST(Chain, LeavesWhatIsGivenAlone) {
  const Target target = small_target();
  Chain both(0, target, paper(target, 0.01, 0.3), prior_draw(target));
  both.burn_in(500);
  EXPECT_EQ(kernel_of(both).learning_rate, 0.01);
  EXPECT_EQ(kernel_of(both).proposal_sd, 0.3);
  Chain sd(0, target, paper(target, std::nullopt, 0.3), prior_draw(target));
  sd.burn_in(500);
  EXPECT_EQ(kernel_of(sd).proposal_sd, 0.3);
  EXPECT_DOUBLE_EQ(kernel_of(sd).learning_rate, 0.5 * 20.0 * 0.09);
  Chain rate(0, target, paper(target, 0.01, std::nullopt), prior_draw(target));
  rate.burn_in(500);
  EXPECT_EQ(kernel_of(rate).learning_rate, 0.01);
}

TEST(Chain, CountsMovesSinceTheEndOfBurnIn) {
  const Target target = small_target();
  Chain chain(0, target, paper(target, 0.05, 0.2), prior_draw(target));
  const auto proposed = [&] {
    std::uint64_t sum = 0;
    for (const MoveCount& count : chain.counts().of) sum += count.proposed;
    return sum;
  };
  chain.burn_in(50);
  EXPECT_EQ(proposed(), 50u);
  chain.end_burn_in();
  EXPECT_EQ(proposed(), 0u);
  chain.sample(30, 1);
  EXPECT_EQ(proposed(), 30u);
  const double share = chain.acceptance_since_last_asked();
  EXPECT_GE(share, 0.0);
  EXPECT_LE(share, 1.0);
  EXPECT_EQ(chain.acceptance_since_last_asked(), 0.0);
}

TEST(Chain, KeepsPriorAndRiskOfItsState) {
  for (const PriorKind prior : {PriorKind::sparse, PriorKind::dense}) {
    const Target target = small_target(prior);
    for (Engine engine :
         {paper(target, std::nullopt, std::nullopt), Engine(MixtureEngine(target))}) {
      Chain chain(3, target, std::move(engine), prior_draw(target));
      chain.burn_in(300);
      const Point& state = chain.state();
      EXPECT_EQ(state.log_prior, target.prior.log_density(state.theta));
      EmpiricalRisk risk(target.samples, target.architecture, target.clip);
      Evaluation again;
      risk.evaluate(state.theta, {}, again);
      EXPECT_EQ(state.evaluation.risk, again.risk);
      EXPECT_TRUE(prior == PriorKind::sparse || state.theta.size() == 13);
    }
  }
}

TEST(Chain, TheMixtureLearnsInBurnInAndNeverAfter) {
  const Target target = small_target();
  Chain chain(0, target, MixtureEngine(target), prior_draw(target));
  const auto settings = [&] { return nlohmann::json::parse(chain.checkpoint()).at("kernel"); };
  const auto first = settings();
  chain.burn_in(500);
  chain.end_burn_in();
  const auto frozen = settings();
  EXPECT_NE(first, frozen);
  chain.sample(500, 10);
  EXPECT_EQ(settings(), frozen);
}

// A swap evaluates the point between and the proposal, a birth the proposal and at times the
// inactive derivatives of the current point; the paper's kernel makes one pass per step at most.
TEST(Chain, CountsThePassesOfEachMove) {
  const Target target = small_target();
  Chain chain(0, target, MixtureEngine(target), prior_draw(target));
  chain.burn_in(500);
  chain.end_burn_in();
  chain.sample(2000, 10);
  const auto moves = nlohmann::json::parse(chain.checkpoint()).at("moves");
  const auto passes_per_step = [&](const char* move) {
    return moves.at(move).at("passes").get<double>() / moves.at(move).at("proposed").get<double>();
  };
  EXPECT_GT(passes_per_step("swap"), 1.0);
  EXPECT_GT(passes_per_step("trajectory"), 2.0);  // 1 to 8 leapfrog steps
  EXPECT_GT(passes_per_step("output"), 1.0);      // moments, then the proposal
  EXPECT_GT(passes_per_step("add"), 0.5);
  EXPECT_LE(passes_per_step("add"), 2.0);

  Chain plain(0, target, paper(target, 0.05, 0.2), prior_draw(target));
  plain.end_burn_in();
  plain.sample(500, 10);
  std::uint64_t passes = 0;
  for (const MoveCount& count : plain.counts().of) {
    EXPECT_LE(count.cost.passes, count.proposed);
    EXPECT_EQ(count.cost.work > 0, count.cost.passes > 0);
    passes += count.cost.passes;
  }
  EXPECT_GT(passes, 0u);
}

TEST(Chain, IsNamedBySeedAndNumberAlone) {
  const Target target = small_target();
  const auto end_of = [&](std::uint32_t number) {
    Chain chain(number, target, MixtureEngine(target), prior_draw(target));
    chain.burn_in(100);
    chain.renumber(9);  // a name in the file, not a change of streams
    chain.burn_in(100);
    return chain.state().theta;
  };
  EXPECT_EQ(end_of(1), end_of(1));
  EXPECT_NE(end_of(1), end_of(2));
}

}  // namespace
}  // namespace lacuna::testing
