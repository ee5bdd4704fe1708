// Series over the draws of quantities that mean the same in every chain. Single weights do not:
// units can be permuted and rescaled.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "diagnostics/convergence.hpp"
#include "estimation/draw_store.hpp"
#include "network/architecture.hpp"

namespace lacuna {

struct Traces {
  ChainDraws risk, active, live, dead, log_posterior;
  std::vector<ChainDraws> f;  // at each probe point, in units of the target
  // For each input, in increasing order, the draws (positions in the store) in which an active path
  // leads from it to the output. Most inputs of a sparse network are in few draws.
  std::vector<std::vector<std::size_t>> connected;
  std::map<std::uint64_t, std::uint64_t> sizes;  // |I| -> number of draws
  std::vector<std::vector<bool>> changed;        // whether a draw differs from the one before
};

Traces traces_of(const FitInfo& info, const Architecture& architecture, const DrawStore& draws);

// Whether input j is connected, as a series of zeros and ones for each chain.
ChainDraws inclusion_series(const Traces& traces, std::size_t input);

}  // namespace lacuna
