// Chains of draws that any language can rebuild bit by bit: a linear congruential generator and
// simple formulas.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "diagnostics/convergence.hpp"

namespace lacuna::draw_cases {

class Lcg {
 public:
  explicit Lcg(std::uint64_t seed) : state_(seed) {}
  // On the grid (k + 1/2) 2^-32, so sums and products of a few of them round alike everywhere.
  double uniform() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state_ >> 32) + 0.5) * 0x1p-32;
  }

 private:
  std::uint64_t state_;
};

using Formula = std::function<double(std::size_t chain, std::size_t draw, double last, double u)>;

// One generator runs through all chains; `last` is the chain's latest value, 0 at its start.
inline ChainDraws make(std::uint64_t seed, std::size_t chains, std::size_t draws,
                       const Formula& formula) {
  Lcg random(seed);
  ChainDraws all(chains);
  for (std::size_t c = 0; c < chains; ++c) {
    double last = 0.0;
    for (std::size_t i = 0; i < draws; ++i) {
      last = formula(c, i, last, random.uniform());
      all[c].push_back(last);
    }
  }
  return all;
}

inline ChainDraws autoregressive(std::uint64_t seed, std::size_t chains, std::size_t draws,
                                 double coefficient) {
  return make(seed, chains, draws, [coefficient](std::size_t, std::size_t, double last, double u) {
    return coefficient * last + (u - 0.5);
  });
}

inline ChainDraws heavy_tailed(std::uint64_t seed, std::size_t chains, std::size_t draws) {
  return make(seed, chains, draws, [](std::size_t, std::size_t, double, double u) {
    return (u - 0.5) / (u * (1.0 - u));
  });
}

// Holds its value with probability 0.6, else moves to one of 0 .. 4.
inline ChainDraws discrete(std::uint64_t seed, std::size_t chains, std::size_t draws) {
  return make(seed, chains, draws, [](std::size_t, std::size_t, double last, double u) {
    return u < 0.6 ? last : std::floor(12.5 * (u - 0.6));
  });
}

inline ChainDraws one_stuck(std::uint64_t seed, std::size_t chains, std::size_t draws) {
  return make(seed, chains, draws, [](std::size_t chain, std::size_t, double last, double u) {
    return chain == 1 ? 0.25 : 0.5 * last + (u - 0.5);
  });
}

inline ChainDraws drifting(std::uint64_t seed, std::size_t chains, std::size_t draws) {
  return make(seed, chains, draws, [](std::size_t chain, std::size_t draw, double, double u) {
    return u + 0.125 * static_cast<double>(chain) + 0.0009765625 * static_cast<double>(draw);
  });
}

// Same centre, different spread: only the folded R-hat can see it.
inline ChainDraws unequal_spread(std::uint64_t seed, std::size_t chains, std::size_t draws) {
  return make(seed, chains, draws, [](std::size_t chain, std::size_t, double, double u) {
    return (u - 0.5) * (1.0 + static_cast<double>(chain));
  });
}

inline ChainDraws two_valued(std::uint64_t seed, std::size_t chains, std::size_t draws) {
  return make(seed, chains, draws, [](std::size_t, std::size_t, double last, double u) {
    return u < 0.75 && last != 0.0 ? last : (u < 0.5 || u > 0.875 ? 1.0 : -1.0);
  });
}

}  // namespace lacuna::draw_cases
