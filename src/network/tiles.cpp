#include "network/tiles.hpp"

#include <algorithm>

namespace lacuna {
namespace {

// A tile multiplies by zero where a weight is missing; with fewer weights than this share of the
// full tile, units do better one by one.
constexpr double least_density = 0.5;

}  // namespace

void Tiles::clear(std::size_t first_weight) {
  tiles_.clear();
  rows_.clear();
  slots_.clear();
  first_weight_ = first_weight;
}

void Tiles::add(const std::uint32_t (&members)[tile_units], const UnitLinks (&units)[tile_units]) {
  std::size_t total = 0, longest = 0;
  for (const UnitLinks& unit : units) {
    total += unit.links.size();
    longest = std::max(longest, unit.links.size());
  }
  const auto dense = [&](std::size_t rows) {
    return static_cast<double>(total) >= least_density * static_cast<double>(tile_units * rows);
  };
  if (!dense(longest)) return;
  Tile tile{{}, static_cast<std::uint32_t>(rows_.size()), 0};
  std::size_t next[tile_units] = {};
  while (true) {
    std::uint32_t row = no_slot;
    for (std::size_t j = 0; j < tile_units; ++j) {
      if (next[j] < units[j].links.size()) row = std::min(row, units[j].links[next[j]].neighbour);
    }
    if (row == no_slot) break;
    rows_.push_back(row);
    for (std::size_t j = 0; j < tile_units; ++j) {
      const bool here = next[j] < units[j].links.size() && units[j].links[next[j]].neighbour == row;
      slots_.push_back(here ? units[j].links[next[j]++].slot : no_slot);
    }
  }
  if (!dense(rows_.size() - tile.first_row)) {
    rows_.resize(tile.first_row);
    slots_.resize(tile.first_row * tile_units);
    return;
  }
  tile.last_row = static_cast<std::uint32_t>(rows_.size());
  rows_.resize(rows_.size() + 2);  // for shifts and weights to the output
  for (const UnitLinks& unit : units) slots_.push_back(unit.shift_slot);
  for (const UnitLinks& unit : units) slots_.push_back(unit.output_slot);
  std::ranges::copy(members, tile.unit);
  tiles_.push_back(tile);
}

void Tiles::place_units(std::size_t units) {
  place_.assign(units, no_slot);
  std::uint32_t next = 0;
  for (const Tile& tile : tiles_)
    for (const std::uint32_t u : tile.unit) place_[u] = next++;
  for (std::uint32_t& place : place_)
    if (place == no_slot) place = next++;
}

}  // namespace lacuna
