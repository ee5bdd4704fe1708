// Which coordinates of an active set can influence f, by brute force on bits.
#pragma once

#include <vector>

#include "statistical/naive_network.hpp"

namespace lacuna::statistical {

struct LivePart {
  std::size_t set = 0;             // the live ones among the active coordinates
  std::vector<std::size_t> units;  // live units of each hidden layer, first layer first
};

// A unit is reached if its shift is active or an active weight leads to it from a reached unit (or
// an input), and leads on if an active weight goes from it to a unit that leads on (or is the
// output). A coordinate is live if it joins the two.
inline LivePart live_part(const NaiveNetwork& network, std::size_t set) {
  const auto active = [set](std::size_t i) { return (set >> i & 1) != 0; };
  const std::size_t last = network.layers();
  std::vector<std::size_t> first = {0, 0};  // index of the first weight of each layer
  for (std::size_t l = 1; l < last; ++l) {
    first.push_back(first[l] + network.size(l) * (network.size(l - 1) + 1));
  }
  const auto weight = [&](std::size_t l, std::size_t d, std::size_t s) {
    return first[l] + d * network.size(l - 1) + s;
  };
  const auto shift = [&](std::size_t l, std::size_t d) {
    return first[l] + network.size(l) * network.size(l - 1) + d;
  };
  std::vector<std::vector<bool>> reached, leads;
  for (std::size_t l = 0; l <= last; ++l) {
    reached.emplace_back(network.size(l), l == 0);
    leads.emplace_back(network.size(l), l == last);
  }
  for (std::size_t l = 1; l <= last; ++l) {
    for (std::size_t d = 0; d < network.size(l); ++d) {
      if (active(shift(l, d))) reached[l][d] = true;
      for (std::size_t s = 0; s < network.size(l - 1); ++s) {
        if (active(weight(l, d, s)) && reached[l - 1][s]) reached[l][d] = true;
      }
    }
  }
  for (std::size_t l = last; l > 1; --l) {
    for (std::size_t d = 0; d < network.size(l); ++d) {
      for (std::size_t s = 0; s < network.size(l - 1); ++s) {
        if (active(weight(l, d, s)) && leads[l][d]) leads[l - 1][s] = true;
      }
    }
  }
  LivePart part;
  for (std::size_t l = 1; l <= last; ++l) {
    std::size_t live_units = 0;
    for (std::size_t d = 0; d < network.size(l); ++d) {
      live_units += reached[l][d] && leads[l][d];
      if (!leads[l][d]) continue;
      if (active(shift(l, d))) part.set |= std::size_t{1} << shift(l, d);
      for (std::size_t s = 0; s < network.size(l - 1); ++s) {
        if (active(weight(l, d, s)) && reached[l - 1][s]) {
          part.set |= std::size_t{1} << weight(l, d, s);
        }
      }
    }
    if (l < last) part.units.push_back(live_units);
  }
  return part;
}

}  // namespace lacuna::statistical
