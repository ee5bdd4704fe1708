// Groups of units that share most of their neighbours in an adjoining layer, so that a loaded row
// serves several of them: register blocking for networks that are dense, or nearly so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lacuna {

inline constexpr std::uint32_t no_slot = UINT32_MAX;

inline constexpr std::size_t tile_units = 4;

struct Tile {
  std::uint32_t unit[tile_units];     // positions in their layer
  std::uint32_t first_row, last_row;  // where their neighbours lie
};

// An active weight between a unit and its neighbour in an adjoining layer.
struct Link {
  std::uint32_t neighbour;  // position in that layer (for sources of layer 1: the input column)
  std::uint32_t slot;       // position of the weight among the active coordinates
};

// What a unit has towards one side of its layer.
struct UnitLinks {
  std::span<const Link> links;  // in increasing order of the neighbour
  std::uint32_t shift_slot = no_slot;
  std::uint32_t output_slot = no_slot;  // of its weight to the output, where that is all it feeds
};

// The tiles of a layer towards one side. A function of the links alone.
class Tiles {
 public:
  // `links(u)`: those of unit u; units without any take no part. Weights of tiles are packed from
  // `first_weight` on, tile_units to a row: those of each neighbour, shifts, weights to the output.
  template <class Links>
  void build(std::size_t units, Links&& links, std::size_t first_weight) {
    clear(first_weight);
    UnitLinks group[tile_units];
    std::uint32_t members[tile_units];
    std::size_t found = 0;
    for (std::size_t u = 0; u < units; ++u) {
      group[found] = links(u);
      if (group[found].links.size() < fewest_links) continue;
      members[found] = static_cast<std::uint32_t>(u);
      if (++found == tile_units) {
        add(members, group);
        found = 0;
      }
    }
    place_units(units);
  }

  const std::vector<Tile>& tiles() const { return tiles_; }
  bool has(std::size_t unit) const { return place_[unit] < tiles_.size() * tile_units; }
  // Another order of the units: those of the first tile, of the second and so on, then the others.
  std::uint32_t place(std::size_t unit) const { return place_[unit]; }
  std::uint32_t row(std::size_t r) const { return rows_[r]; }
  const std::uint32_t* rows(const Tile& tile) const { return rows_.data() + tile.first_row; }
  // tile_units per row; no_slot where a unit of the tile lacks this neighbour.
  const std::uint32_t* slots(std::size_t r) const { return slots_.data() + r * tile_units; }
  const std::uint32_t* shift_slots(const Tile& tile) const { return slots(tile.last_row); }
  const std::uint32_t* output_slots(const Tile& tile) const { return slots(tile.last_row + 1); }
  std::size_t first_weight() const { return first_weight_; }
  std::size_t weight_count() const { return slots_.size(); }

 private:
  static constexpr std::size_t fewest_links = 4;

  void clear(std::size_t first_weight);
  void add(const std::uint32_t (&members)[tile_units], const UnitLinks (&units)[tile_units]);

  void place_units(std::size_t units);

  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> rows_, slots_, place_;
  std::size_t first_weight_ = 0;
};

}  // namespace lacuna
