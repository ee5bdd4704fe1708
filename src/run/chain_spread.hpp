// How far chains differ from each other in f, gathered while they run.
#pragma once

#include <cstddef>
#include <vector>

#include "network/evaluator.hpp"
#include "run/chain.hpp"

namespace lacuna {

// Noise calibrated on single short chains contains the error that averaging over chains removes,
// and predictive intervals of the whole fit count the differences between chains as uncertainty of
// f. This is that part: the mean over some training rows of the variance between chains of their
// mean of f.
class ChainSpread {
 public:
  ChainSpread(const Target& target, std::size_t chains);

  void add(const Chain& chain);  // its current state; chains must take turns evenly
  double between_chains() const;

 private:
  Samples rows_;
  Evaluator evaluator_;
  std::vector<std::vector<double>> sum_;
  std::vector<double> count_, f_;
};

}  // namespace lacuna
