// Back-propagation: the derivative of f by what goes into each unit, and the seeds of derivatives
// by weights.
#pragma once

#include "network/tile_pass.hpp"

namespace lacuna {

template <class Isa, class Real>
LACUNA_INLINE Vec<Isa, Real>& lanes_at(Real* lanes, std::size_t lane) {
  return at<Isa>(lanes + lane * lanes_of<Isa, Real>);
}

// Whether a layer below needs the signals of this one.
template <class Real>
LACUNA_INLINE bool needed_below(const BlockPass<Real>& pass, std::size_t l) {
  return l > 1 && l != pass.request.layer;
}

// Where the signals of a layer go. Pointers of its own, which no store can change.
template <class Real>
struct SignalRows {
  const Real *activation, *pull, *square_pull;
  Real *backward, *gradient, *curvature;

  LACUNA_INLINE SignalRows alone_each() const {
    return {alone(activation), alone(pull),     alone(square_pull),
            alone(backward),   alone(gradient), alone(curvature)};
  }
};

template <class Real>
LACUNA_INLINE SignalRows<Real> signal_rows(const BlockPass<Real>& pass, std::size_t l) {
  return {unit_row(pass.activation, pass, l, 0), pass.pull,          pass.square_pull,
          unit_row(pass.backward, pass, l, 0),   pass.gradient_seed, pass.curvature_seed};
}

// `sum` over the units that this one feeds counts where the unit is on. `i` is the place of unit
// and row among those of the layer, `seed` that of its seed.
template <class Isa, bool Curvature, bool Keep, class Real>
LACUNA_INLINE void put_signals(const SignalRows<Real>& rows, std::size_t i, std::size_t seed,
                               std::size_t row, Vec<Isa, Real>& sum) {
  using V = Vec<Isa, Real>;
  sum = load<Isa>(rows.activation + i) > Real(0) ? sum : V{};
  if constexpr (Keep) at<Isa>(rows.backward + i) = sum;
  at<Isa>(rows.gradient + seed) = sum * load<Isa>(rows.pull + row);
  if constexpr (Curvature)
    at<Isa>(rows.curvature + seed) = (sum * sum) * load<Isa>(rows.square_pull + row);
}

// What the signals of layer `l` are made of: those of the layer above or, where that is the last
// hidden layer, its gates.
template <class Isa, bool Gated, class Real>
LACUNA_INLINE RowsAt<Real> rows_above(const BlockPass<Real>& pass, std::size_t l) {
  if constexpr (Gated) return {pass.gates, Gates<Isa, Real>::stride};
  return {unit_row(pass.backward, pass, l + 1, 0), row_stride<Real>};
}

template <class Isa, bool Curvature, bool Keep, bool Gated, class Real>
LACUNA_INLINE void signals_of_unit(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                                   std::size_t l, std::size_t u, std::size_t length) {
  using V = Vec<Isa, Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveLayer& above = pass.network.layer(l + 1);
  const LiveUnit& unit = here.units[u];
  const RowsAt<Real> from = rows_above<Isa, Gated>(pass, l);
  const std::size_t place = u * row_stride<Real>;
  const std::size_t seed = here.tiles_in.place(u) * row_stride<Real>;
  V one;
  fill(one, Real(1));
  chunks<Isa, Real, unit_chunk>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        V sum[Wide];
        for (std::size_t k = 0; k < Wide; ++k) sum[k] = V{};
        for (std::uint32_t e = unit.first_out; e < unit.last_out; ++e) {
          const Link edge = here.outgoing[e];
          const Real weight = pass.theta[edge.slot];
          if constexpr (Gated) {
            V w;
            fill(w, weight * pass.theta[above.output_slot(edge.neighbour)]);
            unrolled<Wide>([&]<std::size_t k>() __attribute__((always_inline)) {
              typename Gates<Isa, Real>::Gate gate;
              Gates<Isa, Real>::get(from[edge.neighbour], i + k * lanes_of<Isa, Real>, gate);
              Gates<Isa, Real>::template add<k % 2 == 1>(sum[k], w, gate, one);
            });
          } else {
            const Real* row = from[edge.neighbour] + i;
            for (std::size_t k = 0; k < Wide; ++k)
              sum[k] += weight * load<Isa>(row + k * lanes_of<Isa, Real>);
          }
        }
        for (std::size_t k = 0; k < Wide; ++k) {
          const std::size_t row = i + k * lanes_of<Isa, Real>;
          put_signals<Isa, Curvature, Keep>(rows, place + row, seed + row, row, sum[k]);
        }
      });
}

// The units of a tile.
template <class Real, bool Curvature, bool Keep, bool Gated>
struct SignalsOfTile {
  SignalRows<Real> rows;
  TileRows<Real> tile;
  std::size_t place[tile_units], seed[tile_units];
  std::size_t length;

  template <class Isa>
  LACUNA_INLINE void run() const {
    using V = Vec<Isa, Real>;
    const TileRows<Real> own = tile.alone_each();
    const SignalRows<Real> to = rows.alone_each();
    std::size_t at_unit[tile_units], at_seed[tile_units];
    unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
      at_unit[j] = alone(place[j]);
      at_seed[j] = alone(seed[j]);
    });
    const auto chunk = [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
      V sum[tile_units][Wide];
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        unrolled<Wide>([&]<std::size_t k>() __attribute__((always_inline)) { sum[j][k] = V{}; });
      });
      if constexpr (Gated) {
        add_gated_tile<Isa>(own, i, sum);
      } else {
        add_tile<Isa>(own, i, sum);
      }
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        unrolled<Wide>([&]<std::size_t k>() __attribute__((always_inline)) {
          const std::size_t row = i + k * lanes_of<Isa, Real>;
          put_signals<Isa, Curvature, Keep>(to, at_unit[j] + row, at_seed[j] + row, row, sum[j][k]);
        });
      });
    };
    chunks<Isa, Real, tile_chunk<Isa>>(alone(length), chunk);
  }
};

template <class Isa, bool Curvature, bool Keep, bool Gated, class Real>
LACUNA_INLINE void signals_of_tile(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                                   std::size_t l, const Tile& tile, std::size_t length) {
  const LiveLayer& here = pass.network.layer(l);
  using Loop = SignalsOfTile<Real, Curvature, Keep, Gated>;
  Loop loop{
      rows, tile_rows(pass, here.tiles_out, tile, rows_above<Isa, Gated>(pass, l)), {}, {}, length};
  for (std::size_t j = 0; j < tile_units; ++j) {
    loop.place[j] = tile.unit[j] * row_stride<Real>;
    loop.seed[j] = here.tiles_in.place(tile.unit[j]) * row_stride<Real>;
  }
  Apart<Isa, Loop>::run(loop);
}

}  // namespace lacuna
