// Which starting points become walkers: if need be more are tried than are needed, and those that
// come to lie best go on.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lacuna/config.hpp"
#include "run/chain.hpp"

namespace lacuna {

// The walkers of all chains of the default sampler. Where a chain has one, and the network is
// small, there are three candidates for it, each trained, pruned and then given up to `most_steps`
// steps of burn-in; those with the largest approximate log posterior mass over the second half of
// these steps remain. Otherwise each walker is trained and pruned, and goes on. This only chooses
// where chains start, during burn-in, so it does not touch the law that they sample.
std::vector<Chain> tournament(const Target& target, const Config& config, std::uint64_t most_steps,
                              std::size_t threads, const std::function<bool()>& stop);

}  // namespace lacuna
