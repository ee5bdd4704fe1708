// A point of the parameter space: the active coordinates and their values. All others are exactly
// zero.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lacuna {

// `index` is strictly increasing and `value` runs beside it. A dense point is the case where every
// index is there.
struct SparseTheta {
  std::vector<std::uint64_t> index;
  std::vector<double> value;

  std::size_t size() const { return index.size(); }  // |I|

  // The position of coordinate `i` among the active ones, or where it would be inserted.
  std::size_t position(std::uint64_t i) const {
    return static_cast<std::size_t>(std::lower_bound(index.begin(), index.end(), i) -
                                    index.begin());
  }
  bool contains(std::uint64_t i) const {
    const std::size_t k = position(i);
    return k < index.size() && index[k] == i;
  }
  void insert(std::uint64_t i, double v) {
    const std::size_t k = position(i);
    index.insert(index.begin() + static_cast<std::ptrdiff_t>(k), i);
    value.insert(value.begin() + static_cast<std::ptrdiff_t>(k), v);
  }
  void erase_position(std::size_t k) {
    index.erase(index.begin() + static_cast<std::ptrdiff_t>(k));
    value.erase(value.begin() + static_cast<std::ptrdiff_t>(k));
  }
  friend bool operator==(const SparseTheta&, const SparseTheta&) = default;
};

}  // namespace lacuna
