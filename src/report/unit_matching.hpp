// Units have no names that last: a network is the same function when its units change places, and
// chains find them in any order. So that edges can be counted over draws, the live units of each
// draw are matched to those of the best network by what they compute.
#pragma once

#include <map>
#include <vector>

#include "lacuna/fit.hpp"

namespace lacuna::report {

// A unit of a hidden layer (from 1) of the best network, or the output; inputs are layer 0.
struct UnitName {
  std::size_t layer = 0, unit = 0;
  auto operator<=>(const UnitName&) const = default;
};

struct Edge {
  UnitName from, to;
  auto operator<=>(const Edge&) const = default;
};

// Over the draws that were looked at.
struct Presence {
  double share = 0.0;     // in which it is there and live
  double positive = 0.0;  // of those: with a positive weight
};

struct MatchedNetworks {
  NetworkView best;
  std::map<UnitName, double> units;   // share of draws with a counterpart, of each live hidden unit
  std::map<Edge, Presence> edges;     // between inputs, units of the best network and the output
  std::map<UnitName, double> shifts;  // share of draws in which the counterpart has a live shift
  std::size_t draws = 0;              // looked at
  double known_share = 0.0;           // of their live hidden units: with a counterpart
};

// Layer by layer, pairs of units with the largest correlation of their outputs first, as long as it
// is at least this; where an output is constant, the cosine of the incoming weights counts.
inline constexpr double least_similarity = 0.8;
// Outputs are compared at this many points, spread evenly over the box of the probe points.
inline constexpr std::size_t points_compared = 128;

MatchedNetworks match_units(const Fit& fit);

}  // namespace lacuna::report
