// Chooses the size of the network, its inputs, lambda and the noise level by how well rows that
// were held out are predicted.
#pragma once

#include <functional>
#include <vector>

#include "lacuna/config.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/fit.hpp"

namespace lacuna {

struct Search {
  std::vector<std::size_t> widths;
  std::vector<std::size_t> inputs;  // that the network has; empty: all
  std::vector<LambdaScore> curve;   // increasing lambda, for all rows; empty if time was too short
  double lambda = 0.0;              // the smallest that predicts about as well as the best
  NoiseModel noise;                 // of a fit at that lambda
  double error = 0.0;  // root mean square error of a trained network on rows it was not trained on
};

// In each fold two networks of each size are trained and pruned step by step; the size whose mean
// of best stages predicts held-out rows best is taken, or the smallest one that is not clearly
// worse. Then short chains run along lambda (see lambda_curve.hpp). Inputs that those of a fold
// hardly use are left out, chains run along lambda once more, and if they predict as well, the
// network has only the inputs that are used over all folds, and lambda may be colder. Where it
// uses all that it has, layers may be narrower (see narrowed). The noise is fitted to what the
// chains at the lambda chosen predict together (see noise_fit.hpp). Lambda is carried over to all
// rows through the noise level it implies, n / (2 lambda). Needs at least 20 rows.
Search search(const Dataset& scaled_data, const Config& config, std::size_t threads,
              const std::function<bool()>& stop);

inline constexpr std::size_t fewest_rows_to_search = 20;

// Layers of the smallest usual width that has room for a quarter more units than are live, and not
// wider than before. A narrower network is the same but for its prior, under which a weight costs
// less: the k-th of P weights about log(P / k).
std::vector<std::size_t> narrowed(std::vector<std::size_t> widths, double live_units);

// What a bound that holds for all priors the search may choose pays for the one of this fit: one
// over its share of delta. Sizes share alike. Half of a share goes to the network of all inputs,
// the other half alike to each number of inputs and, with that number, to each set. 1 without a
// search.
double priors_in_search(const FitInfo& info);

}  // namespace lacuna
