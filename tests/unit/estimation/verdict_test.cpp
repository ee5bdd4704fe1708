// The verdict on summaries put together by hand: one for every sentence.
#include "estimation/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace lacuna {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

QuantitySummary series(const std::string& name, double rhat, double bulk, double tail) {
  return {name, 0.0, 1.0, -1.0, 0.0, 1.0, rhat, bulk, tail, 0.01, 1.0, 1000.0};
}

// Four chains of 1,000 draws that agree in everything.
Summary good_summary() {
  Summary s;
  s.draws = 4000;
  s.burn_in = 20000;
  s.gap = 40;
  for (const char* name :
       {"risk", "active weights", "live weights", "dead weights", "log posterior"})
    s.quantities.push_back(series(name, 1.003, 1200.0, 900.0));
  for (std::size_t row : {3u, 14u}) {
    s.probes.push_back(
        {row, series("f at row " + std::to_string(row), 1.002, 1500.0, 1000.0), 0.01});
  }
  for (int c = 0; c < 4; ++c) {
    ChainSummary chain;
    chain.draws = 1000;
    chain.changed_share = 1.0;
    chain.log_posterior_shift = 0.1;
    chain.f_shift = 0.1;
    s.chains.push_back(chain);
  }
  return s;
}

TEST(Verdict, Converged) {
  const Judgement v = judge(good_summary());
  EXPECT_EQ(v.trust, Trust::converged);
  EXPECT_EQ(v.sentence, "converged: R-hat at most 1.003, at least 900 effective draws");
  EXPECT_EQ(v.advice, "");
}

TEST(Verdict, ConvergedExceptForAnInput) {
  Summary s = good_summary();
  for (const auto& [name, rhat] : {std::pair("a", 1.02), {"b", 1.3}, {"c", std::nan("")}}) {
    InputInclusion& input = s.inclusion.emplace_back();
    input.name = name;
    input.rhat = rhat;
  }
  const Judgement v = judge(s);
  EXPECT_EQ(v.trust, Trust::converged);
  EXPECT_TRUE(v.meaning.ends_with("; not so the inclusion of 'b' (R-hat 1.30)."));
}

TEST(Verdict, ConvergedWithAWordAboveTheIdeal) {
  Summary s = good_summary();
  s.probes[1].f.rhat = 1.03;
  const Judgement v = judge(s);
  EXPECT_EQ(v.trust, Trust::converged);
  EXPECT_NE(v.advice.find("R-hat of f at row 14 is above 1.01"), std::string::npos);
  EXPECT_NE(v.advice.find("--draws 2000"), std::string::npos);
}

TEST(Verdict, WhatFDoesNotDependOnDoesNotDecide) {
  Summary s = good_summary();
  s.quantities[1].rhat = s.quantities[3].rhat = 2.0;  // active and dead weights
  EXPECT_EQ(judge(s).trust, Trust::converged);
  s = good_summary();
  s.quantities[2].constant = true;  // live weights under the dense prior
  s.quantities[2].rhat = std::nan("");
  EXPECT_EQ(judge(s).trust, Trust::converged);
}

TEST(Verdict, MixedOverModes) {
  for (const double rhat : {1.06, 1.8, infinity}) {
    Summary s = good_summary();
    s.probes[0].f.rhat = rhat;
    s.probes[0].f.separation = 3.5;
    s.disagreement.f_between_share = 0.42;
    const Judgement v = judge(s);
    EXPECT_EQ(v.trust, Trust::mixed_over_modes);
    EXPECT_TRUE(v.sentence.starts_with(
        "mixed over modes: each chain is steady, but chains differ (R-hat "));
    EXPECT_NE(v.meaning.find("f at row 3"), std::string::npos);
    EXPECT_NE(v.meaning.find("42% of the variance"), std::string::npos);
    EXPECT_NE(v.advice.find("--chains 12"), std::string::npos);
    EXPECT_NE(v.advice.find("--draws 10000"), std::string::npos);
  }
  // A difference in what f does not depend on is none.
  Summary s = good_summary();
  s.quantities[1].rhat = 1.5;
  s.quantities[1].separation = 9.0;
  EXPECT_EQ(judge(s).trust, Trust::converged);
}

TEST(Verdict, TooShortToTell) {
  Summary s = good_summary();
  s.probes[1].f.rhat = 1.2;
  s.probes[1].f.separation = 2.9;
  s.probes[1].f.ess_bulk = 50.0;
  const Judgement v = judge(s);
  EXPECT_EQ(v.trust, Trust::not_usable);
  EXPECT_EQ(v.sentence, "not usable yet: too short to tell whether the chains agree (R-hat 1.20)");
  EXPECT_NE(v.advice.find("--draws 8000 with --gap 40"), std::string::npos);
  // A series that could not be judged has not been seen to agree.
  s = good_summary();
  s.quantities[0].rhat = s.quantities[0].separation = std::nan("");
  EXPECT_EQ(judge(s).trust, Trust::not_usable);
}

TEST(Verdict, NothingChanges) {
  Summary s = good_summary();
  for (QuantitySummary& q : s.quantities) q.constant = q.name == "risk" || q.name == "live weights";
  for (ProbeSummary& p : s.probes) p.f.constant = true;
  EXPECT_EQ(judge(s).sentence, "not usable: f never changed in any chain");
}

TEST(Verdict, TooShortNamesTheStepsThatWouldDo) {
  Summary s = good_summary();
  s.quantities[0].ess_tail = 37.9;
  const Judgement v = judge(s);
  EXPECT_EQ(v.trust, Trust::not_usable);
  EXPECT_EQ(v.sentence,
            "not usable yet: the chains agree, but are worth only 37 independent draws");
  // 1,000 draws gave 37.9: 10,555 would give 400, rounded up to two digits.
  EXPECT_NE(v.advice.find("440000 steps per chain"), std::string::npos);
  EXPECT_NE(v.advice.find("--draws 11000 with --gap 40"), std::string::npos);
}

TEST(Verdict, Drifting) {
  for (const double shift : {-1.1, 1.4}) {
    Summary s = good_summary();
    s.quantities[0].rhat = 1.2;
    s.chains[2].log_posterior_shift = shift;
    const Judgement v = judge(s);
    EXPECT_EQ(v.trust, Trust::not_usable);
    EXPECT_TRUE(v.sentence.starts_with("not usable: chain 2 still drifts (log posterior by 1."));
    EXPECT_NE(v.advice.find("--burn-in 60000"), std::string::npos);
  }
  Summary s = good_summary();
  s.quantities[0].rhat = 1.2;
  s.chains[0].f_shift = 1.5;
  EXPECT_TRUE(judge(s).sentence.starts_with("not usable: chain 0 still drifts (f by 1.5 sd"));
  s.chains[0].f_shift = std::nan("");  // no probe points
  s.quantities[0].separation = 5.0;
  EXPECT_EQ(judge(s).trust, Trust::mixed_over_modes);
}

TEST(Verdict, OneOfManyMayDrift) {
  Summary s = good_summary();
  s.chains.resize(12, s.chains[0]);
  s.walkers = 3;
  s.quantities[0].rhat = 1.2;
  s.quantities[0].separation = 5.0;
  s.chains[4].f_shift = s.chains[7].log_posterior_shift = 1.5;
  EXPECT_EQ(judge(s).trust, Trust::mixed_over_modes);
  s.chains[11].log_posterior_shift = -1.2;
  EXPECT_TRUE(judge(s).sentence.starts_with("not usable: walker 1.1 still drifts (f by 1.5 sd"));
}

TEST(Verdict, Stuck) {
  Summary s = good_summary();
  s.chains[3].stuck = true;
  EXPECT_EQ(judge(s).sentence, "not usable: chain 3 stood still for half of its length");
  s.chains[3].changed_share = 0.0;
  EXPECT_EQ(judge(s).sentence, "not usable: chain 3 never moved");
}

TEST(Verdict, TooFewDrawsAndOneChain) {
  Summary s = good_summary();
  s.chains[1].draws = 49;
  EXPECT_EQ(judge(s).sentence,
            "not usable: 49 draws per chain are too few to judge (50 are the least)");
  s.draws = 0;
  for (ChainSummary& chain : s.chains) chain.draws = 0;
  EXPECT_EQ(judge(s).sentence, "not usable: there are no draws");
  s = good_summary();
  s.chains.resize(1);
  EXPECT_EQ(judge(s).sentence, "not usable: one chain alone cannot be judged");
}

TEST(Verdict, NamesWalkersAndAsksForTime) {
  Summary s = good_summary();
  s.walkers = 2;
  s.time_limit = 60.0;
  EXPECT_TRUE(judge(s).meaning.starts_with("The 4 walkers agree"));
  s.probes[0].f.rhat = 1.3;
  s.probes[0].f.separation = 4.0;
  Judgement v = judge(s);
  EXPECT_TRUE(
      v.sentence.starts_with("mixed over modes: each walker is steady, but walkers differ"));
  EXPECT_TRUE(v.meaning.starts_with("Each of the 4 walkers"));
  EXPECT_NE(v.advice.find("--chains 6."), std::string::npos);  // there are two
  EXPECT_NE(v.advice.find("--time-limit 600"), std::string::npos);
  EXPECT_EQ(v.advice.find("--draws"), std::string::npos);
  s.chains[3].f_shift = 1.5;
  v = judge(s);
  EXPECT_TRUE(v.sentence.starts_with("not usable: walker 1.1 still drifts"));
  EXPECT_NE(v.advice.find("--time-limit 180"), std::string::npos);
  s.chains[2].stuck = true;
  EXPECT_TRUE(judge(s).sentence.starts_with("not usable: walker 1.0 stood still"));
  s = good_summary();
  s.walkers = 2;
  s.time_limit = 60.0;
  s.quantities[0].ess_tail = 40.0;
  EXPECT_NE(judge(s).advice.find("--time-limit 600"), std::string::npos);
}

TEST(Verdict, IsOneLineThatFitsATerminal) {
  for (const std::size_t walkers : {1, 4}) {
    Summary s = good_summary();
    s.walkers = walkers;
    s.chains.resize(64, s.chains[0]);
    s.probes[0].f.rhat = s.probes[0].f.separation = infinity;
    EXPECT_LE(judge(s).sentence.size(), 80u);
    for (std::size_t c = 48; c < 64; ++c) s.chains[c].log_posterior_shift = 1.9;
    EXPECT_LE(judge(s).sentence.size(), 80u);
  }
}

}  // namespace
}  // namespace lacuna
