// From data and options to the posterior that a run samples.
#pragma once

#include <functional>
#include <optional>

#include "lacuna/fit.hpp"
#include "run/chain.hpp"

namespace lacuna {

struct Setup {
  FitInfo info;
  Target target;
};

// Scales the data, chooses lambda and the noise level, and checks that the network fits into
// memory. What looks wrong but can be fitted is told to the observer.
// `stop` cuts the search for lambda short; what it has found by then counts.
Setup set_up(
    const Dataset& data, const Config& config, const std::string& command, Observer& observer,
    const std::function<bool()>& stop = [] { return false; });

// The same for a fit that is there already, without looking for anything anew. The data must pass
// check_same_data. Passes run in the precision of the fit unless another is given.
Setup set_up_again(const Dataset& data, const FitInfo& info, const std::string& file,
                   std::optional<Precision> precision = {});

// Throws Error(bad_data) if the data are not those that `file` was fitted to.
void check_same_data(const Dataset& data, const FitInfo& info, const std::string& file);

// The first point of a walker, counted over all chains: a prior draw, a trained network, or the
// last draw of an earlier fit. `stop` cuts training short.
SparseTheta first_point(const Target& target, const Config& config, std::uint32_t walker,
                        int attempts, const std::function<bool()>& stop = {});

}  // namespace lacuna
