// Which coordinate a reversible jump removes or adds: the paper's weights (last section).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/evaluator.hpp"
#include "network/sparse_theta.hpp"
#include "support/random.hpp"

namespace lacuna {

// Removal: i in I is chosen with probability proportional to exp(-|theta_i|).
double log_removal_weight(const SparseTheta& theta, std::size_t position);
std::size_t draw_removal(const SparseTheta& theta,
                         RandomStream& stream);  // a position among the active ones

// Addition: i not in I is chosen with probability proportional to (#{j not in I : |grad_j| <=
// |grad_i|})^2.
//
// All inactive coordinates with gradient zero tie and are counted, not stored: with Z of them each
// has weight Z^2. So the cost depends on the coordinates that can have a gradient, never on P.
class AdditionWeights {
 public:
  // Needs an evaluation with inactive derivatives at `theta`.
  void build(const SparseTheta& theta, const Evaluation& evaluation, std::uint64_t parameter_count);

  std::uint64_t draw(RandomStream& stream) const;  // a flat index
  double log_weight(std::uint64_t index) const;    // log of its normalised weight

 private:
  struct Ranked {
    double magnitude;  // |grad|
    std::uint64_t index;
    double weight;  // squared rank, not normalised
  };
  std::uint64_t zero_coordinate(std::uint64_t k) const;

  std::vector<Ranked> ranked_;           // coordinates with a gradient, by magnitude
  std::vector<std::uint64_t> excluded_;  // active or with a gradient, increasing
  double zeros_ = 0.0;                   // Z
  std::uint64_t zero_count_ = 0;
  double total_ = 0.0;
};

}  // namespace lacuna
