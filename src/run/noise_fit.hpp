// The law of the noise, found on held-out rows.
#pragma once

#include <functional>
#include <vector>

#include "lacuna/config.hpp"
#include "lacuna/fit.hpp"
#include "run/folds.hpp"

namespace lacuna {

// `predicted` comes from an equal mixture of two chains in each fold, `between` is the mean
// variance between such chains, and the fit will have `config.chains` of them. With M chains the
// mean square error is A + between / M and the variance of f in their mixture W + between (1 -
// 1/M), so the variance of the noise found with two chains falls by 2 between (1/2 - 1/M).
//
// Constant noise: the scale s and the degrees of freedom under which held-out rows are most
// probable, as Student's t around mean f with squared scale var f + s^2. Noise that varies: the
// same with s exp(g(x)), where g is a small sparse network for the log noise level, trained and
// pruned on the log squared residuals of the other folds. `automatic` takes the varying noise if it
// predicts held-out rows better by more than one standard error.
NoiseModel fit_noise(const Config& config, const std::vector<Fold>& folds,
                     const std::vector<HeldOut>& predicted, double between, std::size_t threads,
                     const std::function<bool()>& stop);

}  // namespace lacuna
