// The paper's two priors (Section 2.2), with every constant that a jump between active sets needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lacuna/config.hpp"
#include "network/sparse_theta.hpp"
#include "support/random.hpp"

namespace lacuna {

// Sparse: a size k with weight a^-k (k = 1 .. P), a set of that size uniformly, values uniform on
// [-B, B]^k. As a density with respect to (counting measure on sets) x (Lebesgue measure on the
// active coordinates)
//   log pi(theta) = -k log a - log binom(P, k) - k log(2B) - log(sum_{j=1}^P a^-j).
// Dense: uniform on [-B, B]^P, the same without the choice of a set.
class Prior {
 public:
  Prior(PriorKind kind, std::uint64_t parameter_count, double base, double bound);

  PriorKind kind() const { return kind_; }
  std::uint64_t parameter_count() const { return parameter_count_; }
  double base() const { return base_; }
  double bound() const { return bound_; }

  // Minus infinity outside the box, and for sizes the prior gives no mass.
  double log_density(const SparseTheta& theta) const;
  bool inside_box(const SparseTheta& theta) const;
  // log of (prior mass of one set of size k) x (2B)^-k: the density at any point of the box with k
  // active weights.
  double log_density_of_size(std::uint64_t k) const;
  double log_mass_of_size(std::uint64_t k) const;  // log P(|I| = k)

  SparseTheta draw(RandomStream& stream) const;

 private:
  double log_binomial(std::uint64_t k) const;

  PriorKind kind_;
  std::uint64_t parameter_count_;
  double base_, bound_;
  double log_base_, log_box_, log_normaliser_;
  std::vector<double> log_binomials_;  // log binom(P, k) for small k, summed term by term
};

}  // namespace lacuna
