// The library that users get has no planted mistake: the branches on them are constants.
#include "support/planted_bug.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

consteval bool any_bug() {
  for (int bug = 0; bug <= planted_bug_count; ++bug) {
    if (has_bug(static_cast<PlantedBug>(bug))) return true;
  }
  return false;
}

static_assert(!any_bug(), "a planted mistake is switched on in the normal library");

TEST(PlantedBug, NoneIsCompiledIn) { EXPECT_FALSE(any_bug()); }

}  // namespace
}  // namespace lacuna
