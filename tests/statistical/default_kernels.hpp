// The kernels of the default sampler as the experiments run them: by turns with one that reaches
// every active set, or all together.
#pragma once

#include <memory>

#include "mcmc/mixture.hpp"
#include "statistical/problem.hpp"

namespace lacuna::statistical {

// Half of the steps are `mover`, which reaches every active set; the other half are the kernel
// under test, which need not.
template <Kernel M, Kernel K>
struct ByTurns {
  struct Scratch {
    typename M::Scratch mover;
    typename K::Scratch other;
  };
  M mover;
  K other;
};

template <Kernel M, Kernel K, Risk R>
StepOutcome step(const ByTurns<M, K>& kernel, const GibbsPosterior<R>& target, Point& current,
                 typename ByTurns<M, K>::Scratch& scratch, RandomStream& stream) {
  if (stream.uniform() < 0.5) {
    // The paper's kernel expects derivatives that others need not leave behind; evaluation is a
    // function of theta alone.
    if constexpr (std::same_as<M, PaperKernel>) {
      require(target, current, paper_request(target.prior));
    }
    return step(kernel.mover, target, current, scratch.mover, stream);
  }
  return step(kernel.other, target, current, scratch.other, stream);
}

template <Kernel K>
ByTurns<PaperKernel, K> with_paper(const K& kernel, const PaperKernel& paper = {0.2, 0.5}) {
  return {paper, kernel};
}

// Scales that differ between coordinates, as a learnt table has them.
inline TrajectoryKernel uneven_trajectory(const Architecture& shape) {
  auto table = std::make_shared<CurvatureTable>();
  for (std::size_t l = 1; l <= shape.layers(); ++l) {
    table->layer_begin.push_back(shape.first_index(l));
    table->layer_ratio.push_back(0.3 * static_cast<double>(l));
  }
  for (std::uint64_t i = 0; i < shape.parameter_count(); i += 2) {
    table->index.push_back(i);
    table->ratio.push_back(0.05 + 0.1 * static_cast<double>(i));
  }
  return {table, 0.5, 5};
}

inline MixtureKernel mixture_for(const Problem& problem) {
  MixtureKernel kernel;
  kernel.trajectory = uneven_trajectory(problem.architecture());
  return kernel;
}

}  // namespace lacuna::statistical
