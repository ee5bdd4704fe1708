// Chains run in batches, and their set frequencies judged.
#include "statistical/set_frequencies.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna::statistical {

Batches set_frequencies(const SetRun& run, std::uint64_t seed) {
  const Prior prior = run.problem.prior(PriorKind::sparse);
  const std::size_t sets = std::size_t{1} << prior.parameter_count();
  const std::uint64_t length = run.steps / (set_chains * set_batches);
  Batches batches(sets);
  for (std::uint32_t c = 0; c < set_chains; ++c) {
    Chain chain(run.problem, prior, run.kernel, run.lambda, {seed, c, 0});
    chain.steps(set_burn_in);
    for (std::uint64_t b = 0; b < set_batches; ++b) {
      std::vector<double> frequency(sets, 0.0);
      for (std::uint64_t i = 0; i < length; ++i) {
        chain.step();
        frequency[set_of(chain.current().theta)] += 1.0;
      }
      for (double& f : frequency) f /= static_cast<double>(length);
      batches.add(std::move(frequency));
    }
  }
  return batches;
}

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
