// Moves of active coordinates that cannot influence f, without any evaluation.
//
// Under the sparse prior a network has about as many dead weights as live ones (a = 2). Given the
// live ones, their values are independent and uniform on the box: a step redraws all of them. Then
// it tries some births and deaths of single dead coordinates. A birth takes one of the P - k
// inactive coordinates and a value, both uniformly, and fails if the coordinate would be live; a
// death takes one of the dead ones uniformly. The risk stays, so with D' dead coordinates after it
// a birth has the ratio
//   pi(k + 1) / pi(k) * 2B (P - k) / D'.
// What is live does not change: a path that a new coordinate opens to the output runs through that
// coordinate, which is live then.
#pragma once

#include <optional>
#include <vector>

#include "mcmc/kernel.hpp"
#include "mcmc/single_weight.hpp"
#include "network/paths.hpp"

namespace lacuna {

struct DeadWeightsScratch {
  std::optional<Paths> paths;  // once the architecture is known
  std::vector<bool> dead;      // beside theta.index
  std::size_t dead_count = 0;
};

struct DeadWeightsKernel {
  using Scratch = DeadWeightsScratch;
  int tries = 16;  // births and deaths per step
};

// log of the ratio for the birth of a dead coordinate at a point with `size` active ones, `dead` of
// them dead; its death has minus this.
double log_dead_birth_ratio(const Prior& prior, std::uint64_t size, std::uint64_t dead);

// All of the step but what `target` is needed for: true if the active set has changed. The
// evaluation stays that of the point: gradient and curvature have zeros at dead coordinates, and
// derivatives of inactive ones, which depend on dangling units, are dropped.
bool move_dead_weights(const DeadWeightsKernel& kernel, const Prior& prior, Point& point,
                       DeadWeightsScratch& scratch, RandomStream& stream);

template <Risk R>
StepOutcome step(const DeadWeightsKernel& kernel, const GibbsPosterior<R>& target, Point& current,
                 DeadWeightsScratch& scratch, RandomStream& stream) {
  if (!scratch.paths) scratch.paths.emplace(target.risk.architecture());
  const bool changed = move_dead_weights(kernel, target.prior, current, scratch, stream);
  return {Move::dead, changed ? Verdict::accepted : Verdict::rejected, 0.0};
}

static_assert(Kernel<DeadWeightsKernel>);

}  // namespace lacuna
