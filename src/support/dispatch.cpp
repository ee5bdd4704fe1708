#include "support/dispatch.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lacuna {
namespace {

InstructionSet best_there_is() {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return InstructionSet::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return InstructionSet::avx2;
#endif
  return InstructionSet::plain;
}

InstructionSet most_wanted() {
  const char* named = std::getenv("LACUNA_INSTRUCTIONS");
  const std::string_view name = named == nullptr ? "" : named;
  if (name == "plain") return InstructionSet::plain;
  if (name == "avx2") return InstructionSet::avx2;
  return InstructionSet::avx512;
}

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet chosen = std::min(best_there_is(), most_wanted());
  return chosen;
}

}  // namespace lacuna
