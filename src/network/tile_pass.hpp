// Register blocking: four units of a tile, or the eight of a pair, against the rows they share. For
// each loaded row there are as many products, where single units have one.
#pragma once

#include "network/vector_rows.hpp"

namespace lacuna {

// Where the rows of an adjoining layer lie: row r at first + r * stride.
template <class Real>
struct RowsAt {
  const Real* first;
  std::size_t stride;
  const Real* operator[](std::size_t r) const { return first + r * stride; }
};

template <class Real>
LACUNA_INLINE RowsAt<Real> source_rows(const BlockPass<Real>& pass, std::size_t layer,
                                       std::size_t begin) {
  if (layer == pass.first_layer) return {pass.arriving + begin, pass.samples.padded_rows()};
  return {unit_row(pass.activation, pass, layer - 1, 0), row_stride<Real>};
}

// Calls work<Together>(first tile) for pairs of tiles that share their rows, where there are
// registers enough, and for single ones.
template <class Isa, class Work>
LACUNA_INLINE void each_tile(const Tiles& tiles, Work&& work) {
  const Tile* last = tiles.tiles().data() + tiles.tiles().size();
  for (const Tile* tile = tiles.tiles().data(); tile != last;) {
    if (Isa::registers >= 32 && tile->begins_pair) {
      work.template operator()<2>(tile);
      tile += 2;
    } else {
      work.template operator()<1>(tile);
      ++tile;
    }
  }
}

// Unit j of one tile or of a pair.
LACUNA_INLINE std::uint32_t unit_of(const Tile* tile, std::size_t j) {
  return tile[j / tile_units].unit[j % tile_units];
}

// sum[j][k] += weight of unit j * row, over the rows of the tiles, for `Vectors` vectors from row
// `i` of the block on.
template <class Isa, std::size_t Together, std::size_t Vectors, class Real>
LACUNA_INLINE void add_tiles(const BlockPass<Real>& pass, const Tiles& tiles, const Tile* tile,
                             const RowsAt<Real>& rows, std::size_t i,
                             Vec<Isa, Real> (&sum)[Together * tile_units][Vectors]) {
  const Real* weight[Together];
  for (std::size_t t = 0; t < Together; ++t)
    weight[t] = pass.packed + tiles.first_weight() + tile[t].first_row * tile_units;
  const std::uint32_t count = tile->last_row - tile->first_row;
  for (std::uint32_t r = 0; r < count; ++r) {
    const Real* row = rows[tiles.row(tile->first_row + r)] + i;
    Vec<Isa, Real> x[Vectors];
    for (std::size_t k = 0; k < Vectors; ++k) x[k] = load<Isa>(row + k * lanes_of<Isa, Real>);
    for (std::size_t j = 0; j < Together * tile_units; ++j) {
      const Real w = weight[j / tile_units][r * tile_units + j % tile_units];
      for (std::size_t k = 0; k < Vectors; ++k) sum[j][k] += w * x[k];
    }
  }
}

// Adds the sums of seed * source to the lanes of weights: for the units of a tile and `Count` of
// the sources they share, from row `r` on; with curvature also those of square seed * source^2.
// `Shift`: for their shifts as well, weights whose source is one. `Close`: the seeds are in the
// first rows, not in those of the units.
template <class Isa, bool Curvature, bool Close, std::size_t Count, bool Shift, class Real>
LACUNA_INLINE void add_tile_derivatives(const BlockPass<Real>& pass, const LiveLayer& layer,
                                        const Tile& tile, const RowsAt<Real>& rows, std::uint32_t r,
                                        std::size_t length) {
  using V = Vec<Isa, Real>;
  const Tiles& tiles = layer.tiles_in;
  const Real *seed[tile_units], *square_seed[tile_units], *source[Count];
  std::uint32_t slot[Count + Shift][tile_units];
  V g[Count + Shift][tile_units], h[Count + Shift][tile_units];
  for (std::size_t j = 0; j < tile_units; ++j) {
    const std::size_t seed_row = Close ? j : tile.unit[j];
    seed[j] = pass.gradient_seed + seed_row * row_stride<Real>;
    if constexpr (Curvature) square_seed[j] = pass.curvature_seed + seed_row * row_stride<Real>;
    for (std::size_t s = 0; s < Count; ++s) slot[s][j] = tiles.slots(r + s)[j];
    if constexpr (Shift) slot[Count][j] = layer.units[tile.unit[j]].shift_slot;
  }
  for (std::size_t s = 0; s < Count; ++s) source[s] = rows[tiles.row(r + s)];
  Real* const gradient = pass.gradient_lanes;
  Real* const curvature = pass.curvature_lanes;
  for (std::size_t s = 0; s < Count + Shift; ++s) {
    for (std::size_t j = 0; j < tile_units; ++j) {
      const bool there = slot[s][j] != no_slot;
      g[s][j] = there ? load<Isa>(gradient + slot[s][j] * lanes_of<Isa, Real>) : V{};
      if constexpr (Curvature)
        h[s][j] = there ? load<Isa>(curvature + slot[s][j] * lanes_of<Isa, Real>) : V{};
    }
  }
  for (std::size_t i = 0; i < length; i += lanes_of<Isa, Real>) {
    V x[Count];
    for (std::size_t s = 0; s < Count; ++s) x[s] = load<Isa>(source[s] + i);
    for (std::size_t j = 0; j < tile_units; ++j) {
      const V a = load<Isa>(seed[j] + i);
      for (std::size_t s = 0; s < Count; ++s) g[s][j] += a * x[s];
      if constexpr (Shift) g[Count][j] += a;
    }
    if constexpr (Curvature) {
      for (std::size_t s = 0; s < Count; ++s) x[s] *= x[s];
      for (std::size_t j = 0; j < tile_units; ++j) {
        const V b = load<Isa>(square_seed[j] + i);
        for (std::size_t s = 0; s < Count; ++s) h[s][j] += b * x[s];
        if constexpr (Shift) h[Count][j] += b;
      }
    }
  }
  for (std::size_t s = 0; s < Count + Shift; ++s) {
    for (std::size_t j = 0; j < tile_units; ++j) {
      if (slot[s][j] == no_slot) continue;
      at<Isa>(gradient + slot[s][j] * lanes_of<Isa, Real>) = g[s][j];
      if constexpr (Curvature) at<Isa>(curvature + slot[s][j] * lanes_of<Isa, Real>) = h[s][j];
    }
  }
}

// The derivatives of all weights of a tile, as many sources at a time as keep all sums in
// registers, the shifts with the last ones.
template <class Isa, bool Curvature, bool Close, class Real>
LACUNA_INLINE void tile_derivatives(const BlockPass<Real>& pass, std::size_t l, const Tile& tile,
                                    std::size_t begin, std::size_t length) {
  constexpr std::uint32_t wide = Isa::registers / (Curvature ? 16 : 8);
  const LiveLayer& layer = pass.network.layer(l);
  const RowsAt<Real> rows = source_rows(pass, l, begin);
  std::uint32_t r = tile.first_row;
  for (; tile.last_row - r > wide; r += wide)
    add_tile_derivatives<Isa, Curvature, Close, wide, false>(pass, layer, tile, rows, r, length);
  const auto last = [&]<std::size_t Count>() __attribute__((always_inline)) {
    if (tile.last_row - r == Count)
      add_tile_derivatives<Isa, Curvature, Close, Count, true>(pass, layer, tile, rows, r, length);
  };
  last.template operator()<1>();
  if constexpr (wide > 1) last.template operator()<2>();
  if constexpr (wide > 2) {
    last.template operator()<3>();
    last.template operator()<4>();
  }
}

}  // namespace lacuna
