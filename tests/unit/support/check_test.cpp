// The wording and the kind of the errors about settings out of range.
#include "support/check.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <string>

namespace lacuna {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string refusal(const std::function<void()>& check) {
  try {
    check();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.exit_code(), 64);
    return error.what();
  }
  return "no error";
}

TEST(Check, AtLeastNamesValueAndRule) {
  EXPECT_EQ(refusal([] { check_at_least("bound B", 0.5, 1.0); }), "bound B=0.5: must be >= 1");
  EXPECT_EQ(refusal([] { check_at_least<std::size_t>("depth", 0, 1); }), "depth=0: must be >= 1");
  EXPECT_EQ(refusal([] { check_at_least("clip C", -1e300, 1.0); }), "clip C=-1e+300: must be >= 1");
}

TEST(Check, AboveExcludesTheLimit) {
  EXPECT_EQ(refusal([] { check_above("base a", 1.0, 1.0); }), "base a=1: must be > 1");
  EXPECT_EQ(refusal([] { check_above("noise sd", -2.5, 0.0); }), "noise sd=-2.5: must be > 0");
}

TEST(Check, WhatIsNotANumberIsRefusedByEveryCheck) {
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (const std::string& message :
         {refusal([&] { check_finite("x", bad); }), refusal([&] { check_at_least("x", bad, 0.0); }),
          refusal([&] { check_above("x", bad, 0.0); })}) {
      EXPECT_NE(message.find(": must be a finite number"), std::string::npos) << message;
    }
  }
}

TEST(Check, TheLimitItselfAndGoodValuesPass) {
  EXPECT_NO_THROW(check_at_least("bound B", 1.0, 1.0));
  EXPECT_NO_THROW(check_at_least<std::size_t>("depth", SIZE_MAX, 1));
  EXPECT_NO_THROW(check_above("base a", std::nextafter(1.0, 2.0), 1.0));
  EXPECT_NO_THROW(check_finite("x", std::numeric_limits<double>::max()));
  EXPECT_NO_THROW(check_finite("x", std::numeric_limits<double>::denorm_min()));
}

}  // namespace
}  // namespace lacuna
