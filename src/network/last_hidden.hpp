// Back through the last hidden layer: gates, and derivatives by what leads into its units and by
// their weights to the output.
#pragma once

#include "network/signal_pass.hpp"

namespace lacuna {

// `Count` units at once: their gates, with `Along` the derivatives by their weights to the output,
// with `Seeds` seeds of derivatives by what leads into them.
template <class Real, bool Curvature, bool Along, bool Seeds, std::size_t Count>
struct GatesOfUnits {
  SignalRows<Real> rows;  // seeds from that of the first unit on
  std::size_t length;
  std::size_t place[Count];
  Real weight[Count];
  Real *gate[Count], *gradient_lanes[Count], *curvature_lanes[Count];

  template <class Isa>
  LACUNA_INLINE void run() const {
    using V = Vec<Isa, Real>;
    const SignalRows<Real> to = rows.alone_each();
    const std::size_t end = alone(length);
    const Real* activation[Count];
    Real* gates[Count];
    V g[Count], h[Count], w[Count];
    unrolled<Count>([&]<std::size_t j>() __attribute__((always_inline)) {
      activation[j] = to.activation + alone(place[j]);
      gates[j] = alone(gate[j]);
      fill(w[j], weight[j]);
      if constexpr (Along) g[j] = load<Isa>(gradient_lanes[j]);
      if constexpr (Along && Curvature) h[j] = load<Isa>(curvature_lanes[j]);
    });
    for (std::size_t i = 0; i < end; i += lanes_of<Isa, Real>) {
      V pull{}, square_pull{};
      if constexpr (Along || Seeds) pull = load<Isa>(to.pull + i);
      if constexpr (Curvature && (Along || Seeds)) square_pull = load<Isa>(to.square_pull + i);
      unrolled<Count>([&]<std::size_t j>() __attribute__((always_inline)) {
        V a = load<Isa>(activation[j] + i);
        keep_in_register(a);
        Gates<Isa, Real>::put(gates[j], i, a);
        if constexpr (Along) g[j] += pull * a;
        if constexpr (Along && Curvature) h[j] += square_pull * (a * a);
        if constexpr (!Seeds) return;
        // Products before the choice: with AVX-512 one instruction makes both.
        const auto on = a > Real(0);
        at<Isa>(to.gradient + j * row_stride<Real> + i) = on ? w[j] * pull : V{};
        if constexpr (Curvature)
          at<Isa>(to.curvature + j * row_stride<Real> + i) = on ? (w[j] * w[j]) * square_pull : V{};
      });
    }
    if constexpr (!Along) return;
    unrolled<Count>([&]<std::size_t j>() __attribute__((always_inline)) {
      at<Isa>(gradient_lanes[j]) = g[j];
      if constexpr (Curvature) at<Isa>(curvature_lanes[j]) = h[j];
    });
  }
};

template <class Isa, bool Curvature, bool Along, bool Seeds, std::size_t Count, class Real>
LACUNA_INLINE void gates_of_units(const BlockPass<Real>& pass, SignalRows<Real> rows,
                                  const std::uint32_t* units, std::size_t first_seed,
                                  std::size_t length) {
  const LiveLayer& here = pass.network.layer(pass.network.layers() - 1);
  rows.gradient += first_seed * row_stride<Real>;
  rows.curvature += first_seed * row_stride<Real>;
  using Loop = GatesOfUnits<Real, Curvature, Along, Seeds, Count>;
  Loop loop{rows, length, {}, {}, {}, {}, {}};
  for (std::size_t j = 0; j < Count; ++j) {
    const std::uint32_t slot = here.output_slot(units[j]);
    const std::size_t lane = pass.network.lane(slot) * lanes_of<Isa, Real>;
    loop.place[j] = units[j] * row_stride<Real>;
    loop.weight[j] = pass.theta[slot];
    loop.gate[j] = gates_of<Isa>(pass, units[j]);
    loop.gradient_lanes[j] = pass.gradient_lanes + lane;
    loop.curvature_lanes[j] = pass.curvature_lanes + lane;
  }
  Apart<Isa, Loop>::run(loop);
}

// Adds the sums of products where the units of a tile are on, `Count` sources at once.
template <class Real, bool Curvature, std::size_t Count>
struct GatedDerivatives {
  const Real *product[Count], *square_product[Count];
  const Real* gate[tile_units];
  Real *gradient, *curvature;  // lanes of the first source, unit by unit, and so on
  std::size_t length;

  template <class Isa>
  LACUNA_INLINE void run() const {
    using V = Vec<Isa, Real>;
    using G = Gates<Isa, Real>;
    constexpr std::size_t lanes = lanes_of<Isa, Real>;
    Real *const to_gradient = alone(gradient), *const to_curvature = alone(curvature);
    const std::size_t end = alone(length);
    const Real *from[Count], *from_square[Count], *gates[tile_units];
    V g[Count][tile_units], h[Count][tile_units], one;
    fill(one, Real(1));
    keep_in_register(one);
    unrolled<tile_units>([&]<std::size_t j>()
                             __attribute__((always_inline)) { gates[j] = alone(gate[j]); });
    unrolled<Count>([&]<std::size_t s>() __attribute__((always_inline)) {
      from[s] = alone(product[s]);
      if constexpr (Curvature) from_square[s] = alone(square_product[s]);
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        g[s][j] = load<Isa>(to_gradient + (s * tile_units + j) * lanes);
        if constexpr (Curvature) h[s][j] = load<Isa>(to_curvature + (s * tile_units + j) * lanes);
      });
    });
    for (std::size_t i = 0; i < end; i += lanes) {
      typename G::Gate on[tile_units];
      unrolled<tile_units>([&]<std::size_t j>()
                               __attribute__((always_inline)) { G::get(gates[j], i, on[j]); });
      unrolled<Count>([&]<std::size_t s>() __attribute__((always_inline)) {
        V x = load<Isa>(from[s] + i);
        keep_in_register(x);
        unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
          G::template add<j % 2 == 1>(g[s][j], x, on[j], one);
        });
        if constexpr (!Curvature) return;
        V square = load<Isa>(from_square[s] + i);
        keep_in_register(square);
        unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
          G::template add<j % 2 == 1>(h[s][j], square, on[j], one);
        });
      });
    }
    unrolled<Count>([&]<std::size_t s>() __attribute__((always_inline)) {
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        at<Isa>(to_gradient + (s * tile_units + j) * lanes) = g[s][j];
        if constexpr (Curvature) at<Isa>(to_curvature + (s * tile_units + j) * lanes) = h[s][j];
      });
    });
  }
};

// The derivatives of the weights into all tiles, but for the factor that the weight of a unit to
// the output is. As many sources at a time as keep all sums in registers: their products stay in
// the first-level cache while the tiles go by. A shift is a weight whose source is one.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void gated_derivatives(const BlockPass<Real>& pass, std::size_t l, std::size_t begin,
                                     std::size_t length) {
  constexpr std::uint32_t most = (Isa::registers - 8) / tile_units / (Curvature ? 2 : 1);
  const Tiles& tiles = pass.network.layer(l).tiles_in;
  const RowsAt<Real> rows = source_rows(pass, l, begin);
  Real* const squares = pass.products + std::size_t{most} * row_stride<Real>;
  const Real* there[most] = {};  // the sources whose products these are
  const Real *product[most] = {}, *square_product[most] = {};
  const auto find = [&](std::size_t k, const Real* source) __attribute__((always_inline)) {
    Real* const to = pass.products + k * row_stride<Real>;
    Real* const square_to = squares + k * row_stride<Real>;
    product[k] = to;
    square_product[k] = square_to;
    if (there[k] == source) return;
    there[k] = source;
    for (std::size_t i = 0; i < length; i += lanes_of<Isa, Real>) {
      const Vec<Isa, Real> x = load<Isa>(source + i);
      at<Isa>(to + i) = load<Isa>(pass.pull + i) * x;
      if constexpr (Curvature) at<Isa>(square_to + i) = load<Isa>(pass.square_pull + i) * (x * x);
    }
  };
  const auto add = [&]<std::size_t Count>(const Tile& tile, std::uint32_t r)
      __attribute__((always_inline)) {
    if constexpr (Count <= most) {
      using Loop = GatedDerivatives<Real, Curvature, Count>;
      const std::size_t lane = (tiles.first_weight() + r * tile_units) * lanes_of<Isa, Real>;
      Loop loop{{}, {}, {}, pass.gradient_lanes + lane, pass.curvature_lanes + lane, length};
      for (std::size_t k = 0; k < Count; ++k) {
        loop.product[k] = product[k];
        loop.square_product[k] = square_product[k];
      }
      for (std::size_t j = 0; j < tile_units; ++j) loop.gate[j] = gates_of<Isa>(pass, tile.unit[j]);
      Apart<Isa, Loop>::run(loop);
    }
  };
  bool more = true;
  for (std::uint32_t part = 0; more; ++part) {
    more = false;
    for (const Tile& tile : tiles.tiles()) {
      // The shift lies behind the sources; parts are about equally long.
      const std::uint32_t count = tile.last_row - tile.first_row + 1;
      const std::uint32_t parts = (count + most - 1) / most;
      if (part >= parts) continue;
      more = true;
      const std::uint32_t first = tile.first_row + count * part / parts;
      const std::uint32_t last = tile.first_row + count * (part + 1) / parts;
      for (std::uint32_t r = first; r < last; ++r) {
        const std::size_t k = r - first;
        if (r < tile.last_row) {
          find(k, rows[tiles.row(r)]);
        } else {
          product[k] = pass.pull;
          square_product[k] = pass.square_pull;
        }
      }
      switch (last - first) {
        case 1:
          add.template operator()<1>(tile, first);
          break;
        case 2:
          add.template operator()<2>(tile, first);
          break;
        case 3:
          add.template operator()<3>(tile, first);
          break;
        case 4:
          add.template operator()<4>(tile, first);
          break;
        case 5:
          add.template operator()<5>(tile, first);
          break;
        default:
          add.template operator()<6>(tile, first);
      }
    }
  }
}

}  // namespace lacuna
