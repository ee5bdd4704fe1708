// Register blocking: four units of a tile against the rows they share. For each loaded row there
// are four products, where single units have one.
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
  return {unit_row(pass.activation, pass, layer - 1, 0), block_rows<Real>};
}

// sum[j][k] += weight of unit j of the tile * row, over the rows of the tile, for `Vectors` vectors
// from row `i` of the block on.
template <std::size_t Vectors, class Real>
LACUNA_INLINE void add_tile(const BlockPass<Real>& pass, const Tiles& tiles, const Tile& tile,
                            const RowsAt<Real>& rows, std::size_t i,
                            Vec<Real> (&sum)[tile_units][Vectors]) {
  const Real* weight = pass.packed + tiles.first_weight() + tile.first_row * tile_units;
  for (std::uint32_t r = tile.first_row; r < tile.last_row; ++r, weight += tile_units) {
    const Real* row = rows[tiles.row(r)] + i;
    Vec<Real> x[Vectors];
    for (std::size_t k = 0; k < Vectors; ++k) x[k] = load(row + k * lanes_of<Real>);
    for (std::size_t j = 0; j < tile_units; ++j) {
      for (std::size_t k = 0; k < Vectors; ++k) sum[j][k] += weight[j] * x[k];
    }
  }
}

// Lane k of `sums` is the sum of the lanes of v[k]: pairs of vectors are folded into one until
// one is left.
LACUNA_INLINE void sums_of_lanes(const Vec<float> (&v)[16], Vec<float>& sums) {
  Vec<float> a[8], b[4], c[2];
  for (int k = 0; k < 8; ++k) {
    const Vec<float>&x = v[2 * k], &y = v[2 * k + 1];
    a[k] =
        __builtin_shufflevector(x, y, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30) +
        __builtin_shufflevector(x, y, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
  }
  for (int k = 0; k < 4; ++k) {
    const Vec<float>&x = a[2 * k], &y = a[2 * k + 1];
    b[k] =
        __builtin_shufflevector(x, y, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29) +
        __builtin_shufflevector(x, y, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  }
  for (int k = 0; k < 2; ++k) {
    const Vec<float>&x = b[2 * k], &y = b[2 * k + 1];
    c[k] =
        __builtin_shufflevector(x, y, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27) +
        __builtin_shufflevector(x, y, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
  }
  sums =
      __builtin_shufflevector(c[0], c[1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
      __builtin_shufflevector(c[0], c[1], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30,
                              31);
}
LACUNA_INLINE void sums_of_lanes(const Vec<double> (&v)[8], Vec<double>& sums) {
  Vec<double> a[4], b[2];
  for (int k = 0; k < 4; ++k) {
    const Vec<double>&x = v[2 * k], &y = v[2 * k + 1];
    a[k] = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int k = 0; k < 2; ++k) {
    const Vec<double>&x = a[2 * k], &y = a[2 * k + 1];
    b[k] = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  sums = __builtin_shufflevector(b[0], b[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(b[0], b[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

// Sums of seed * source for the four units of a tile and `Count` of their shared sources, from row
// `r` of the tile on; with curvature also those of square seed * source^2.
template <bool Curvature, std::size_t Count, class Real>
LACUNA_INLINE void add_tile_derivatives(const BlockPass<Real>& pass, std::size_t layer,
                                        const Tiles& tiles, const Tile& tile,
                                        const RowsAt<Real>& rows, std::uint32_t r,
                                        std::size_t length) {
  using V = Vec<Real>;
  const Real *seed[tile_units], *square_seed[tile_units], *source[Count];
  V g[Count * tile_units], h[Curvature ? Count * tile_units : 1];
  for (std::size_t j = 0; j < tile_units; ++j) {
    seed[j] = unit_row(pass.gradient_seed, pass, layer, tile.unit[j]);
    if constexpr (Curvature)
      square_seed[j] = unit_row(pass.curvature_seed, pass, layer, tile.unit[j]);
  }
  for (std::size_t s = 0; s < Count; ++s) source[s] = rows[tiles.row(r + s)];
  const std::uint32_t* slots = tiles.slots(r);
  for (std::size_t k = 0; k < Count * tile_units; ++k) {
    g[k] = slots[k] == no_slot ? V{} : load(pass.gradient_lanes + slots[k] * lanes_of<Real>);
    if constexpr (Curvature)
      h[k] = slots[k] == no_slot ? V{} : load(pass.curvature_lanes + slots[k] * lanes_of<Real>);
  }
  for (std::size_t i = 0; i < length; i += lanes_of<Real>) {
    V x[Count];
    for (std::size_t s = 0; s < Count; ++s) x[s] = load(source[s] + i);
    for (std::size_t j = 0; j < tile_units; ++j) {
      const V a = load(seed[j] + i);
      for (std::size_t s = 0; s < Count; ++s) g[s * tile_units + j] += a * x[s];
    }
    if constexpr (Curvature) {
      for (std::size_t s = 0; s < Count; ++s) x[s] *= x[s];
      for (std::size_t j = 0; j < tile_units; ++j) {
        const V b = load(square_seed[j] + i);
        for (std::size_t s = 0; s < Count; ++s) h[s * tile_units + j] += b * x[s];
      }
    }
  }
  for (std::size_t k = 0; k < Count * tile_units; ++k) {
    if (slots[k] == no_slot) continue;
    at(pass.gradient_lanes + slots[k] * lanes_of<Real>) = g[k];
    if constexpr (Curvature) at(pass.curvature_lanes + slots[k] * lanes_of<Real>) = h[k];
  }
}

// The derivatives of the shifts of a tile's units.
template <bool Curvature, class Real>
LACUNA_INLINE void add_tile_shifts(const BlockPass<Real>& pass, std::size_t layer, const Tile& tile,
                                   std::size_t length) {
  using V = Vec<Real>;
  const auto add = [&](const Real* seeds, Real* lanes) __attribute__((always_inline)) {
    V sum[tile_units] = {};
    const Real* seed[tile_units];
    for (std::size_t j = 0; j < tile_units; ++j)
      seed[j] = unit_row(const_cast<Real*>(seeds), pass, layer, tile.unit[j]);
    for (std::size_t i = 0; i < length; i += lanes_of<Real>) {
      for (std::size_t j = 0; j < tile_units; ++j) sum[j] += load(seed[j] + i);
    }
    for (std::size_t j = 0; j < tile_units; ++j) {
      const std::uint32_t slot = pass.network.layer(layer).units[tile.unit[j]].shift_slot;
      if (slot != no_slot) at(lanes + slot * lanes_of<Real>) += sum[j];
    }
  };
  add(pass.gradient_seed, pass.gradient_lanes);
  if constexpr (Curvature) add(pass.curvature_seed, pass.curvature_lanes);
}

// The derivatives of all weights of a tile. `Wide` sources at a time keep all sums in registers.
template <bool Curvature, class Real>
LACUNA_INLINE void tile_derivatives(const BlockPass<Real>& pass, std::size_t layer,
                                    const Tiles& tiles, const Tile& tile, std::size_t begin,
                                    std::size_t length) {
  constexpr std::size_t wide = Curvature ? 2 : 4;
  const RowsAt<Real> rows = source_rows(pass, layer, begin);
  std::uint32_t r = tile.first_row;
  for (; r + wide <= tile.last_row; r += wide)
    add_tile_derivatives<Curvature, wide>(pass, layer, tiles, tile, rows, r, length);
  for (; r < tile.last_row; ++r)
    add_tile_derivatives<Curvature, 1>(pass, layer, tiles, tile, rows, r, length);
  add_tile_shifts<Curvature>(pass, layer, tile, length);
}

}  // namespace lacuna
