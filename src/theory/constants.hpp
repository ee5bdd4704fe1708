// The constants of the PAC-Bayes bound and what may be chosen for lambda.
#pragma once

#include <cstdint>

namespace lacuna {

// What the paper assumes of the regression function and of the noise (Assumption 1).
struct BernsteinAssumption {
  double clip;   // C
  double sigma;  // E[|noise|^k | x] <= k!/2 sigma^2 Gamma^(k-2)
  double tail;   // Gamma
};

// P = (p + 1) r + (L - 1)(r + 1) r + r + 1 (Section 2.1). Throws Error(usage) beyond 2^63.
std::uint64_t parameters_of(std::uint64_t inputs, std::uint64_t depth, std::uint64_t width);

// w = 16 C max(Gamma, 2C) (Lemma on Bernstein's inequality).
double bernstein_w(const BernsteinAssumption& a);

// C_{n,lambda} = (lambda / n) 8 (C^2 + sigma^2) / (1 - w lambda / n), of the same lemma; infinite
// from lambda = n / w on.
double bernstein_factor(const BernsteinAssumption& a, double n, double lambda);

// The lambda at which C_{n,lambda} = 1: below it the PAC-Bayes bound says something.
double largest_lambda(const BernsteinAssumption& a, double n);

}  // namespace lacuna
