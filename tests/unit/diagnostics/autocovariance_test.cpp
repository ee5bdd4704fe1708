// The transform against the defining sums.
#include "diagnostics/autocovariance.hpp"

#include <gtest/gtest.h>

#include "unit/diagnostics/draw_cases.hpp"

namespace lacuna::diagnostics {
namespace {

std::vector<double> by_definition(const ChainDraws& chains) {
  const std::size_t n = chains.front().size();
  std::vector<double> answer(n, 0.0);
  for (const auto& chain : chains) {
    double mean = 0.0;
    for (const double value : chain) mean += value / static_cast<double>(n);
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t i = 0; i + t < n; ++i) {
        answer[t] += (chain[i] - mean) * (chain[i + t] - mean);
      }
    }
  }
  for (double& value : answer) value /= static_cast<double>(n * chains.size());
  return answer;
}

TEST(Autocovariance, EqualsItsDefinitionAtAwkwardLengths) {
  for (const std::size_t n_chains : {1u, 2u, 3u, 8u}) {
    for (const std::size_t length : {1u, 2u, 3u, 4u, 5u, 31u, 32u, 33u, 200u}) {
      const ChainDraws chains = draw_cases::autoregressive(5, n_chains, length, 0.6);
      std::vector<double> pooled;
      for (const auto& chain : chains) pooled.insert(pooled.end(), chain.begin(), chain.end());
      const auto expected = by_definition(chains);
      const auto answer = mean_autocovariance(pooled, length);
      ASSERT_EQ(answer.size(), length);
      for (std::size_t t = 0; t < length; ++t) {
        EXPECT_NEAR(answer[t], expected[t], 1e-15) << n_chains << " chains of " << length;
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::diagnostics
