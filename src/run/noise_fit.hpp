// The law of the noise, found on held-out rows.
#pragma once

#include <functional>
#include <vector>

#include "lacuna/config.hpp"
#include "lacuna/fit.hpp"
#include "run/lambda_curve.hpp"

namespace lacuna {

// `trial` holds what an equal mixture of m chains predicts in each fold and the variance b between
// such chains; the fit will have M = `chains_of_fit` of them. With m chains the mean square error
// is A + b / m and the variance of f in their mixture W + b (1 - 1/m), so the variance of the noise
// found with m chains falls by 2 b (1/m - 1/M).
//
// Constant noise: the scale s and the degrees of freedom under which held-out rows are most
// probable, as Student's t around mean f with squared scale var f + s^2. Noise that varies: the
// same with s exp(g(x)), where g is a small sparse network for the log noise level, trained and
// pruned on the log squared residuals of the other folds. `automatic` takes the varying noise if it
// predicts held-out rows better by more than one standard error.
NoiseModel fit_noise(const Config& config, std::size_t chains_of_fit,
                     const std::vector<Fold>& folds, const LambdaTrial& trial, std::size_t threads,
                     const std::function<bool()>& stop);

}  // namespace lacuna
