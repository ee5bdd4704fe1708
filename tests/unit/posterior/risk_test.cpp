// The Risk concept and its CPU model, and how prior and risk come together in a point of the
// posterior.
#include "posterior/risk.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "posterior/gibbs.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

struct GoodRisk {
  void evaluate(const SparseTheta&, Request, Evaluation&) {}
  const Architecture& architecture() const { return shape; }
  double total_weight() const { return 1.0; }
  Architecture shape{1, {1}};
};
struct RiskThatReturnsItsValue : GoodRisk {
  double evaluate(const SparseTheta&, Request, Evaluation&) { return 0.0; }
};
struct RiskWithoutWeight {
  void evaluate(const SparseTheta&, Request, Evaluation&) {}
  const Architecture& architecture() const { return shape; }
  Architecture shape{1, {1}};
};

static_assert(Risk<GoodRisk>);
static_assert(Risk<EmpiricalRisk>);
static_assert(!Risk<RiskThatReturnsItsValue>);
static_assert(!Risk<RiskWithoutWeight>);
static_assert(!Risk<Samples>);

class EmpiricalRiskTest : public ::testing::Test {
 protected:
  RandomStream stream = lacuna::testing::test_stream(210);
  const Architecture architecture{3, {4, 4}};
  const lacuna::testing::Rows rows = lacuna::testing::random_rows(77, 3, stream);
  EmpiricalRisk risk{std::make_shared<const Samples>(rows.samples()), architecture, 2.0};
};

TEST_F(EmpiricalRiskTest, IsTheMeanSquaredErrorOfTheClippedNetwork) {
  for (int i = 0; i < 50; ++i) {
    const SparseTheta theta = lacuna::testing::random_theta(architecture, 0.7, stream);
    Evaluation out;
    risk.evaluate(theta, {}, out);
    const auto network = lacuna::testing::naive<long double>(architecture, theta);
    EXPECT_NEAR(out.risk, static_cast<double>(lacuna::testing::naive_risk(network, rows, 2.0)),
                1e-13);
  }
  EXPECT_EQ(risk.evaluations(), 50u);
  EXPECT_EQ(risk.total_weight(), 77.0);
  EXPECT_EQ(risk.architecture().parameter_count(), architecture.parameter_count());
}

TEST_F(EmpiricalRiskTest, CopiesShareRowsAndNothingElse) {
  std::vector<SparseTheta> points;
  for (int i = 0; i < 200; ++i)
    points.push_back(lacuna::testing::random_theta(architecture, 0.6, stream));
  const Request request = {.gradient = true, .curvature = true, .inactive = true};
  std::vector<Evaluation> expected(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) risk.evaluate(points[i], request, expected[i]);

  std::vector<std::vector<Evaluation>> results(2, std::vector<Evaluation>(points.size()));
  {
    std::vector<std::jthread> threads;
    for (std::vector<Evaluation>& result : results) {
      threads.emplace_back([&, copy = risk]() mutable {
        for (std::size_t i = 0; i < points.size(); ++i)
          copy.evaluate(points[i], request, result[i]);
      });
    }
  }
  EmpiricalRisk copy = risk;
  EXPECT_EQ(&copy.samples(), &risk.samples());
  for (const std::vector<Evaluation>& result : results) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(lacuna::testing::bits_of(result[i].risk),
                lacuna::testing::bits_of(expected[i].risk));
      ASSERT_EQ(lacuna::testing::bits_of(result[i].gradient),
                lacuna::testing::bits_of(expected[i].gradient));
    }
  }
}

TEST(Point, LogPosteriorNeedsNoNewEvaluationAtAnotherLambda) {
  Point point;
  point.log_prior = -3.0;
  point.evaluation.risk = 0.25;
  EXPECT_DOUBLE_EQ(point.log_posterior(0.0), -3.0);
  EXPECT_DOUBLE_EQ(point.log_posterior(100.0), -28.0);
}

}  // namespace
}  // namespace lacuna
