// The posterior over all active sets of a tiny network, by numerical integration.
#pragma once

#include <functional>
#include <vector>

#include "statistical/problem.hpp"

namespace lacuna::statistical {

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

// Posterior means under the dense prior, by the tensor rule of both finenesses.
struct DenseMeans {
  std::vector<double> mean, error;
};
using Functionals = std::function<void(const std::vector<double>& theta, double risk, double* out)>;
DenseMeans tensor_means(const Problem& problem, double lambda, std::size_t dimension,
                        const Functionals& functionals);

}  // namespace lacuna::statistical
