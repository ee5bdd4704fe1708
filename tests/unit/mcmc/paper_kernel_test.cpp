// The paper's kernel in pieces: branch probabilities, proposal densities by hand, and the work of a
// step.
#include "mcmc/paper_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::kFalseAlarm;

double log_normal_density(double x, double mean, double sd) {
  const double z = (x - mean) / sd;
  return -0.5 * z * z - std::log(sd) - 0.5 * std::log(2.0 * std::numbers::pi);
}

// A risk that is any function of theta, without gradient, and counts how often it is asked.
struct FakeRisk {
  std::function<double(const SparseTheta&)> value;
  Architecture shape{1, {1}};
  int evaluations = 0;

  void evaluate(const SparseTheta& theta, Request request, Evaluation& out) {
    ++evaluations;
    out.risk = value(theta);
    out.gradient.assign(request.gradient ? theta.size() : 0, 0.0);
    out.curvature.clear();
    out.inactive.clear();
  }
  const Architecture& architecture() const { return shape; }
  double total_weight() const { return 10.0; }
};
static_assert(Risk<FakeRisk>);

TEST(MoveProbability, TableOfThePaper) {
  const Prior prior(PriorKind::sparse, 10, 2.0, 1.0);
  for (std::uint64_t size = 2; size <= 9; ++size) {
    EXPECT_DOUBLE_EQ(move_probability(Move::remove, size, prior), 0.25);
    EXPECT_DOUBLE_EQ(move_probability(Move::keep, size, prior), 0.5);
    EXPECT_DOUBLE_EQ(move_probability(Move::add, size, prior), 0.25);
  }
  EXPECT_DOUBLE_EQ(move_probability(Move::remove, 1, prior), 0.0);
  EXPECT_DOUBLE_EQ(move_probability(Move::keep, 1, prior), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(move_probability(Move::add, 1, prior), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(move_probability(Move::remove, 10, prior), 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(move_probability(Move::keep, 10, prior), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(move_probability(Move::add, 10, prior), 0.0);
}

TEST(MoveProbability, TheDensePriorNeverJumps) {
  const Prior prior(PriorKind::dense, 4, 2.0, 1.0);
  EXPECT_EQ(move_probability(Move::keep, 4, prior), 1.0);
  EXPECT_EQ(move_probability(Move::remove, 4, prior), 0.0);
  EXPECT_EQ(move_probability(Move::add, 4, prior), 0.0);

  RandomStream stream = testing::test_stream(330);
  Point current;
  current.theta = {{0, 1, 2, 3}, {0.1, 0.2, 0.3, 0.4}};
  current.evaluation.gradient = {0.0, 0.0, 0.0, 0.0};
  PaperScratch scratch;
  for (int i = 0; i < 10000; ++i) {
    ASSERT_EQ(propose({0.1, 0.1}, prior, current, scratch, stream), Move::keep);
    ASSERT_EQ(scratch.proposal.theta.index, current.theta.index);
  }
  EXPECT_FALSE(paper_request(prior).inactive);
  EXPECT_TRUE(paper_request(prior).gradient);
}

// P = 4, I = {0, 2}; coordinate 1 has a gradient and coordinate 3 has none.
class PaperProposal : public ::testing::Test {
 protected:
  PaperProposal() {
    from.theta = {{0, 2}, {0.5, -1.0}};
    from.evaluation.gradient = {0.1, -0.2};
    from.evaluation.inactive = {{1, 0.3, 0.0}};
    addition.build(from.theta, from.evaluation, 4);
  }
  const Prior prior{PriorKind::sparse, 4, 2.0, 3.0};
  const PaperKernel kernel{.learning_rate = 0.5, .proposal_sd = 0.2};
  Point from;
  AdditionWeights addition;
};

TEST_F(PaperProposal, KeepByHand) {
  const LogProposal q = log_proposal(kernel, prior, from, {{0, 2}, {0.6, -0.7}}, addition);
  EXPECT_DOUBLE_EQ(q.branch, std::log(0.5));
  EXPECT_EQ(q.selection, 0.0);
  EXPECT_NEAR(q.normal, log_normal_density(0.6, 0.45, 0.2) + log_normal_density(-0.7, -0.9, 0.2),
              1e-13);
  EXPECT_DOUBLE_EQ(q.total(), q.branch + q.selection + q.normal);
}

TEST_F(PaperProposal, AddByHand) {
  const LogProposal q = log_proposal(kernel, prior, from, {{0, 1, 2}, {0.6, 0.1, -0.7}}, addition);
  EXPECT_DOUBLE_EQ(q.branch, std::log(0.25));
  EXPECT_NEAR(q.selection, std::log(4.0 / 5.0), 1e-15);  // counts 2 and 1, squared
  EXPECT_NEAR(q.normal,
              log_normal_density(0.6, 0.45, 0.2) + log_normal_density(0.1, -0.15, 0.2) +
                  log_normal_density(-0.7, -0.9, 0.2),
              1e-13);
  const LogProposal zero =
      log_proposal(kernel, prior, from, {{0, 2, 3}, {0.6, -0.7, 0.1}}, addition);
  EXPECT_NEAR(zero.selection, std::log(1.0 / 5.0), 1e-15);
  EXPECT_NEAR(zero.normal,
              log_normal_density(0.6, 0.45, 0.2) + log_normal_density(-0.7, -0.9, 0.2) +
                  log_normal_density(0.1, 0.0, 0.2),
              1e-13);
}

TEST_F(PaperProposal, RemoveByHand) {
  const LogProposal q = log_proposal(kernel, prior, from, {{2}, {-0.7}}, addition);
  EXPECT_DOUBLE_EQ(q.branch, std::log(0.25));
  EXPECT_NEAR(q.selection, -0.5 - std::log(std::exp(-0.5) + std::exp(-1.0)), 1e-15);
  EXPECT_NEAR(q.normal, log_normal_density(-0.7, -0.9, 0.2), 1e-13);
}

TEST_F(PaperProposal, DrawsFollowTheDensity) {
  RandomStream stream = testing::test_stream(331);
  PaperScratch scratch;
  std::vector<std::uint64_t> counts(16);
  std::vector<double> probabilities(16);
  const double keep_first = std::exp(-0.5) / (std::exp(-0.5) + std::exp(-1.0));
  probabilities[0b0101] = 0.5;
  probabilities[0b0111] = 0.25 * 4.0 / 5.0;
  probabilities[0b1101] = 0.25 * 1.0 / 5.0;
  probabilities[0b0100] = 0.25 * keep_first;
  probabilities[0b0001] = 0.25 * (1.0 - keep_first);
  std::vector<double> moved, added;
  for (int i = 0; i < 50000; ++i) {
    const Move move = propose(kernel, prior, from, scratch, stream);
    const SparseTheta& to = scratch.proposal.theta;
    unsigned set = 0;
    for (const std::uint64_t index : to.index) set |= 1u << index;
    ++counts[set];
    const int change = static_cast<int>(to.size()) - 2;
    ASSERT_EQ(move, change == 0 ? Move::keep : (change > 0 ? Move::add : Move::remove));
    if (to.contains(0)) moved.push_back((to.value[0] - 0.45) / 0.2);
    if (to.contains(1)) added.push_back((to.value[1] + 0.15) / 0.2);
  }
  EXPECT_GT(testing::chi_square_p_value(counts, probabilities), kFalseAlarm);
  EXPECT_GT(testing::kolmogorov_p_value(moved, testing::normal_cdf), kFalseAlarm);
  EXPECT_GT(testing::kolmogorov_p_value(added, testing::normal_cdf), kFalseAlarm);
}

TEST(PaperKernel, LangevinStepSize) {
  const PaperKernel kernel = PaperKernel::langevin(200.0, 0.1);
  EXPECT_DOUBLE_EQ(kernel.learning_rate, 1.0);
  EXPECT_DOUBLE_EQ(kernel.proposal_sd, 0.1);
}

TEST(PaperStep, CostsOneEvaluationAndNoneOutsideTheBox) {
  RandomStream stream = testing::test_stream(332);
  FakeRisk risk{[](const SparseTheta& theta) { return theta.value[0] * theta.value[0]; }};
  for (const PriorKind kind : {PriorKind::sparse, PriorKind::dense}) {
    const Prior prior(kind, 4, 2.0, 1.0);
    const GibbsPosterior<FakeRisk> target{prior, risk, 2.0};
    Point current;
    current.theta = prior.draw(stream);
    evaluate_point(target, current);
    PaperScratch scratch;
    int outside = 0;
    for (int i = 0; i < 5000; ++i) {
      const int before = risk.evaluations;
      const StepOutcome outcome = step({0.0, 0.5}, target, current, scratch, stream);
      const bool left_the_box = std::isinf(outcome.log_ratio);
      outside += left_the_box;
      ASSERT_EQ(risk.evaluations - before, left_the_box ? 0 : 1);
      if (left_the_box) {
        ASSERT_EQ(outcome.verdict, Verdict::rejected);
      }
      ASSERT_TRUE(prior.inside_box(current.theta));
      ASSERT_EQ(current.evaluation.risk, current.theta.value[0] * current.theta.value[0]);
      ASSERT_EQ(current.log_prior, prior.log_density(current.theta));
    }
    EXPECT_GT(outside, 100);
    EXPECT_LT(outside, 4900);
  }
}

TEST(PaperStep, AnUndefinedRiskIsRejectedAndLeavesThePointAlone) {
  RandomStream stream = testing::test_stream(333);
  FakeRisk risk{[](const SparseTheta&) { return std::numeric_limits<double>::quiet_NaN(); }};
  const Prior prior(PriorKind::sparse, 4, 2.0, 100.0);
  const GibbsPosterior<FakeRisk> target{prior, risk, 2.0};
  Point current;
  current.theta = {{1, 3}, {0.5, 0.25}};
  current.log_prior = prior.log_density(current.theta);
  current.evaluation.risk = 1.0;
  current.evaluation.gradient = {0.0, 0.0};
  const SparseTheta before = current.theta;
  PaperScratch scratch;
  MoveCounts counts;
  for (int i = 0; i < 1000; ++i)
    counts.add(step({0.1, 0.1}, target, current, scratch, stream), {1, 4});
  EXPECT_EQ(current.theta, before);
  EXPECT_EQ(current.evaluation.risk, 1.0);
  std::uint64_t invalid = 0, accepted = 0;
  for (const MoveCount& count : counts.of) {
    EXPECT_EQ(count.invalid, count.proposed);
    invalid += count.invalid;
    accepted += count.accepted;
  }
  EXPECT_EQ(invalid, 1000u);
  EXPECT_EQ(accepted, 0u);
}

TEST(MoveCounts, CountByMoveAndVerdict) {
  MoveCounts counts;
  counts.add({Move::add, Verdict::accepted, 0.0}, {2, 20});
  counts.add({Move::add, Verdict::rejected, 0.0}, {3, 50});
  counts.add({Move::keep, Verdict::invalid, 0.0}, {0, 0});
  EXPECT_EQ(counts.of[static_cast<std::size_t>(Move::add)].cost.passes, 5u);
  EXPECT_EQ(counts.of[static_cast<std::size_t>(Move::add)].cost.work, 70u);
  EXPECT_EQ(counts.of[static_cast<std::size_t>(Move::keep)].cost.passes, 0u);
  EXPECT_EQ(counts.of[static_cast<std::size_t>(Move::add)].proposed, 2u);
  EXPECT_EQ(counts.of[static_cast<std::size_t>(Move::add)].accepted, 1u);
  EXPECT_EQ(counts.of[static_cast<std::size_t>(Move::keep)].invalid, 1u);
  EXPECT_EQ(counts.of[static_cast<std::size_t>(Move::remove)].proposed, 0u);
  EXPECT_EQ(move_names[static_cast<std::size_t>(Move::remove)], "remove");
}

}  // namespace
}  // namespace lacuna
