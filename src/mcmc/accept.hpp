// The one place where a proposal is accepted or rejected.
#pragma once

#include <cmath>

#include "support/random.hpp"

namespace lacuna {

enum class Verdict { accepted, rejected, invalid };

// Metropolis-Hastings: accept with probability min(1, exp(log_ratio)). A ratio that is not a number
// (an overflow in a network, say) rejects and is counted as invalid; so the chain stays exact
// wherever the density is defined.
inline Verdict accept_or_reject(double log_ratio, RandomStream& stream) {
  const double threshold = std::log(stream.uniform());
  if (std::isnan(log_ratio)) return Verdict::invalid;
  return threshold < log_ratio ? Verdict::accepted : Verdict::rejected;
}

}  // namespace lacuna
