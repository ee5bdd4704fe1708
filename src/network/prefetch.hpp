// Rows are asked for before a pass comes to them, where they are too many to stay in the cache from
// one pass to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "network/live_network.hpp"
#include "network/samples.hpp"

namespace lacuna {

class Prefetch {
 public:
  void nothing() { columns_.clear(); }

  // The columns that a pass reads, if all that they hold is more than the cache; else none.
  template <class Real>
  void choose(const Samples& samples, const LiveNetwork& network, bool all_inputs) {
    columns_.clear();
    const std::size_t column_bytes = samples.padded_rows() * sizeof(Real);
    if (samples.inputs() * column_bytes <= most_bytes_in_cache) return;
    if (all_inputs) {
      columns_.resize(samples.inputs());
      std::iota(columns_.begin(), columns_.end(), 0U);
    } else {
      for (const Link& edge : network.layer(1).edges) columns_.push_back(edge.neighbour);
      std::ranges::sort(columns_);
      columns_.erase(std::ranges::unique(columns_).begin(), columns_.end());
    }
    if (columns_.size() * column_bytes <= most_bytes_in_cache) columns_.clear();
  }

  // For up to `count` rows from `begin` on.
  template <class Real>
  void ask(const Samples& samples, std::size_t begin, std::size_t count) const {
    if (columns_.empty()) return;
    constexpr std::size_t per_line = 64 / sizeof(Real);
    const std::size_t end = std::min(begin + count, samples.padded_rows());
    const auto fetch = [&](const Real* column) {
      for (std::size_t i = begin; i < end; i += per_line) __builtin_prefetch(column + i, 0, 2);
    };
    for (const std::uint32_t j : columns_) fetch(samples.column_as<Real>(j));
    fetch(samples.target_as<Real>());
    fetch(samples.root_weight_as<Real>());
  }

 private:
  static constexpr std::size_t most_bytes_in_cache = 1024 * 1024;

  std::vector<std::uint32_t> columns_;
};

}  // namespace lacuna
