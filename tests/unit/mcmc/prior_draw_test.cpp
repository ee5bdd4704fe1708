// Independent draws from the prior as a kernel: its ratio, its cost, and what it leaves for others.
#include "mcmc/prior_draw.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

class PriorDraw : public ::testing::Test {
 protected:
  PriorDraw() {
    current_.theta = {{0, 2}, {0.3, -0.4}};
    arrive(at(0.0), current_, {});
  }

  GibbsPosterior<EmpiricalRisk> at(double lambda) { return {prior_, risk_, lambda}; }

  const Architecture shape_{1, {1}};
  const std::vector<double> x_ = {-0.5, 0.2, 0.9}, y_ = {0.1, 0.0, 0.7};
  EmpiricalRisk risk_{std::make_shared<const Samples>(3, 1, x_, y_), shape_, 2.0};
  const Prior prior_{PriorKind::sparse, 4, 2.0, 1.5};
  Point current_;
  PriorDrawScratch scratch_;
};

TEST_F(PriorDraw, AcceptsAlwaysAtLambdaZeroForOneEvaluation) {
  RandomStream stream = testing::test_stream(330);
  std::vector<std::uint64_t> sizes(4);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t before = risk_.evaluations();
    const StepOutcome outcome =
        step(PriorDrawKernel{death_request}, at(0.0), current_, scratch_, stream);
    ASSERT_EQ(outcome.verdict, Verdict::accepted);
    ASSERT_EQ(outcome.move, Move::redraw);
    ASSERT_EQ(risk_.evaluations(), before + 1);
    ASSERT_TRUE(current_.evaluation.have.covers(death_request));
    ASSERT_EQ(current_.log_prior, prior_.log_density(current_.theta));
    ++sizes[current_.theta.size() - 1];
  }
  std::vector<double> masses;
  for (std::uint64_t k = 1; k <= 4; ++k) masses.push_back(std::exp(prior_.log_mass_of_size(k)));
  EXPECT_GT(testing::chi_square_p_value(sizes, masses), testing::kFalseAlarm);
}

TEST_F(PriorDraw, HasTheRatioOfTheRisks) {
  RandomStream stream = testing::test_stream(331);
  int rejected = 0;
  for (int i = 0; i < 200; ++i) {
    const Point before = current_;
    const StepOutcome outcome = step(PriorDrawKernel{}, at(3.0), current_, scratch_, stream);
    const bool moved = outcome.verdict == Verdict::accepted;
    rejected += !moved;
    const Point& proposal = moved ? current_ : scratch_.proposal;
    // log of target(tau) prior(theta) / (target(theta) prior(tau)), from the densities.
    const double expected = proposal.log_posterior(3.0) - before.log_posterior(3.0) +
                            before.log_prior - proposal.log_prior;
    EXPECT_NEAR(outcome.log_ratio, expected, 1e-12);
    if (!moved) {
      EXPECT_EQ(current_.theta, before.theta);
    }
  }
  EXPECT_GT(rejected, 0);
}

}  // namespace
}  // namespace lacuna
