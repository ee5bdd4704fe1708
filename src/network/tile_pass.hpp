// Register blocking: the four units of a tile against the rows they share. For each loaded row
// there are four products, where single units have one.
#pragma once

#include "network/gates.hpp"

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

// A tile and the rows that its units share; `tile_units` weights for each row.
template <class Real>
struct TileRows {
  RowsAt<Real> rows;
  const std::uint32_t* row;
  std::uint32_t count;
  const Real* weight;

  LACUNA_INLINE TileRows alone_each() const {
    return {{alone(rows.first), alone(rows.stride)}, alone(row), alone(count), alone(weight)};
  }
  const Real* shifts() const { return weight + count * tile_units; }
  const Real* output_weights() const { return shifts() + tile_units; }
};

template <class Real>
LACUNA_INLINE TileRows<Real> tile_rows(const BlockPass<Real>& pass, const Tiles& tiles,
                                       const Tile& tile, const RowsAt<Real>& rows) {
  return {rows, tiles.rows(tile), tile.last_row - tile.first_row,
          pass.packed + tiles.first_weight() + tile.first_row * tile_units};
}

// sum[j][k] += weight of unit j * row, over the rows of the tile, for `Vectors` vectors from row
// `i` of the block on.
template <class Isa, std::size_t Vectors, class Real>
LACUNA_INLINE void add_tile(const TileRows<Real>& tile, std::size_t i,
                            Vec<Isa, Real> (&sum)[tile_units][Vectors]) {
  constexpr std::size_t lanes = lanes_of<Isa, Real>;
  const Real* weight = tile.weight;
  for (std::uint32_t r = 0; r < tile.count; ++r, weight += tile_units) {
    const Real* row = tile.rows[tile.row[r]] + i;
    Vec<Isa, Real> x[Vectors];
    unrolled<Vectors>([&]<std::size_t k>() __attribute__((always_inline)) {
      x[k] = load<Isa>(row + k * lanes);
      keep_in_register(x[k]);
    });
    unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
      const Real w = weight[j];
      unrolled<Vectors>([&]<std::size_t k>()
                            __attribute__((always_inline)) { sum[j][k] += w * x[k]; });
    });
  }
}

// The same where the rows are gates: sums over units of the last hidden layer that are on.
template <class Isa, std::size_t Vectors, class Real>
LACUNA_INLINE void add_gated_tile(const TileRows<Real>& tile, std::size_t i,
                                  Vec<Isa, Real> (&sum)[tile_units][Vectors]) {
  using V = Vec<Isa, Real>;
  const Real* weight = tile.weight;
  V one;
  fill(one, Real(1));
  keep_in_register(one);
  for (std::uint32_t r = 0; r < tile.count; ++r, weight += tile_units) {
    typename Gates<Isa, Real>::Gate gate[Vectors];
    unrolled<Vectors>([&]<std::size_t k>() __attribute__((always_inline)) {
      Gates<Isa, Real>::get(tile.rows[tile.row[r]], i + k * lanes_of<Isa, Real>, gate[k]);
    });
    unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
      V w;
      fill(w, weight[j]);
      unrolled<Vectors>([&]<std::size_t k>() __attribute__((always_inline)) {
        Gates<Isa, Real>::template add<(j + k) % 2 == 1>(sum[j][k], w, gate[k], one);
      });
    });
  }
}

// Adds the sums of seed * source to the lanes of weights: for the units of a tile and `Count` of
// the sources they share; with curvature also those of square seed * source^2. `Shift`: for their
// shifts as well, weights whose source is one.
template <class Real, bool Curvature, std::size_t Count, bool Shift>
struct TileDerivatives {
  const Real *seed, *square_seed;  // of the first unit, `row_stride` apart
  const Real* source[Count + 1];
  Real *gradient, *curvature;  // lanes of the first source, unit by unit, and so on
  std::size_t length;

  template <class Isa>
  LACUNA_INLINE void run() const {
    using V = Vec<Isa, Real>;
    constexpr std::size_t all = Count + Shift, lanes = lanes_of<Isa, Real>;
    // What a store might change would be read again after it.
    const Real *const seeds = seed, *const square_seeds = square_seed;
    Real *const to_gradient = gradient, *const to_curvature = curvature;
    const std::size_t end = length;
    const Real* from[Count + 1];
    for (std::size_t s = 0; s < Count; ++s) from[s] = source[s];
    V g[all][tile_units], h[all][tile_units];
    unrolled<all>([&]<std::size_t s>() __attribute__((always_inline)) {
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        g[s][j] = load<Isa>(to_gradient + (s * tile_units + j) * lanes);
        if constexpr (Curvature) h[s][j] = load<Isa>(to_curvature + (s * tile_units + j) * lanes);
      });
    });
    for (std::size_t i = 0; i < end; i += lanes) {
      V a[tile_units];
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        a[j] = load<Isa>(seeds + j * row_stride<Real> + i);
        keep_in_register(a[j]);
      });
      unrolled<Count>([&]<std::size_t s>() __attribute__((always_inline)) {
        V x = load<Isa>(from[s] + i);
        keep_in_register(x);
        unrolled<tile_units>([&]<std::size_t j>()
                                 __attribute__((always_inline)) { g[s][j] += a[j] * x; });
      });
      if constexpr (Shift) {
        unrolled<tile_units>([&]<std::size_t j>()
                                 __attribute__((always_inline)) { g[Count][j] += a[j]; });
      }
      if constexpr (!Curvature) continue;
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        a[j] = load<Isa>(square_seeds + j * row_stride<Real> + i);
        keep_in_register(a[j]);
      });
      unrolled<Count>([&]<std::size_t s>() __attribute__((always_inline)) {
        const V x = load<Isa>(from[s] + i);
        V square = x * x;
        keep_in_register(square);
        unrolled<tile_units>([&]<std::size_t j>()
                                 __attribute__((always_inline)) { h[s][j] += a[j] * square; });
      });
      if constexpr (Shift) {
        unrolled<tile_units>([&]<std::size_t j>()
                                 __attribute__((always_inline)) { h[Count][j] += a[j]; });
      }
    }
    unrolled<all>([&]<std::size_t s>() __attribute__((always_inline)) {
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        at<Isa>(to_gradient + (s * tile_units + j) * lanes) = g[s][j];
        if constexpr (Curvature) at<Isa>(to_curvature + (s * tile_units + j) * lanes) = h[s][j];
      });
    });
  }
};

// From row `r` of a tile on; the seeds of its units are in consecutive rows from `first_seed` on.
template <class Isa, bool Curvature, std::size_t Count, bool Shift, class Real>
LACUNA_INLINE void add_tile_derivatives(const BlockPass<Real>& pass, const Tiles& tiles,
                                        const RowsAt<Real>& rows, std::size_t first_seed,
                                        std::uint32_t r, std::size_t length) {
  const std::size_t seed = first_seed * row_stride<Real>;
  const std::size_t lane = (tiles.first_weight() + r * tile_units) * lanes_of<Isa, Real>;
  using Loop = TileDerivatives<Real, Curvature, Count, Shift>;
  Loop loop{pass.gradient_seed + seed,  pass.curvature_seed + seed,  {},
            pass.gradient_lanes + lane, pass.curvature_lanes + lane, length};
  for (std::size_t s = 0; s < Count; ++s) loop.source[s] = rows[tiles.row(r + s)];
  Apart<Isa, Loop>::run(loop);
}

// The derivatives of all weights of a tile: as many sources at a time as keep all sums in
// registers, the shifts with the last ones.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void tile_derivatives(const BlockPass<Real>& pass, std::size_t l, const Tile& tile,
                                    std::size_t first_seed, std::size_t begin, std::size_t length) {
  // A few registers are left for sources and seeds.
  constexpr std::uint32_t most = (Isa::registers - 8) / tile_units / (Curvature ? 2 : 1);
  const Tiles& tiles = pass.network.layer(l).tiles_in;
  const RowsAt<Real> rows = source_rows(pass, l, begin);
  const std::uint32_t count = tile.last_row - tile.first_row;
  std::uint32_t r = 0;
  const auto add = [&]<std::size_t Count, bool Shift>() __attribute__((always_inline)) {
    if constexpr (Count + Shift <= most)
      add_tile_derivatives<Isa, Curvature, Count, Shift>(pass, tiles, rows, first_seed,
                                                         tile.first_row + r, length);
  };
  // The shift counts as a source, and the loops are about equally long.
  for (std::uint32_t left = (count + most) / most; left > 1; --left) {
    const std::uint32_t here = (count - r + left) / left;
    switch (here) {
      case 1:
        add.template operator()<1, false>();
        break;
      case 2:
        add.template operator()<2, false>();
        break;
      case 3:
        add.template operator()<3, false>();
        break;
      case 4:
        add.template operator()<4, false>();
        break;
      case 5:
        add.template operator()<5, false>();
        break;
      default:
        add.template operator()<6, false>();
    }
    r += here;
  }
  switch (count - r) {
    case 0:
      add.template operator()<0, true>();
      break;
    case 1:
      add.template operator()<1, true>();
      break;
    case 2:
      add.template operator()<2, true>();
      break;
    case 3:
      add.template operator()<3, true>();
      break;
    case 4:
      add.template operator()<4, true>();
      break;
    default:
      add.template operator()<5, true>();
  }
}

}  // namespace lacuna
