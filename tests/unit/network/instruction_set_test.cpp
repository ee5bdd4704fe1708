// Runs with LACUNA_INSTRUCTIONS unset, avx2 and plain: all tests of this folder do.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/dispatch.hpp"

namespace lacuna {
namespace {

TEST(Instructions, AreAtMostThoseThatWereNamed) {
  const char* named = std::getenv("LACUNA_INSTRUCTIONS");
  const std::string name = named == nullptr ? "" : named;
  const InstructionSet most = name == "plain"  ? InstructionSet::plain
                              : name == "avx2" ? InstructionSet::avx2
                                               : InstructionSet::avx512;
  EXPECT_LE(instruction_set(), most);
}

}  // namespace
}  // namespace lacuna
