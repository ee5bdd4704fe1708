// Which units active paths lead to and which they lead from, dead ones included.
//
// A unit is *reached* if an active path leads to it from an input or from an active shift, and
// *leading* if an active path leads from it to the output. A unit that is both is live; one that is
// neither is *vacant*: whatever active weights it has lie on no path. A weight is live if its
// source is reached (or is an input) and its destination is leading; a shift, if its unit is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/architecture.hpp"

namespace lacuna {

class Paths {
 public:
  explicit Paths(const Architecture& architecture);

  // Rebuilds for these active indices, strictly increasing. The cost follows their number.
  void build(std::span<const std::uint64_t> active);

  // Whether a coordinate, active or switched on alone, lies on a path from a source to the output.
  bool is_live(std::uint64_t index) const;

  // Vacant units of hidden layer l: how many, and the k-th of them in increasing order.
  std::uint64_t vacant_units(std::size_t l) const;
  std::uint64_t vacant_unit(std::size_t l, std::uint64_t k) const;

 private:
  Architecture architecture_;
  std::vector<Place> places_;  // of the active coordinates
  // Per layer 0 .. L+1, increasing and without repetition; inputs are reached without being listed.
  std::vector<std::vector<std::uint64_t>> reached_, leading_;
  std::vector<std::vector<std::uint64_t>> occupied_;  // hidden layers: reached or leading
};

}  // namespace lacuna
