// The summary of a fit, counted again from its draws.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/data/files.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

class Summarising : public InFolder {};

TEST_F(Summarising, CountsSizesMovesAndInclusion) {
  Config config = quick_config();
  config.burn_in = 200;
  config.draws = 100;
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  const Fit fit = Fit::open("d.lacuna");
  const Summary summary = fit.summary();
  EXPECT_TRUE(summary.finished);
  EXPECT_EQ(summary.draws, 200u);
  EXPECT_EQ(summary.burn_in, 200u);
  EXPECT_EQ(summary.gap, 2u);
  EXPECT_GT(summary.seconds, 0.0);

  std::map<std::uint64_t, double> sizes;
  double first = 0.0, second = 0.0;
  for (const OwnedDraw& draw : draws_of(fit)) {
    sizes[draw.theta.size()] += 1.0 / 200.0;
    // Widths {3} and two inputs: weight 2 d + j leads from input j to unit d, weight 9 + d out.
    bool uses[2] = {false, false};
    for (std::uint64_t d = 0; d < 3; ++d) {
      for (std::uint64_t j = 0; j < 2; ++j) {
        uses[j] |= draw.theta.contains(2 * d + j) && draw.theta.contains(9 + d);
      }
    }
    first += uses[0] / 200.0;
    second += uses[1] / 200.0;
  }
  ASSERT_EQ(summary.size_posterior.size(), sizes.size());
  for (const auto& [size, share] : sizes) {
    EXPECT_NEAR(summary.size_posterior.at(size), share, 1e-12);
    EXPECT_NEAR(summary.size_prior.at(size),
                std::exp2(-static_cast<double>(size)) / (1.0 - std::exp2(-13.0)), 1e-12);
  }
  ASSERT_EQ(summary.inclusion.size(), 2u);
  EXPECT_EQ(summary.inclusion[0].name, "x1");
  EXPECT_NEAR(summary.inclusion[0].probability, first, 1e-12);
  EXPECT_NEAR(summary.inclusion[1].probability, second, 1e-12);

  std::uint64_t proposed = 0;
  for (const MoveSummary& move : summary.moves) proposed += move.proposed;
  EXPECT_EQ(proposed, 2u * 200u);
  ASSERT_EQ(summary.chains.size(), 2u);
  EXPECT_EQ(summary.chains[1].steps, 400u);
  EXPECT_EQ(summary.chains[1].draws, 100u);
}

TEST_F(Summarising, JudgesTooFewDrawsAndChainsThatDisagree) {
  Config config = quick_config();
  config.draws = 1;
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  EXPECT_EQ(Fit::open("d.lacuna").summary().verdict,
            "too few draws to judge: at least 4 per chain are needed");
  // Chains that hardly move stay where the prior put them.
  config.draws = 200;
  config.burn_in = 0;
  config.proposal_sd = 1e-6;
  config.chains = 10;
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  EXPECT_TRUE(Fit::open("d.lacuna").summary().verdict.starts_with("not converged: "));
}

TEST_F(Summarising, ExportsNumbersThatReadBackToTheSameBits) {
  ASSERT_TRUE(quick_fit("d.lacuna"));
  const Fit fit = Fit::open("d.lacuna");
  write_draws_csv(fit, "draws.csv");
  std::ifstream file("draws.csv");
  std::string line, cell;
  std::getline(file, line);
  EXPECT_EQ(line, "chain,draw,log_prior,risk,n_active,theta");
  for (const OwnedDraw& draw : draws_of(fit)) {
    std::getline(file, cell, ',');
    EXPECT_EQ(std::stoull(cell), draw.chain);
    std::getline(file, cell, ',');
    EXPECT_EQ(std::stoull(cell), draw.draw);
    std::getline(file, cell, ',');
    EXPECT_EQ(std::stod(cell), draw.log_prior);
    std::getline(file, cell, ',');
    EXPECT_EQ(std::stod(cell), draw.risk);
    std::getline(file, cell, ',');
    EXPECT_EQ(std::stoull(cell), draw.theta.size());
    for (std::size_t k = 0; k < draw.theta.size(); ++k) {
      std::getline(file, cell, ':');
      EXPECT_EQ(std::stoull(cell), draw.theta.index[k]);
      std::getline(file, cell, k + 1 < draw.theta.size() ? ' ' : '\n');
      EXPECT_EQ(std::stod(cell), draw.theta.value[k]);
    }
  }
  EXPECT_FALSE(std::getline(file, line));
}

}  // namespace
}  // namespace lacuna::testing
