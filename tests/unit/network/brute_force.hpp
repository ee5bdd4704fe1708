// Which units and coordinates lie on active paths, found by going over all parameters.
#pragma once

#include <cstdint>
#include <vector>

#include "network/architecture.hpp"
#include "network/sparse_theta.hpp"

namespace lacuna::testing {

// Reachability on the full graph, by going over every parameter of every layer.
struct BruteForce {
  std::vector<std::vector<bool>> reached, leads, live;  // by layer 0 .. L+1, then unit
  std::vector<bool> slot_live;
  std::vector<std::uint64_t> candidates;

  BruteForce(const Architecture& a, const SparseTheta& theta) {
    for (std::size_t l = 0; l <= a.layers(); ++l) {
      reached.emplace_back(a.size(l), l == 0);
      leads.emplace_back(a.size(l), l == a.layers());
    }
    for (std::uint64_t i = 0; i < a.parameter_count(); ++i) {  // layers come in order
      if (!theta.contains(i)) continue;
      const Place at = a.place(i);
      if (at.shift || reached[at.layer - 1][at.source]) reached[at.layer][at.destination] = true;
    }
    for (std::uint64_t i = a.parameter_count(); i-- > 0;) {
      if (!theta.contains(i)) continue;
      const Place at = a.place(i);
      if (!at.shift && leads[at.layer][at.destination]) leads[at.layer - 1][at.source] = true;
    }
    live = reached;
    for (std::size_t l = 0; l <= a.layers(); ++l) {
      for (std::size_t u = 0; u < a.size(l); ++u) live[l][u] = reached[l][u] && leads[l][u];
    }
    live.back()[0] = true;  // the output is there even when nothing reaches it
    for (std::uint64_t i = 0; i < a.parameter_count(); ++i) {
      const Place at = a.place(i);
      const bool matters =
          (at.shift || reached[at.layer - 1][at.source]) && live[at.layer][at.destination];
      if (theta.contains(i)) {
        slot_live.push_back(matters);
      } else if (matters) {
        candidates.push_back(i);
      }
    }
  }
};

}  // namespace lacuna::testing
