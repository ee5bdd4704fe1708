// A whole run seen through its observer and its file.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "unit/data/files.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

class Runner : public InFolder {};

// Keeps everything a run says; asks to stop at the given question.
class Recorder : public Observer {
 public:
  void progress(const Progress& now) override { seen.push_back(now); }
  void warn(const std::string& sentence) override { warnings.push_back(sentence); }
  void inform(const std::string& sentence) override { lines.push_back(sentence); }
  bool stop_requested() override { return ++questions > stop_after; }

  std::vector<Progress> seen;
  std::vector<std::string> warnings, lines;
  std::size_t questions = 0, stop_after = ~std::size_t{0};
};

::testing::AssertionResult same_bytes_whatever_the_threads(Config config,
                                                           const Dataset& data = small_data()) {
  std::vector<std::string> files;
  for (const std::size_t threads : {1, 2, 7}) {
    config.threads = threads;
    Observer nobody;
    if (!fit(data, config, "d.lacuna", "a test", nobody))
      return ::testing::AssertionFailure() << "not finished";
    files.push_back(bytes_of("d.lacuna"));
  }
  if (files[0] == files[1] && files[0] == files[2]) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "files of 1, 2 and 7 threads differ";
}

TEST_F(Runner, WritesTheSameBytesWhateverTheThreads) {
  Config config = quick_config();
  config.start = StartKind::automatic;
  config.chains = 5;
  config.burn_in = 9000;  // more than one round
  config.gap = 7;
  config.draws = 2000;
  EXPECT_TRUE(same_bytes_whatever_the_threads(config));
  EXPECT_EQ(Fit::open("d.lacuna").draws(), 10'000u);
}

// One chain on more threads than there are chains: its passes over the rows are shared.
TEST_F(Runner, WritesTheSameBytesOfSharedPassesWhateverTheThreads) {
  const Dataset data = simulate({.rows = 5000, .inputs = 5}).data;
  Config config = quick_config();
  config.chains = 1;
  config.lambda_rule = LambdaRule::number;
  config.lambda = 5000.0;
  config.burn_in = 300;
  config.gap = 3;
  config.draws = 100;
  for (const SamplerKind sampler : {SamplerKind::automatic, SamplerKind::paper}) {
    config.sampler = sampler;
    EXPECT_TRUE(same_bytes_whatever_the_threads(config, data));
  }
}

TEST_F(Runner, WritesTheSameBytesOfTemperedChainsWhateverTheThreads) {
  Config config = quick_config();
  config.chains = 2;
  config.rungs = 4;
  config.burn_in = 3000;
  config.gap = 7;
  config.draws = 500;
  for (const SamplerKind sampler : {SamplerKind::automatic, SamplerKind::paper}) {
    config.sampler = sampler;
    config.start = sampler == SamplerKind::paper ? StartKind::prior : StartKind::automatic;
    EXPECT_TRUE(same_bytes_whatever_the_threads(config));
  }
}

// A chain of several walkers is that many chains, whose draws are dealt out in turn.
TEST_F(Runner, DrawsOfAChainComeFromItsWalkersInTurn) {
  Config config = quick_config();
  config.chains = 6;
  config.draws = 34;
  ASSERT_TRUE(quick_fit("single.lacuna", config));
  config.chains = 2;
  config.walkers = 3;
  config.draws = 100;  // 34 of the first walker, 33 of the others
  ASSERT_TRUE(quick_fit("walkers.lacuna", config));

  const std::vector<OwnedDraw> single = draws_of(Fit::open("single.lacuna"));
  const std::vector<OwnedDraw> in_turn = draws_of(Fit::open("walkers.lacuna"));
  ASSERT_EQ(in_turn.size(), 200u);
  for (std::size_t k = 0; k < in_turn.size(); ++k) {
    const std::size_t chain = k / 100, draw = k % 100;
    EXPECT_EQ(in_turn[k].chain, chain);
    EXPECT_EQ(in_turn[k].draw, draw);
    EXPECT_EQ(in_turn[k].theta, single[(chain * 3 + draw % 3) * 34 + draw / 3].theta);
  }
}

TEST_F(Runner, JudgesEveryWalkerOnItsOwn) {
  Config config = quick_config();
  config.chains = 2;
  config.walkers = 3;
  config.draws = 100;
  ASSERT_TRUE(quick_fit("walkers.lacuna", config));
  const Summary walkers = Fit::open("walkers.lacuna").summary();
  EXPECT_EQ(walkers.walkers, 3u);
  ASSERT_EQ(walkers.chains.size(), 6u);
  EXPECT_EQ(walkers.chains[3].draws, 34u);
  EXPECT_EQ(walkers.chains[5].draws, 33u);

  // R-hat sees six series, as it would see six chains.
  config.chains = 6;
  config.walkers = 1;
  config.draws = 33;
  ASSERT_TRUE(quick_fit("single.lacuna", config));
  const Summary single = Fit::open("single.lacuna").summary();
  EXPECT_EQ(walkers.quantities[0].rhat, single.quantities[0].rhat);
  EXPECT_EQ(walkers.quantities[0].ess_bulk, single.quantities[0].ess_bulk);
}

TEST_F(Runner, WritesTheSameBytesOfWalkersWhateverTheThreads) {
  Config config = quick_config();
  config.start = StartKind::automatic;
  config.walkers = 3;
  config.burn_in = 900;
  config.draws = 2000;
  EXPECT_TRUE(same_bytes_whatever_the_threads(config));
}

TEST_F(Runner, PlansATemperedRunByTimeAlone) {
  Config config = quick_config();
  config.rungs = 3;
  config.burn_in = config.gap = config.draws = std::nullopt;
  config.time_limit = 1.0;
  Observer nobody;
  fit(small_data(), config, "d.lacuna", "a test", nobody);
  const Summary summary = Fit::open("d.lacuna").summary();
  EXPECT_GT(summary.draws, 0u);
  for (const ChainSummary& chain : summary.chains) EXPECT_EQ(chain.tempering.rungs.size(), 3u);
}

// However slow the machine: the time is up before anything has begun.
TEST_F(Runner, ATimeThatIsTooShortStillGivesDraws) {
  Config config;
  config.time_limit = 1e-6;
  Observer nobody;
  EXPECT_TRUE(fit(small_data(), config, "d.lacuna", "a test", nobody));
  const Fit result = Fit::open("d.lacuna");
  EXPECT_GE(result.draws(), config.chains);
  EXPECT_EQ(result.summary().verdict.trust, Trust::not_usable);
}

TEST_F(Runner, TellsProgressThatOnlyGrows) {
  Config config = quick_config();
  config.burn_in = 60'000;
  config.gap = 10;
  config.draws = 30'000;
  Recorder recorder;
  ASSERT_TRUE(fit(small_data(), config, "d.lacuna", "a test", recorder));
  ASSERT_GE(recorder.seen.size(), 3u);
  EXPECT_EQ(recorder.seen.front().phase, "start");
  EXPECT_EQ(recorder.seen.front().steps_done, 0u);
  const std::vector<std::string> phases = {"start", "burn-in", "sampling"};
  for (std::size_t k = 1; k < recorder.seen.size(); ++k) {
    const Progress &before = recorder.seen[k - 1], &now = recorder.seen[k];
    EXPECT_GT(now.steps_done, before.steps_done);
    EXPECT_GT(now.fraction, before.fraction);
    EXPECT_LE(now.fraction, 1.0);
    EXPECT_EQ(now.steps_total, 2u * 360'000u);
    EXPECT_DOUBLE_EQ(now.fraction,
                     static_cast<double>(now.steps_done) / static_cast<double>(now.steps_total));
    EXPECT_GE(now.acceptance, 0.0);
    EXPECT_LE(now.acceptance, 1.0);
    EXPECT_GT(now.risk, 0.0);
    EXPECT_GE(now.active, 1.0);
    EXPECT_GE(now.seconds_left, 0.0);
    EXPECT_LE(std::ranges::find(phases, before.phase), std::ranges::find(phases, now.phase));
    EXPECT_EQ(now.phase == "burn-in", now.steps_done <= 2u * 60'000u);
  }
  EXPECT_EQ(recorder.seen.back().phase, "sampling");
  EXPECT_TRUE(recorder.warnings.empty());
  ASSERT_EQ(recorder.lines.size(), 1u);
  EXPECT_TRUE(recorder.lines[0].starts_with("lambda "));
}

TEST_F(Runner, StopsWhenAskedAndKeepsWhatItHas) {
  Config config = quick_config();
  config.burn_in = 100;
  config.gap = 100;
  config.draws = 1'000'000'000;
  Recorder recorder;
  recorder.stop_after = 6;
  EXPECT_FALSE(fit(small_data(), config, "d.lacuna", "a test", recorder));
  EXPECT_EQ(recorder.questions, 7u);
  const Fit stopped = Fit::open("d.lacuna");
  const Summary summary = stopped.summary();
  EXPECT_FALSE(summary.finished);
  EXPECT_EQ(summary.notes, std::vector<std::string>{"the run did not come to its planned end"});
  EXPECT_EQ(summary.burn_in, 100u);
  const std::uint64_t steps = summary.chains[0].steps;
  EXPECT_GT(steps, 300u);
  EXPECT_EQ(stopped.draws(), 2 * ((steps - 100) / 100));

  // A run planned to that length gives the same draws.
  config.draws = (steps - 100) / 100;
  ASSERT_TRUE(quick_fit("whole.lacuna", config));
  EXPECT_EQ(draws_of(stopped), draws_of(Fit::open("whole.lacuna")));
}

TEST_F(Runner, StoppedInBurnInItHasNoDrawsAndSaysSo) {
  Config config = quick_config();
  config.burn_in = 1'000'000'000;
  Recorder recorder;
  recorder.stop_after = 2;
  EXPECT_FALSE(fit(small_data(), config, "d.lacuna", "a test", recorder));
  const Fit stopped = Fit::open("d.lacuna");
  EXPECT_EQ(stopped.draws(), 0u);
  EXPECT_EQ(stopped.summary().verdict.sentence, "not usable: there are no draws");
  EXPECT_EQ(error_of([&] {
              stopped.predict({0.0, 0.0}, 1, {});
            }),
            "65 the fit holds no draws; run it longer");
}

TEST_F(Runner, ALongerRunBeginsWithTheShorterOne) {
  Config config = quick_config();
  config.draws = 20;
  ASSERT_TRUE(quick_fit("short.lacuna", config));
  config.draws = 50;
  ASSERT_TRUE(quick_fit("long.lacuna", config));
  const auto first = draws_of(Fit::open("short.lacuna")),
             second = draws_of(Fit::open("long.lacuna"));
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_EQ(first[k], second[k]);
    EXPECT_EQ(first[20 + k], second[50 + k]);
  }
}

TEST_F(Runner, PlansARunByTimeAlone) {
  Config config = quick_config();
  config.burn_in = config.gap = config.draws = std::nullopt;
  config.time_limit = 1.0;
  Recorder recorder;
  fit(small_data(), config, "d.lacuna", "a test", recorder);
  const Summary summary = Fit::open("d.lacuna").summary();
  EXPECT_GT(summary.draws, 0u);
  EXPECT_GT(summary.burn_in, 0u);
  EXPECT_GE(summary.gap, 1u);
  for (const Progress& progress : recorder.seen) EXPECT_EQ(progress.steps_total, 0u);
}

TEST_F(Runner, StartsFromAnotherFitWithoutTouchingIt) {
  ASSERT_TRUE(quick_fit("first.lacuna"));
  const std::string before = bytes_of("first.lacuna");
  Config config = quick_config();
  config.start = StartKind::file;
  config.start_file = "first.lacuna";
  EXPECT_EQ(error_of([&] { quick_fit("first.lacuna", config); }),
            "64 start=first.lacuna: is also where the fit would go; give another --out");
  EXPECT_EQ(bytes_of("first.lacuna"), before);
  ASSERT_TRUE(quick_fit("second.lacuna", config));
  EXPECT_EQ(bytes_of("first.lacuna"), before);
  config.widths = {4};
  EXPECT_TRUE(error_of([&] {
                quick_fit("second.lacuna", config);
              }).starts_with("64 start=first.lacuna: holds another network"));
}

std::string draws_of(const Dataset& data, const Config& config) {
  Observer nobody;
  fit(data, config, "d.lacuna", "a test", nobody);
  write_draws_csv(Fit::open("d.lacuna"), "d.csv");
  return bytes_of("d.csv");
}

// Lambda, noise and starts come from the data here as well.
TEST_F(Runner, DrawsTheSameForWeightsAndForCopiesInAnyOrder) {
  Config config = quick_config();
  config.lambda_rule = LambdaRule::automatic;
  config.start = StartKind::automatic;
  config.threads = 0;
  Dataset weighted = small_data(40), copied = small_data(40);
  copied.rows = 0;
  copied.x.clear();
  copied.y.clear();
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < weighted.rows; ++i) {
    const std::size_t times = (i * 7) % 4;
    weighted.weight.push_back(static_cast<double>(times));
    taken.insert(taken.end(), times, weighted.rows - 1 - i);
  }
  std::ranges::reverse(weighted.weight);
  for (std::size_t j = 0; j < 2; ++j)
    for (const std::size_t i : taken) copied.x.push_back(weighted.x[j * weighted.rows + i]);
  for (const std::size_t i : taken) copied.y.push_back(weighted.y[i]);
  copied.rows = taken.size();
  const std::string draws = draws_of(weighted, config);
  EXPECT_GT(std::ranges::count(draws, '\n'), 4);
  EXPECT_EQ(draws_of(copied, config), draws);
  EXPECT_EQ(Fit::open("d.lacuna").info().total_weight, static_cast<double>(taken.size()));
  weighted.weight.clear();
  EXPECT_NE(draws_of(weighted, config), draws);
}

TEST_F(Runner, WarnsAboutOddDataAndRefusesImpossibleOnes) {
  Dataset data = small_data();
  std::fill_n(data.x.begin(), data.rows, 3.0);
  Recorder recorder;
  ASSERT_TRUE(fit(data, quick_config(), "d.lacuna", "a test", recorder));
  EXPECT_EQ(recorder.warnings,
            std::vector<std::string>{"column 'x1' is constant; it cannot matter"});
  data.y[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of([&] { fit(data, quick_config(), "e.lacuna", "a test", recorder); }),
            "65 Input y contains NaN (row 4)");
  EXPECT_FALSE(std::filesystem::exists("e.lacuna"));
}

}  // namespace
}  // namespace lacuna::testing
