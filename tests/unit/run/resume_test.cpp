// A run that was stopped or killed and goes on: its file becomes that of a run that never was.
#include <gtest/gtest.h>

#include <algorithm>

#include "lacuna/errors.hpp"
#include "run/resume_point.hpp"
#include "unit/data/files.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

class Resume : public InFolder {};

// Asks to stop at the given question.
class Stopper : public Observer {
 public:
  explicit Stopper(std::size_t after) : after_(after) {}
  bool stop_requested() override { return ++questions_ > after_; }
  std::size_t questions() const { return questions_; }

 private:
  std::size_t after_, questions_ = 0;
};

// Names the first byte that differs, instead of showing all of both files.
::testing::AssertionResult is_file(const std::string& path, const std::string& bytes) {
  const std::string found = bytes_of(path);
  if (found == bytes) return ::testing::AssertionSuccess();
  const auto [here, there] = std::ranges::mismatch(found, bytes);
  const auto at = static_cast<std::size_t>(here - found.begin());
  const std::size_t before = at < 60 ? 0 : at - 60;
  return ::testing::AssertionFailure()
         << path << " (" << found.size() << " bytes) is not the expected file (" << bytes.size()
         << " bytes) from byte " << at << " on: ..." << found.substr(before, 120)
         << "... instead of ..." << bytes.substr(before, 120);
}

bool continued(const std::string& path, std::optional<std::uint64_t> draws = {},
               std::size_t threads = 1) {
  Observer nobody;
  return go_on(small_data(), path, {draws, {}, threads}, nobody);
}

// Several rounds of burn-in and of sampling, with marks in both.
Config long_config(SamplerKind sampler = SamplerKind::automatic) {
  Config config = quick_config();
  config.sampler = sampler;
  config.burn_in = sampler == SamplerKind::paper ? 90'000 : 30'000;
  config.gap = sampler == SamplerKind::paper ? 300 : 100;
  config.draws = 400;
  return config;
}

std::vector<Config> kinds_of_run() {
  std::vector<Config> all = {long_config(), long_config(SamplerKind::paper)};
  Config walkers = long_config();
  walkers.walkers = 3;
  walkers.start = StartKind::automatic;
  all.push_back(walkers);
  Config tempered = long_config();
  tempered.chains = 1;
  tempered.rungs = 3;
  all.push_back(tempered);
  return all;
}

TEST_F(Resume, AfterAKillAtAnyByteTheFileIsThatOfAWholeRun) {
  RandomStream stream({5, 0, 0, 0, Purpose::test});
  for (const Config& config : kinds_of_run()) {
    ASSERT_TRUE(quick_fit("whole.lacuna", config));
    const std::string whole = bytes_of("whole.lacuna");
    const std::size_t header = FitReader("whole.lacuna").header_end();
    const std::size_t records = FitReader("whole.lacuna").records().size();
    ASSERT_GT(records, 30u);
    for (int repeat = 0; repeat < 12; ++repeat) {
      // Mid-write: the last record may be cut anywhere, or hold something else.
      std::string cut = whole.substr(0, header + stream.below(whole.size() - header + 1));
      if (repeat % 3 == 2) cut += "torn";
      write_file("d.lacuna", cut);
      ASSERT_TRUE(continued("d.lacuna", {}, 1 + repeat % 2));
      ASSERT_TRUE(is_file("d.lacuna", whole)) << cut.size();
    }
  }
}

TEST_F(Resume, AfterAKillWhileTheEndIsWrittenToo) {
  const Config config = long_config();
  ASSERT_TRUE(quick_fit("whole.lacuna", config));
  const std::string whole = bytes_of("whole.lacuna");
  const FitReader reader("whole.lacuna");
  // The last checkpoints, the note that the run ended, and the mark: between them and inside.
  const std::size_t last = reader.records().size();
  for (std::size_t k = last - 4; k < last; ++k) {
    const RecordPlace& place = reader.records()[k];
    for (const std::uint64_t length : {place.begin(), place.begin() + 7, place.end() - 1}) {
      write_file("d.lacuna", whole.substr(0, length));
      ASSERT_TRUE(continued("d.lacuna"));
      ASSERT_TRUE(is_file("d.lacuna", whole)) << length;
    }
  }
}

TEST_F(Resume, AfterAStopTheFileIsThatOfAWholeRun) {
  for (const Config& config : kinds_of_run()) {
    ASSERT_TRUE(quick_fit("whole.lacuna", config));
    const std::string whole = bytes_of("whole.lacuna");
    Stopper never(~std::size_t{0});
    ASSERT_TRUE(fit(small_data(), config, "d.lacuna", "a test", never));
    for (int part = 1; part <= 4; ++part) {
      Stopper stopper(never.questions() * static_cast<std::size_t>(part) / 5);
      ASSERT_FALSE(fit(small_data(), config, "d.lacuna", "a test", stopper));
      EXPECT_FALSE(Fit::open("d.lacuna").summary().finished);
      // And once more on the way.
      Stopper again(never.questions() / 10);
      go_on(small_data(), "d.lacuna", {{}, {}, 1}, again);
      ASSERT_TRUE(continued("d.lacuna"));
      ASSERT_TRUE(is_file("d.lacuna", whole)) << part;
    }
  }
}

TEST_F(Resume, AKillWhileStoppingLosesNothing) {
  const Config config = long_config();
  ASSERT_TRUE(quick_fit("whole.lacuna", config));
  const std::string whole = bytes_of("whole.lacuna");
  Stopper stopper(18);
  ASSERT_FALSE(fit(small_data(), config, "d.lacuna", "a test", stopper));
  const std::string stopped = bytes_of("d.lacuna");
  const FitReader reader("d.lacuna");
  const ResumePoint point = find_resume_point(reader);
  ASSERT_LT(point.offset, stopped.size());
  for (std::size_t at = point.offset; at < stopped.size(); at += 397) {
    write_file("d.lacuna", stopped.substr(0, at));
    ASSERT_TRUE(continued("d.lacuna"));
    ASSERT_TRUE(is_file("d.lacuna", whole)) << at;
  }
}

TEST_F(Resume, ExtendingGivesTheDrawsOfALongerRun) {
  for (Config config : kinds_of_run()) {
    config.draws = 1000;
    ASSERT_TRUE(quick_fit("long.lacuna", config));
    config.draws = 401;
    ASSERT_TRUE(quick_fit("d.lacuna", config));
    ASSERT_TRUE(continued("d.lacuna", 700));
    EXPECT_EQ(planned_draws("d.lacuna"), 700u);
    ASSERT_TRUE(continued("d.lacuna", 1000));
    EXPECT_EQ(draws_of(Fit::open("d.lacuna")), draws_of(Fit::open("long.lacuna")));
    const Summary extended = Fit::open("d.lacuna").summary();
    EXPECT_TRUE(extended.finished);
    EXPECT_EQ(extended.quantities[0].rhat, Fit::open("long.lacuna").summary().quantities[0].rhat);
  }
}

TEST_F(Resume, AKillWhileExtendingCanBeTakenUp) {
  Config config = long_config();
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  const std::size_t first = bytes_of("d.lacuna").size();
  ASSERT_TRUE(continued("d.lacuna", 1000));
  const std::string extended = bytes_of("d.lacuna");
  RandomStream stream({6, 0, 0, 0, Purpose::test});
  for (int repeat = 0; repeat < 10; ++repeat) {
    write_file("d.lacuna", extended.substr(0, first + stream.below(extended.size() - first + 1)));
    ASSERT_TRUE(continued("d.lacuna", 1000));
    ASSERT_TRUE(is_file("d.lacuna", extended));
  }
}

TEST_F(Resume, AFinishedRunIsLeftAsItIs) {
  ASSERT_TRUE(quick_fit("d.lacuna"));
  const std::string whole = bytes_of("d.lacuna");
  ASSERT_TRUE(continued("d.lacuna"));
  EXPECT_TRUE(is_file("d.lacuna", whole));
  ASSERT_TRUE(continued("d.lacuna", 2));  // it has four
  EXPECT_TRUE(is_file("d.lacuna", whole));
}

TEST_F(Resume, NeedsTheSameData) {
  ASSERT_TRUE(quick_fit("d.lacuna"));
  const std::string whole = bytes_of("d.lacuna");
  Dataset other = small_data();
  other.y[3] += 1e-9;
  Observer nobody;
  const std::string told = error_of([&] { go_on(other, "d.lacuna", {10, {}, 1}, nobody); });
  EXPECT_TRUE(told.starts_with("65 d.lacuna: was fitted to other data (hash "));
  EXPECT_TRUE(is_file("d.lacuna", whole));
}

TEST_F(Resume, NeedsTheSameOptions) {
  ASSERT_TRUE(quick_fit("d.lacuna"));
  Config config = quick_config();
  EXPECT_NO_THROW(check_same_run(config, "d.lacuna"));
  config.draws = 7;
  config.time_limit = 3.0;
  config.threads = 2;
  EXPECT_NO_THROW(check_same_run(config, "d.lacuna"));
  config.bound = 4.0;
  EXPECT_EQ(error_of([&] { check_same_run(config, "d.lacuna"); }),
            "64 --bound is not what it was when d.lacuna was begun; give the same command as then, "
            "or start anew without --resume");
}

TEST_F(Resume, DrawsThatCannotBeComputedAgainAreNotTouched) {
  const Config config = long_config();
  ASSERT_TRUE(quick_fit("d.lacuna", config));
  const std::string whole = bytes_of("d.lacuna");
  const FitReader reader("d.lacuna");
  // A draw after the last mark but one, changed, with a good checksum.
  const RecordPlace* last = nullptr;
  for (const RecordPlace& place : reader.records()) {
    if (place.type == RecordType::draws) last = &place;
  }
  std::string payload = reader.payload(*last);
  payload[payload.size() - 1] ^= 1;
  const std::string changed =
      whole.substr(0, last->begin()) + record_bytes(1, last->chain, payload);
  write_file("d.lacuna", changed);
  EXPECT_TRUE(error_of([] {
                continued("d.lacuna");
              }).starts_with("65 d.lacuna: cannot be continued exactly"));
  EXPECT_TRUE(is_file("d.lacuna", changed));
}

}  // namespace
}  // namespace lacuna::testing
