// Ways to set the inverse temperature lambda.
#pragma once

#include "lacuna/dataset.hpp"

namespace lacuna {

// n is the number of rows, or the sum of their weights.

// Xi_0 = 16 (C^2 + sigma^2) + 16 C max(Gamma, 2C); the theorem's lambda is n / Xi_0 (paper, remark
// after Theorem 1).
double theory_constant(double clip, double sigma, double tail);
double theory_lambda(double n, double clip, double sigma, double tail);

// The lambda at which the Gibbs posterior is the Bayes posterior for noise N(0, sigma^2), and its
// inverse.
double bayes_lambda(double n, double sigma);
double implied_noise_sd(double n, double lambda);  // infinite at lambda = 0

// An estimate of the noise level from the data alone: the smaller of the residual variance of the
// least-squares line and the intercept of the mean squared half-difference to near neighbours
// against their squared distance. Both are upper bounds in expectation up to sampling error, so the
// estimate errs towards a hotter posterior.
double estimate_noise_sd(const Dataset& data);

}  // namespace lacuna
