// log D_lambda, D_lambda = int exp(-lambda R_n) dPi: estimates, and what can be said of them for
// sure.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "run/engine.hpp"
#include "run/target.hpp"

namespace lacuna {

struct EvidenceEffort {
  std::size_t runs = 16;      // independent sweeps from the prior to the posterior
  std::uint64_t rungs = 500;  // values of beta on the way
  std::uint64_t steps_per_rung = 20;
  std::uint64_t points = 2'000;  // around a given network
  std::uint64_t seed = 1;
  std::size_t threads = 1;
};

// One sweep through 0 = beta_0 < beta_1 < ... < beta_T = lambda.
struct Sweep {
  // Annealed importance sampling (Neal 2001): -sum_t (beta_{t+1} - beta_t) R_n(theta_t), theta_t
  // the last point at beta_t, theta_0 an exact draw from the prior. E[exp(log_weight)] = D_lambda
  // however badly the kernels mix, since each leaves its own beta invariant.
  double log_weight = 0.0;
  // Thermodynamic integration, -log D_lambda = int_0^lambda E_beta[R_n] d beta. E_beta[R_n] falls
  // in beta, so with exact means the left Riemann sum is too large and the right one too small. A
  // chain that lags behind brings risks from smaller beta with it, and makes both larger.
  double left_sum = 0.0, right_sum = 0.0;
};

struct Evidence {
  double lambda = 0.0;
  std::vector<Sweep> sweeps;
  // log of an unbiased estimate of the integral over some networks around a given one, which is no
  // more than D_lambda; minus infinity where none was given.
  double log_local = 0.0;

  // log of the mean weight, and its standard error relative to the mean.
  double log_annealed() const;
  double annealed_error() const;
  // Mean over sweeps, and standard errors.
  double left_sum() const;
  double right_sum() const;
  double sum_error() const;
  // log of (mean weight + local estimate) / 2, or of the mean weight alone. Its expectation is at
  // most D_lambda, so by Markov's inequality D_lambda >= delta exp(log_estimate()) with probability
  // 1 - delta over the random numbers, whatever the data.
  double log_estimate() const;
};

// Equal steps on the scale of rung_placement.hpp, upwards from 0.
std::vector<double> annealing_ladder(double lambda, double reach, std::uint64_t rungs);

// Asked after each of the `rungs` of each sweep, by several threads: whether to go on.
using GoOn = std::function<bool()>;
std::uint64_t rungs_in_all(const EvidenceEffort& effort);

// Kernels are tuned in a sweep of their own first and then stay, so that estimates are unbiased.
// `target.lambda` is the lambda; the engine is one that nothing has been learnt by. The result is a
// function of target, engine and effort, never of the number of threads. Throws Error
// (interrupted) if it may not go on.
Evidence estimate_evidence(const Target& target, const Engine& engine, const EvidenceEffort& effort,
                           const GoOn& go_on = {});

// Uniform draws from cubes around `centre` without its dead weights, whose half-widths follow the
// curvature, at four sizes. Weighted by prior density, exp(-lambda R_n) and volume they estimate
// the integral over the cube. Hidden units can be renamed: binom(r, m) choices of the m units in
// use in a layer of r give as many active sets with the same integral.
double local_log_evidence(const Target& target, const SparseTheta& centre,
                          const EvidenceEffort& effort);

// log of the mean of exp(x).
double log_mean_exp(std::span<const double> x);

}  // namespace lacuna
