// Passes shared by a team: the same bits as alone, and the right sums over many groups of rows.
#include <gtest/gtest.h>

#include "network/evaluator.hpp"
#include "support/team.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::bits_of;

constexpr Request kEverything = {.gradient = true, .curvature = true, .inactive = true};

struct Answers {
  Evaluation evaluation;
  OutputMoments moments;
  std::vector<double> f;
};

Answers answers(Evaluator& evaluator, const SparseTheta& theta, const Samples& samples,
                Request request) {
  Answers out;
  out.f.resize(samples.rows());
  evaluator.evaluate(theta, samples, samples.all(), request, out.evaluation);
  evaluator.output_moments(theta, samples, out.moments);
  evaluator.predict(theta, samples, out.f);
  return out;
}

void expect_same_bits(const Answers& a, const Answers& b) {
  EXPECT_EQ(bits_of(a.evaluation.risk), bits_of(b.evaluation.risk));
  EXPECT_EQ(bits_of(a.evaluation.gradient), bits_of(b.evaluation.gradient));
  EXPECT_EQ(bits_of(a.evaluation.curvature), bits_of(b.evaluation.curvature));
  ASSERT_EQ(a.evaluation.inactive.size(), b.evaluation.inactive.size());
  for (std::size_t k = 0; k < a.evaluation.inactive.size(); ++k) {
    EXPECT_EQ(bits_of(a.evaluation.inactive[k].gradient),
              bits_of(b.evaluation.inactive[k].gradient));
    EXPECT_EQ(bits_of(a.evaluation.inactive[k].curvature),
              bits_of(b.evaluation.inactive[k].curvature));
  }
  EXPECT_EQ(bits_of(a.moments.gram), bits_of(b.moments.gram));
  EXPECT_EQ(bits_of(a.moments.cross), bits_of(b.moments.cross));
  EXPECT_EQ(bits_of(a.f), bits_of(b.f));
}

TEST(TeamPass, TheSameBitsWhoeverMakesTheSums) {
  RandomStream stream = testing::test_stream(160);
  const Architecture a(4, {6, 5});
  for (const std::size_t rows : {100u, 2048u, 2049u, 4096u, 11'000u}) {
    const Samples samples = testing::random_rows(rows, 4, stream).samples();
    for (const std::size_t threads : {2u, 3u, 7u}) {
      Team team(threads);
      Evaluator alone(a, 2.0), shared(a, 2.0);
      shared.work_with(&team);
      for (const double density : {0.2, 0.7, 1.0}) {
        const SparseTheta theta = testing::random_theta(a, density, stream);
        for (const Request request : {Request{}, Request{.gradient = true}, kEverything}) {
          expect_same_bits(answers(alone, theta, samples, request),
                           answers(shared, theta, samples, request));
        }
      }
    }
  }
}

// Sums over parts of the rows, from passes that never see two groups.
TEST(TeamPass, SumsOverGroupsAreThoseOfTheirRows) {
  RandomStream stream = testing::test_stream(161);
  const Architecture a(3, {5, 4});
  const std::size_t rows = 9000, part = 1600;
  const Samples samples = testing::random_rows(rows, 3, stream).samples();
  const SparseTheta theta = testing::random_theta(a, 0.8, stream);
  Team team(2);
  Evaluator evaluator(a, 2.0);
  evaluator.work_with(&team);
  Evaluation whole, one;
  evaluator.evaluate(theta, samples, samples.all(), kEverything, whole);
  double risk = 0.0;
  std::vector<double> gradient(theta.size()), curvature(theta.size());
  for (std::size_t begin = 0; begin < rows; begin += part) {
    const RowRange range{begin, std::min(begin + part, rows)};
    const double share = static_cast<double>(range.end - range.begin) / static_cast<double>(rows);
    evaluator.evaluate(theta, samples, range, kEverything, one);
    risk += share * one.risk;
    for (std::size_t k = 0; k < theta.size(); ++k) {
      gradient[k] += share * one.gradient[k];
      curvature[k] += share * one.curvature[k];
    }
  }
  EXPECT_NEAR(whole.risk, risk, 1e-12 * risk);
  for (std::size_t k = 0; k < theta.size(); ++k) {
    EXPECT_NEAR(whole.gradient[k], gradient[k], 1e-12);
    EXPECT_NEAR(whole.curvature[k], curvature[k], 1e-12 + 1e-12 * curvature[k]);
  }
}

}  // namespace
}  // namespace lacuna
