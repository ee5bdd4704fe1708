// Chooses lambda, and with it the noise level, by how well rows that were held out are predicted.
#pragma once

#include <functional>
#include <vector>

#include "lacuna/config.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/fit.hpp"

namespace lacuna {

struct LambdaSearch {
  std::vector<LambdaScore> curve;  // increasing lambda, for all rows
  double lambda = 0.0;  // the smallest that predicts as well as the best, up to one standard error
  double noise_sd = 0.0;  // the noise level at which held-out rows are predicted best there
};

// For each of four fifths of the rows in turn: train and prune once, start a short chain of the
// default sampler at each lambda of a grid around `noise_sd`, and score the held-out fifth by the
// mean log density of N(mean f, var f + s^2), s the best for that lambda. Scores are averaged over
// the folds. At most `most_rows` rows are used; lambda is carried over to all rows through the
// noise level it implies, n / (2 lambda). Needs at least 20 rows.
LambdaSearch search_lambda(const Dataset& scaled_data, const Config& config, double noise_sd,
                           std::size_t threads, const std::function<bool()>& stop);

inline constexpr std::size_t fewest_rows_to_search = 20;

}  // namespace lacuna
