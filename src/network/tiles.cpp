#include "network/tiles.hpp"

#include <algorithm>

namespace lacuna {
namespace {

// A tile multiplies by zero where a weight is missing; with fewer weights than this share of the
// full tile, units do better one by one.
constexpr double least_density = 0.5;

}  // namespace

void Tiles::clear(std::size_t units, std::size_t first_weight) {
  tiles_.clear();
  rows_.clear();
  slots_.clear();
  tiled_.assign(units, false);
  may_pair_ = false;
  first_weight_ = first_weight;
}

void Tiles::add(const std::uint32_t (&members)[tile_units],
                const std::span<const Link> (&links)[tile_units]) {
  std::size_t total = 0, longest = 0;
  for (const std::span<const Link>& own : links) {
    total += own.size();
    longest = std::max(longest, own.size());
  }
  const auto dense = [&](std::size_t rows) {
    return static_cast<double>(total) >= least_density * static_cast<double>(tile_units * rows);
  };
  if (!dense(longest)) return;
  Tile tile{{}, static_cast<std::uint32_t>(rows_.size()), 0, false};
  std::size_t next[tile_units] = {};
  while (true) {
    std::uint32_t row = no_slot;
    for (std::size_t j = 0; j < tile_units; ++j) {
      if (next[j] < links[j].size()) row = std::min(row, links[j][next[j]].neighbour);
    }
    if (row == no_slot) break;
    rows_.push_back(row);
    for (std::size_t j = 0; j < tile_units; ++j) {
      const bool here = next[j] < links[j].size() && links[j][next[j]].neighbour == row;
      slots_.push_back(here ? links[j][next[j]++].slot : no_slot);
    }
  }
  if (!dense(rows_.size() - tile.first_row)) {
    rows_.resize(tile.first_row);
    slots_.resize(tile.first_row * tile_units);
    return;
  }
  tile.last_row = static_cast<std::uint32_t>(rows_.size());
  for (std::size_t j = 0; j < tile_units; ++j) {
    tile.unit[j] = members[j];
    tiled_[members[j]] = true;
  }
  if (may_pair_ && std::ranges::equal(rows_of(tiles_.back()), rows_of(tile))) {
    tiles_.back().begins_pair = true;
    may_pair_ = false;
  } else {
    may_pair_ = true;
  }
  tiles_.push_back(tile);
}

}  // namespace lacuna
