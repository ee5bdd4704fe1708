// Options by name and text.
#include "lacuna/options.hpp"

#include <gtest/gtest.h>

#include "unit/data/files.hpp"

namespace lacuna::testing {
namespace {

std::string told(const std::string& name, const std::string& text) {
  Config config;
  return error_of([&] { option_named(config_options(), name).set(config, text); });
}

TEST(Options, AreSetByNameAndText) {
  Config config;
  const auto set = [&](const std::string& name, const std::string& text) {
    option_named(config_options(), name).set(config, text);
  };
  set("widths", "64,32");
  set("lambda", "12.5");
  set("walkers", "auto");
  set("draws", "1e3");
  set("start", "other.lacuna");
  EXPECT_EQ(config.widths, (std::vector<std::size_t>{64, 32}));
  EXPECT_EQ(config.lambda_rule, LambdaRule::number);
  EXPECT_EQ(config.lambda, 12.5);
  EXPECT_FALSE(config.walkers);
  EXPECT_EQ(config.draws, 1000u);
  EXPECT_EQ(config.start, StartKind::file);
}

TEST(Options, BadOnesAreToldWithWhatWasMeant) {
  EXPECT_EQ(told("burnin", "3"), "64 unknown key 'burnin'; did you mean 'burn-in'?");
  EXPECT_EQ(told("prior", "sprase"),
            "64 prior=sprase: must be sparse or dense; did you mean 'sparse'?");
  EXPECT_EQ(told("chains", "0"), "64 chains=0: must be >= 1");
  EXPECT_EQ(told("draws", "2.5"), "64 draws=2.5: must be a whole number >= 0");
  EXPECT_EQ(told("widths", ""), "64 widths=: must be a list such as 64,32");
  Config both;
  both.widths = {3};
  both.depth = 2;
  EXPECT_EQ(error_of([&] { check_config(both); }),
            "64 give either widths or depth and width, not both");
}

TEST(Options, ListsAreSplitAtCommas) {
  EXPECT_EQ(list_from("a,,b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(list_from("").empty());
}

}  // namespace
}  // namespace lacuna::testing
