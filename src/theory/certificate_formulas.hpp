// Bounds that are computed from data: what the proofs give before the unknown is replaced by
// something larger.
#pragma once

namespace lacuna {

// kl(q | p) of two coins, and the largest p >= q with kl(q | p) <= limit.
double binary_kl(double q, double p);
double kl_inverse(double q, double limit);

// The excess risk of a posterior draw, and of the posterior mean (proof of the PAC-Bayes bound; for
// the mean by Jensen's inequality, since the exponent there does not depend on the draw):
//   E <= (-R_n(f) + (log(1 / delta) - log D_lambda) / lambda) / (1 - C_{n,lambda}).
struct ExcessTerms {
  double log_d;  // a lower bound of log D_lambda
  double lambda;
  double factor;       // C_{n,lambda} < 1
  double delta;        // of the theorem alone
  double noise_floor;  // a lower bound of R_n(f), the mean squared noise; 0 is always right
};
double excess_bound(const ExcessTerms& terms);

// With probability 1 - delta the mean of n squared draws of N(0, sd^2) is at least
// sd^2 (1 - 2 sqrt(log(1 / delta) / n)) (Laurent and Massart 2000, Lemma 1).
double normal_noise_floor(double sd, double n, double delta);

// The PAC-Bayes-kl bound (Seeger 2002, Maurer 2004) for a loss in [0, 1] and n >= 8 rows: with
// probability 1 - delta, for all rho at once,
//   kl(mean empirical loss | mean loss) <= (KL(rho | Pi) + log(2 sqrt(n) / delta)) / n.
double pac_bayes_kl_limit(double kl, double n, double delta);

// For the Gibbs posterior KL(Pi_lambda | Pi) = -lambda e - log D_lambda with e = E_lambda[R_n]. The
// largest bound that any e in [low, high] gives, for losses up to `range`. KL is not negative, so e
// is at most -log D_lambda / lambda: with low = 0 and high beyond it nothing about e is assumed.
struct GibbsTerms {
  double log_d;  // a lower bound of log D_lambda
  double lambda, n, delta, range;
};
double gibbs_risk_bound(const GibbsTerms& terms, double low, double high);

// Mean loss from m independent rows, losses in [0, 1], each with probability 1 - delta: by kl
// (Chernoff), and from the empirical variance (Maurer and Pontil 2009, Theorem 4).
double test_bound_kl(double mean, double rows, double delta);
double test_bound_bernstein(double mean, double variance, double rows, double delta);

}  // namespace lacuna
