// Which starting points become chains: more are tried than are needed, and those that come to lie
// best go on.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lacuna/config.hpp"
#include "run/chain.hpp"

namespace lacuna {

// Three candidates per chain of the default sampler, each trained, pruned and then given up to
// `most_steps` steps of burn-in (for large networks one candidate, and no steps); the chains with
// the largest approximate log posterior mass over the second half of those steps remain. This only
// chooses where chains start, during burn-in, so it does not touch the law that they sample.
std::vector<Chain> tournament(const Target& target, const Config& config, std::uint64_t most_steps,
                              std::size_t threads, const std::function<bool()>& stop);

}  // namespace lacuna
