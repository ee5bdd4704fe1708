// What makes a type a Markov kernel of this library.
#pragma once

#include <concepts>

#include "mcmc/outcome.hpp"
#include "posterior/gibbs.hpp"

namespace lacuna {

// A kernel is an immutable value: step() takes it, the target, the current point, scratch memory
// and a random stream, moves the point, and says what happened. It must leave exp(-lambda R_n) Pi
// invariant for whatever values it holds; choosing those values is the business of src/warmup. All
// proposals go through accept_or_reject().
template <class K>
concept Kernel = std::copyable<K> && std::default_initializable<typename K::Scratch> &&
    requires(const K& kernel, const GibbsPosterior<EmpiricalRisk>& target, Point& current,
             typename K::Scratch& scratch, RandomStream& stream) {
  { step(kernel, target, current, scratch, stream) } -> std::same_as<StepOutcome>;
};

}  // namespace lacuna
