// The example kernel of CONTRIBUTING.md: it compiles, fits the concept, and leaves the prior
// invariant.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "mcmc/kernel.hpp"
#include "mcmc/paper_kernel.hpp"

namespace lacuna {
namespace {

struct RandomWalk {
  using Scratch = Point;
  double sd = 0.1;
};

template <Risk R>
StepOutcome step(const RandomWalk& kernel, const GibbsPosterior<R>& target, Point& current,
                 Point& proposal, RandomStream& stream) {
  proposal.theta = current.theta;
  proposal.theta.value[stream.below(current.theta.size())] += kernel.sd * stream.normal();
  evaluate_point(target, proposal);
  StepOutcome outcome;
  outcome.log_ratio = proposal.log_posterior(target.lambda) - current.log_posterior(target.lambda);
  outcome.verdict = accept_or_reject(outcome.log_ratio, stream);
  if (outcome.verdict == Verdict::accepted) std::swap(current, proposal);
  return outcome;
}

static_assert(Kernel<RandomWalk>);

TEST(ExampleKernel, LeavesTheUniformLawOnTheBoxInvariantAtLambdaZero) {
  const Architecture shape(1, {1});
  const std::vector<double> x = {-0.5, 0.2, 0.9}, y = {0.1, 0.0, 0.7};
  EmpiricalRisk risk(std::make_shared<const Samples>(3, 1, x, y), shape, 2.0);
  const Prior prior(PriorKind::sparse, shape.parameter_count(), 2.0, 1.5);
  const GibbsPosterior<EmpiricalRisk> target{prior, risk, 0.0};
  Point point, scratch;
  point.theta = {{0, 2}, {0.3, -0.4}};
  evaluate_point(target, point);
  constexpr int steps = 200'000;
  double squares = 0.0;
  for (int t = 0; t < steps; ++t) {
    RandomStream stream({7, 0, 0, static_cast<std::uint64_t>(t), Purpose::test});
    step(RandomWalk{1.5}, target, point, scratch, stream);
    ASSERT_TRUE(prior.inside_box(point.theta));
    squares += point.theta.value[0] * point.theta.value[0] / steps;
  }
  // Variance of the uniform law on [-1.5, 1.5]; the autocorrelation time is about 6, so 0.02 is
  // over five standard errors.
  EXPECT_NEAR(squares, 1.5 * 1.5 / 3.0, 0.02);
}

}  // namespace
}  // namespace lacuna
