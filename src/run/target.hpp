// What all chains of a run share: the posterior and the seed.
#pragma once

#include <cstdint>
#include <memory>

#include "posterior/gibbs.hpp"

namespace lacuna {

struct Target {
  Architecture architecture;
  Prior prior;
  std::shared_ptr<const Samples> samples;
  double clip;
  double lambda;
  std::uint64_t seed;
};

}  // namespace lacuna
