// What the theorem says in numbers: constants, bounds and rates for a given number of rows and a
// given network. Nothing here looks at data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lacuna {

// The assumptions of the theorem, and where it is asked for a number. Everything is in the units in
// which the network sees the data.
struct TheorySetting {
  double n = 0.0;              // rows
  std::uint64_t inputs = 0;    // p
  std::uint64_t depth = 0;     // L, hidden layers
  std::uint64_t width = 0;     // r, units of each
  double bound = 3.0;          // B: weights live in [-B, B]
  double clip = 5.0;           // C: |f| and |f_theta| are at most C
  double base = 2.0;           // a: a set of size k has prior weight a^-k
  double sigma = 1.0;          // E[|noise|^k | x] <= k!/2 sigma^2 Gamma^(k-2) for all k >= 2
  std::optional<double> tail;  // Gamma; default sigma, which is enough for normal noise
  double second_moment = 1.0;  // K: E|X|^2 <= p K
  double delta = 0.05;
  std::optional<double> lambda;       // default n / Xi_0
  std::optional<double> eta;          // radius of rho; default that of the proof
  double approximation = 0.0;         // excess risk of the best network with the active set
  std::vector<std::uint64_t> active;  // sizes of active sets; default 1, 10, 100, 1000
};

// The bounds for one size of the active set.
struct OracleRow {
  std::uint64_t active = 0;  // |I|
  // KL(rho | Pi), rho uniform on the cube of radius eta around theta, cut to the box: exactly for
  // theta inside by eta or more, exactly for theta in a corner of the box, and the paper's two
  // upper bounds.
  double kl_inside = 0.0, kl_corner = 0.0, kl_lemma = 0.0, kl_simple = 0.0;
  double pac_bayes = 0.0;    // with kl_corner
  double oracle = 0.0;       // the explicit right-hand side
  double oracle_mean = 0.0;  // the same for the posterior mean
  bool vacuous = false;      // `oracle` is no less than 4 C^2
  double rows_needed =
      0.0;  // the n at which it is not; infinite where the approximation is too bad
};

struct TheoryReport {
  TheorySetting setting;  // with what was filled in
  std::uint64_t parameters = 0;
  double xi_0 = 0.0, w = 0.0;
  double theory_lambda = 0.0;   // n / Xi_0
  double lambda_limit = 0.0;    // n / w: C_{n,lambda} is defined below
  double lambda_largest = 0.0;  // C_{n,lambda} is below one
  double factor = 0.0;          // C_{n,lambda} at the lambda of the setting
  double n_0 = 0.0;             // the theorem is stated for n at least this
  double log_lipschitz = 0.0;   // log of 4 (2 r B)^L
  double log_eta = 0.0;
  double trivial = 0.0;  // 4 C^2: no two functions bounded by C are further apart
  std::vector<OracleRow> oracle;
};

// Throws Error(usage) naming what is out of range.
TheoryReport theory_report(const TheorySetting& setting);

// KL(rho | Pi) for rho uniform on {tau : |tau_i - theta_i| <= eta for i in I} cut to the box, Pi
// the sparse prior of `parameters` weights. `theta` holds the values on I.
double kl_of_cube(std::span<const double> theta, double log_eta, std::uint64_t parameters,
                  double base, double bound);

// The class H(q, d, t, beta, C_0) of compositions g_q o ... o g_0: level i has d[i] components
// (d[q] = 1 is the output), each a function of at most t[i] arguments with Hoelder smoothness
// beta[i].
struct HierarchicalClass {
  std::vector<std::uint64_t> components;  // d_1 .. d_q; empty for q = 0
  std::vector<std::uint64_t> arguments;   // t_0 .. t_q
  std::vector<double> smoothness;         // beta_0 .. beta_q
  double radius = 1.0;                    // C_0
};

struct RateReport {
  std::vector<double> effective_smoothness;  // beta*_i
  std::size_t worst_level = 0;               // i*
  double beta = 0.0, t = 0.0;                // beta* and t*
  double exponent = 0.0;                     // 2 beta* / (2 beta* + t*)
  double rate = 0.0;
  // The network of the proof.
  double m = 0.0, depth = 0.0, width = 0.0, active = 0.0;  // M, L, r, bound on |J|
  double smallest_m = 0.0;        // the proof asks for an M of at least this
  bool inputs_few_enough = true;  // log p <= n / log^2 n
};

RateReport rate_report(const HierarchicalClass& functions, double n, std::uint64_t inputs);

}  // namespace lacuna
