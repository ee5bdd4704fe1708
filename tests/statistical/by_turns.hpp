// A kernel under test by turns with the paper's, which reaches every active set.
#pragma once

#include "mcmc/paper_kernel.hpp"
#include "mcmc/single_weight.hpp"

namespace lacuna::statistical {

// Half of the steps are the paper's kernel, which reaches every active set; the other half are the
// kernel under test.
template <Kernel K>
struct ByTurns {
  struct Scratch {
    PaperScratch paper;
    typename K::Scratch other;
  };
  PaperKernel paper{0.2, 0.5};
  K other;
};

template <Kernel K, Risk R>
StepOutcome step(const ByTurns<K>& kernel, const GibbsPosterior<R>& target, Point& current,
                 typename ByTurns<K>::Scratch& scratch, RandomStream& stream) {
  if (stream.uniform() < 0.5) {
    // The paper's kernel expects its own derivatives; evaluation is a function of theta alone.
    require(target, current, paper_request(target.prior));
    return step(kernel.paper, target, current, scratch.paper, stream);
  }
  return step(kernel.other, target, current, scratch.other, stream);
}

}  // namespace lacuna::statistical
