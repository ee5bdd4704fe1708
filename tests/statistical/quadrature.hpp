// The posterior over all active sets of a tiny network, by numerical integration.
#pragma once

#include <functional>
#include <vector>

#include "statistical/problem.hpp"

namespace lacuna::statistical {

// The prior mass of one set of size k: a^-k / (sum_j a^-j) / binom(P, k).
double set_prior_mass(const Problem& problem, std::size_t parameters, std::size_t k);

// A Kronecker sequence in the unit cube from a random start: steps g^-1, g^-2, ... with
// g^(d+1) = g + 1, the golden ratio in d dimensions.
class KroneckerSequence {
 public:
  KroneckerSequence(std::size_t dimension, RandomStream& stream);
  const std::vector<double>& next();

 private:
  std::vector<double> position_, increment_;
};

struct SetLaw {
  std::vector<double> mass;  // indexed by set_of(); the empty set has none
  double error = 0.0;        // estimated total variation from the exact law
};

// Tensor Gauss-Legendre with two panels per axis, which meet at zero, where the signs of weights
// and so the kinks change over. The error is the distance from a coarser rule.
SetLaw tensor_law(const Problem& problem, double lambda);

// A Kronecker sequence with random shifts in each of the 2^P - 1 boxes; the error is half the sum
// of the standard errors over shifts.
SetLaw lattice_law(const Problem& problem, double lambda);

// D_lambda = int exp(-lambda R_n) dPi for several lambda, by the same sequence in each box.
struct EvidenceIntegral {
  double value = 0.0, error = 0.0;
};
std::vector<EvidenceIntegral> lattice_evidence(const Problem& problem,
                                               const std::vector<double>& lambdas);

// Posterior means under the dense prior, by the tensor rule of both finenesses.
struct DenseMeans {
  std::vector<double> mean, error;
};
using Functionals = std::function<void(const std::vector<double>& theta, double risk, double* out)>;
DenseMeans tensor_means(const Problem& problem, double lambda, std::size_t dimension,
                        const Functionals& functionals);

}  // namespace lacuna::statistical
