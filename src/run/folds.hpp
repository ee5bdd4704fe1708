// Rows held out inside the training set, to choose settings by how well they are predicted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lacuna/dataset.hpp"
#include "network/samples.hpp"

namespace lacuna {

double weighted_mean(const std::vector<double>& values, const std::vector<double>& weight);

struct Fold {
  std::shared_ptr<const Samples> training;
  std::shared_ptr<const Samples> held_out;

  Fold with_inputs(std::span<const std::size_t> inputs) const;
};

// Two folds that hold out a fifth each, four where rows are few. At most 20,000 rows are used,
// drawn by the seed.
std::vector<Fold> make_folds(const Dataset& scaled_data, std::uint64_t seed);

// What is predicted for the held-out rows of a fold: mean and variance of f. From chains also the
// share of draws in which each input leads to the output, and how many live units the fullest
// hidden layer has on average.
struct HeldOut {
  std::vector<double> mean, variance, use = {};
  double units = 0.0;
};

// Scores of the held-out rows of all folds: the log density of Student's t with 5 degrees of
// freedom, centre mean f and squared scale var f + s^2, with the s that makes their mean largest,
// less half the squared error in units of `error`. The first hardly feels the rows that nothing
// predicts, the second feels little else: neither decides alone.
struct HeldOutScore {
  std::vector<double> rows, weight;
  double noise_sd = 0.0;  // s
  double mean() const { return weighted_mean(rows, weight); }
  double standard_error() const;  // of the mean
};

HeldOutScore score(const std::vector<Fold>& folds, const std::vector<HeldOut>& predicted,
                   double error);

// Whether `other` is worse than `best` by no more than `tolerance` standard errors of their
// difference, row by row.
bool as_good(const HeldOutScore& other, const HeldOutScore& best, double tolerance);

}  // namespace lacuna
