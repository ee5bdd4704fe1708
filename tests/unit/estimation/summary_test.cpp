// The summary of a fit, counted again from its draws.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "run/info_json.hpp"
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
  for (const MoveSummary& move : summary.moves) EXPECT_TRUE(move.passes && move.work);
  ASSERT_EQ(summary.chains.size(), 2u);
  EXPECT_EQ(summary.chains[1].steps, 400u);
  EXPECT_EQ(summary.chains[1].draws, 100u);
}

TEST_F(Summarising, FollowsFAtTheProbesAndEveryInput) {
  Config config = quick_config();
  config.burn_in = 200;
  config.draws = 100;
  config.chains = 3;
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  const Fit fit = Fit::open("d.lacuna");
  const Summary summary = fit.summary();
  const Dataset data = small_data();
  ASSERT_EQ(summary.probes.size(), 8u);
  double shares = 0.0;
  for (const ProbeSummary& probe : summary.probes) {
    const double x[] = {data.x[probe.row], data.x[data.rows + probe.row]};
    const Prediction there = fit.predict({x[0], x[1]}, 1, {});
    EXPECT_NEAR(probe.f.mean, there.mean[0], 1e-10);
    EXPECT_NEAR(probe.f.q05, there.f_lower[0], 1e-10);
    EXPECT_NEAR(probe.f.sd, there.sd[0] * std::sqrt(300.0 / 299.0), 1e-10);
    EXPECT_GE(probe.f.rhat, 0.99);
    EXPECT_TRUE(probe.between_share >= 0.0 && probe.between_share <= 1.0);
    shares += probe.between_share / 8.0;
  }
  EXPECT_NEAR(summary.disagreement.f_between_share, shares, 1e-12);

  double means[3] = {}, low = HUGE_VAL, high = -HUGE_VAL;
  for (const OwnedDraw& draw : draws_of(fit))
    means[draw.chain] += (draw.log_prior - fit.info().lambda * draw.risk) / 100.0;
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(summary.chains[c].mean_log_posterior, means[c], 1e-9);
    EXPECT_GT(summary.chains[c].sd_log_posterior, 0.0);
    EXPECT_GT(summary.chains[c].changed_share, 0.2);
    EXPECT_FALSE(summary.chains[c].stuck);
    low = std::min(low, means[c]);
    high = std::max(high, means[c]);
  }
  EXPECT_NEAR(summary.disagreement.log_posterior_range, high - low, 1e-9);

  ASSERT_EQ(summary.quantities.size(), 5u);
  const auto mean_of = [&](std::size_t q) { return summary.quantities[q].mean; };
  EXPECT_EQ(summary.quantities[3].name, "dead weights");
  EXPECT_NEAR(mean_of(1), mean_of(2) + mean_of(3), 1e-10);
  for (const InputInclusion& input : summary.inclusion) {
    EXPECT_EQ(input.constant, input.probability == 0.0 || input.probability == 1.0);
    EXPECT_EQ(std::isnan(input.rhat), input.constant);
    EXPECT_LE(input.chains, 3u);
  }
}

TEST_F(Summarising, SeesChainsThatDoNotMove) {
  Config config = quick_config();
  config.start = StartKind::automatic;
  config.draws = 80;
  config.proposal_sd = 100.0;  // every proposal leaves the box
  config.learning_rate = 0.0;
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  const Summary summary = Fit::open("d.lacuna").summary();
  EXPECT_EQ(summary.chains[0].changed_share, 0.0);
  EXPECT_TRUE(summary.chains[0].stuck && summary.chains[1].stuck);
  EXPECT_EQ(summary.verdict.sentence, "not usable: chain 0 never moved");
}

TEST_F(Summarising, SaysWhichSeriesAreConstant) {
  Config config = quick_config();
  config.prior = PriorKind::dense;
  config.lambda_rule = LambdaRule::number;
  config.lambda = 0.0;
  config.draws = 60;
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  for (const QuantitySummary& q : Fit::open("d.lacuna").summary().quantities)
    EXPECT_EQ(q.constant, q.name != "risk") << q.name;
}

TEST_F(Summarising, ReadsFilesWithoutProbes) {
  Config config = quick_config();
  config.draws = 60;
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  const FitReader reader("d.lacuna");
  auto header = nlohmann::json::parse(info_to_json(reader.info()));
  header.erase("probes");
  std::string bytes = header_bytes(header.dump());
  for (const RecordPlace& place : reader.records()) {
    bytes +=
        record_bytes(static_cast<std::uint32_t>(place.type), place.chain, reader.payload(place));
  }
  write_file("old.lacuna", bytes);
  const Summary now = Fit::open("d.lacuna").summary(), old = Fit::open("old.lacuna").summary();
  EXPECT_TRUE(old.probes.empty());
  EXPECT_EQ(old.draws, now.draws);
  EXPECT_EQ(old.quantities[0].mean, now.quantities[0].mean);
  EXPECT_TRUE(std::isnan(old.chains[0].f_shift));
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
