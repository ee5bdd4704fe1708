// Bounds on the error of a fit that hold with a stated probability, each with its terms and its
// assumptions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/dataset.hpp"
#include "lacuna/fit.hpp"
#include "lacuna/sinks.hpp"

namespace lacuna {

struct CertifyOptions {
  double delta = 0.05;
  // Of the noise, in units of the target. Where the standard deviation is given, noise is taken to
  // be normal with it; otherwise the theorem's sigma is the fit's own estimate.
  std::optional<double> noise_sd, noise_tail;
  // All targets lie in it, in their units; default: targets are cut off at the clip level.
  std::optional<std::pair<double, double>> target_range;
  std::size_t runs = 16;                           // sweeps from the prior
  std::uint64_t rungs = 500, steps_per_rung = 20;  // of each
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

// One number that a bound is made of.
struct BoundTerm {
  std::string key;    // for programs
  std::string words;  // for people
  double value = 0.0;
};

struct Certificate {
  std::string key;  // theorem, pac_bayes_kl or test_set
  std::string title;
  std::string bounds;           // what is bounded, and of which estimator
  double bound = 0.0;           // in scaled units; squared
  double bound_original = 0.0;  // in squared units of the target
  double trivial = 0.0;         // holds without any data, in scaled units
  double reference = 0.0;       // the empirical risk of predicting the mean, in scaled units
  bool vacuous = false;         // bound >= trivial
  double confidence = 0.0;
  std::vector<BoundTerm> terms;
  std::vector<std::string> assumptions;
  std::string monte_carlo;  // which part was simulated, and what that means
};

// How log D_lambda was found at one lambda.
struct EvidenceSummary {
  double lambda = 0.0;
  double log_annealed = 0.0, annealed_error = 0.0;          // the error is relative to D
  double log_local = 0.0;                                   // minus infinity where not tried
  double left_sum = 0.0, right_sum = 0.0, sum_error = 0.0;  // of -log D
};

struct CertificateReport {
  double delta = 0.05;
  double target_scale = 1.0;
  std::vector<Certificate> certificates;
  std::vector<EvidenceSummary> evidence;
};

// `training` must be the data of the fit. With `test`, rows that the fit has not seen, also a bound
// from them. Throws Error naming what is wrong, or that the observer asked to stop: nothing is kept
// then.
CertificateReport certify(const Fit& fit, const Dataset& training, const CertifyOptions& options,
                          const Dataset* test = nullptr, Observer* observer = nullptr);

}  // namespace lacuna
