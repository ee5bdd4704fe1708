// The right-hand sides of the paper: PAC-Bayes bound, Kullback-Leibler terms, oracle inequality.
#pragma once

#include "posterior/prior.hpp"

namespace lacuna {

// The network and the inputs as the bounds see them.
struct NetworkSize {
  double inputs, depth, width;  // p, L, r
  double bound;                 // B
  double second_moment;         // K
};

// log of the Lipschitz constant of theta -> f_theta(x) in the maximum norm, 4 (2 r B)^L times
// max(|x|_1, 1), without that last factor (Lemma on Lipschitz continuity).
double log_lipschitz(const NetworkSize& size);

// eta = 1 / (8 (2 r B)^L p K n), the radius of rho in the proof of Theorem 1.
double log_proof_radius(const NetworkSize& size, double n);

// KL(rho_{I,eta} | Pi) of a set of size k: log(2B / length of the interval), summed over I, plus
// log C_I, C_I = (sum_j a^-j) a^k binom(P, k) (Lemma on KL, part i and proof of ii).
double log_set_cost(const Prior& prior, std::uint64_t k);               // log C_I
double kl_inside(const Prior& prior, std::uint64_t k, double log_eta);  // intervals of length 2 eta
double kl_corner(const Prior& prior, std::uint64_t k, double log_eta);  // theta_i = +-B: length eta
// k log(2B / eta) + log C_I, the bound of that lemma.
double kl_lemma(const Prior& prior, std::uint64_t k, double log_eta);
// The same with binom(P, k) <= (e P)^k: k log(2 a B P e / eta) + log(sum_j a^-j). The paper prints
// the last term k times, which for k > 1 is less than what it has shown (and still true).
double kl_simple(const Prior& prior, std::uint64_t k, double log_eta);

// What the PAC-Bayes bound needs besides risk and divergence.
struct BoundLevel {
  double lambda;
  double factor;  // C_{n,lambda} < 1
  double delta;
};

// With probability 1 - delta over data and draw (Proposition PAC-Bayes bound, last display of its
// proof),
//   E(draw) <= ((1 + c) int E d rho + (2 / lambda)(KL(rho | Pi) + log(2 / delta))) / (1 - c),
// c = C_{n,lambda}. At c = 1/2 that is 3 int E d rho + (4 / lambda)(KL + log(2 / delta)).
double pac_bayes_bound(double mean_excess, double kl, const BoundLevel& level);

// int E d rho <= 4/3 E(theta*) + 4 E[(f_theta* - f_theta)^2] (proof of Theorem 1). With the radius
// above the second term is at most 4 (2 p K n)^-2 E[max(|X|_1, 1)^2], and E|X|_1^2 <= p E|X|^2 <=
// p^2 K, so it is at most (p^2 K + 1) / (p K n)^2 <= 2 / n^2. The paper has 4 / n^2 here, and
// forgets the factor 3 when it goes on.
double mean_excess_of_cube(double approximation, double n);

// The explicit oracle inequality for a set of size k, before the paper hides its constants in Xi_1:
//   4 E(theta*) + 6 / n^2 + (4 / lambda)(k log(16 a B P e (2 r B)^L p K n) + log(2 / delta))
// at lambda = n / Xi_0 (with log(sum_j a^-j) added where that is positive, which is for a < 2).
double oracle_bound(const Prior& prior, std::uint64_t k, double log_eta, double approximation,
                    double n, const BoundLevel& level);

}  // namespace lacuna
