// Which known name a mistyped one is taken for.
#include "lacuna/suggest.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

TEST(DidYouMean, FindsTheClosestName) {
  const std::vector<std::string> names = {"burn-in", "draws", "price", "x13", "target"};
  EXPECT_EQ(did_you_mean("burnin", names), "burn-in");
  EXPECT_EQ(did_you_mean("prize", names), "price");
  EXPECT_EQ(did_you_mean("PRICE", names), "price");
  EXPECT_EQ(did_you_mean("darws", names), "draws") << "a swap is one edit";
  EXPECT_EQ(did_you_mean("x3", names), "x13");
  EXPECT_EQ(did_you_mean("tagret", {"target", "tagree"}), "target") << "the first of equals";
}

TEST(DidYouMean, StaysSilentWhenNothingIsClose) {
  EXPECT_EQ(did_you_mean("weight", {"price", "a"}), "");
  EXPECT_EQ(did_you_mean("a", {"b", "c"}), "");
  EXPECT_EQ(did_you_mean("A", {"b", "a"}), "a") << "case alone is no edit";
  EXPECT_EQ(did_you_mean("", {"", "a"}), "");
  EXPECT_EQ(did_you_mean("price", {}), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 'a'), {std::string(1000, 'a')}), "");
}

}  // namespace
}  // namespace lacuna
