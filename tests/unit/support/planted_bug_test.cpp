// The library that users get has no planted mistake: the branches on them are constants.
#include "support/planted_bug.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

constexpr PlantedBug kFirst = PlantedBug::none;
constexpr PlantedBug kLast = PlantedBug::dead_counted_before_birth;

consteval bool any_bug() {
  for (int bug = static_cast<int>(kFirst); bug <= static_cast<int>(kLast); ++bug) {
    if (has_bug(static_cast<PlantedBug>(bug))) return true;
  }
  return false;
}

static_assert(!any_bug(), "a planted mistake is switched on in the normal library");
static_assert(static_cast<int>(kLast) == 15,
              "the catalogue has fifteen mistakes; test the new one too");

TEST(PlantedBug, NoneIsCompiledIn) { EXPECT_FALSE(any_bug()); }

}  // namespace
}  // namespace lacuna
