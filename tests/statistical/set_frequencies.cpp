// Set frequencies judged.
#include "statistical/set_frequencies.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna::statistical {

Result judge_sets(const Batches& frequencies, const SetLaw& law, std::uint64_t seed,
                  Budget budget) {
  const double distance = total_variation(frequencies.mean(), law.mass);
  const double explained = frequencies.variation_threshold(seed) + law.error;
  const double limit = budget == Budget::fast ? 0.03 : 0.01;
  return judge(distance, std::min(explained, limit),
               fmt::format("total variation {:.5f}, chance explains {:.5f}, quadrature error "
                           "{:.1e}",
                           distance, explained, law.error));
}

}  // namespace lacuna::statistical
