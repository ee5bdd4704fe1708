// Text from outside, made fit for one line of a terminal.
#include "data/wording.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

TEST(Wording, ShownTextIsOneSafeLine) {
  EXPECT_EQ(shown("plain \"text\" \xC3\xA9\xE2\x82\xAC"), "plain \"text\" \xC3\xA9\xE2\x82\xAC");
  EXPECT_EQ(shown("a\nb\rc\td\x1B\x7F"), "a\\nb\\rc\\td\\x1b\\x7f");
  EXPECT_EQ(shown("\xC2\x9B!"), "\\x9b!") << "the second block of control characters";
  EXPECT_EQ(shown("\xFF\n\xC3"), "\\xff\\n\\xc3") << "a broken character hides no line end";
  EXPECT_EQ(shown("\xC2"), "\\xc2");
}

TEST(Wording, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(shown("abcd", 4), "abcd");
  EXPECT_EQ(shown("\xC3\xA9\xC3\xA9\xC3\xA9", 2), "\xC3\xA9\xC3\xA9...");
}

TEST(Wording, CountsAndLists) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a", "b\n"}), "a, b\\n");
}

}  // namespace
}  // namespace lacuna
