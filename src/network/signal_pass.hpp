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
  const Real *activation, *pull;
  Real *backward, *gradient, *curvature;
  Real scale;

  LACUNA_INLINE SignalRows alone_each() const {
    return {alone(activation), alone(pull),      alone(backward),
            alone(gradient),   alone(curvature), scale};
  }
};

template <class Real>
LACUNA_INLINE SignalRows<Real> signal_rows(const BlockPass<Real>& pass, std::size_t l) {
  return {unit_row(pass.activation, pass, l, 0),
          pass.pull,
          unit_row(pass.backward, pass, l, 0),
          pass.gradient_seed,
          pass.curvature_seed,
          pass.scale};
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
  if constexpr (Curvature) at<Isa>(rows.curvature + seed) = (rows.scale * sum) * sum;
}

template <class Isa, bool Curvature, bool Keep, class Real>
LACUNA_INLINE void signals_of_unit(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                                   std::size_t l, std::size_t u, std::size_t length) {
  using V = Vec<Isa, Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[u];
  const std::size_t place = u * row_stride<Real>;
  const std::size_t seed = here.tiles_in.place(u) * row_stride<Real>;
  chunks<Isa, Real, unit_chunk>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        V sum[Wide];
        for (std::size_t k = 0; k < Wide; ++k) sum[k] = V{};
        for (std::uint32_t e = unit.first_out; e < unit.last_out; ++e) {
          const Link edge = here.outgoing[e];
          const Real weight = pass.theta[edge.slot];
          const Real* from = unit_row(pass.backward, pass, l + 1, edge.neighbour) + i;
          for (std::size_t k = 0; k < Wide; ++k)
            sum[k] += weight * load<Isa>(from + k * lanes_of<Isa, Real>);
        }
        for (std::size_t k = 0; k < Wide; ++k) {
          const std::size_t row = i + k * lanes_of<Isa, Real>;
          put_signals<Isa, Curvature, Keep>(rows, place + row, seed + row, row, sum[k]);
        }
      });
}

// The units of a tile.
template <class Real, bool Curvature, bool Keep>
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
      add_tile<Isa>(own, i, sum);
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

template <class Isa, bool Curvature, bool Keep, class Real>
LACUNA_INLINE void signals_of_tile(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                                   std::size_t l, const Tile& tile, std::size_t length) {
  const LiveLayer& here = pass.network.layer(l);
  const RowsAt<Real> above{unit_row(pass.backward, pass, l + 1, 0), row_stride<Real>};
  SignalsOfTile<Real, Curvature, Keep> loop{
      rows, tile_rows(pass, here.tiles_out, tile, above), {}, {}, length};
  for (std::size_t j = 0; j < tile_units; ++j) {
    loop.place[j] = tile.unit[j] * row_stride<Real>;
    loop.seed[j] = here.tiles_in.place(tile.unit[j]) * row_stride<Real>;
  }
  Apart<Isa, SignalsOfTile<Real, Curvature, Keep>>::run(loop);
}

// Units of the last hidden layer, `Count` at once. Each feeds only the output, so its signal is
// that of the output times one weight, and with `Along` the derivative by this weight is made
// along, while the rows that it needs are here.
template <class Real, bool Curvature, bool Along, bool Keep, std::size_t Count>
struct SignalsBelowOutput {
  SignalRows<Real> rows;  // seeds from that of the first unit on
  const Real* back;       // of the output
  std::size_t length;
  std::size_t place[Count];
  Real weight[Count];
  Real *gradient_lanes[Count], *curvature_lanes[Count];

  template <class Isa>
  LACUNA_INLINE void run() const {
    using V = Vec<Isa, Real>;
    const SignalRows<Real> to = rows.alone_each();
    const Real* const of_output = alone(back);
    const std::size_t end = alone(length);
    std::size_t at_unit[Count];
    V g[Count], h[Count], w[Count];
    unrolled<Count>([&]<std::size_t j>() __attribute__((always_inline)) {
      at_unit[j] = alone(place[j]);
      w[j] = V{} + weight[j];
      if constexpr (Along) g[j] = load<Isa>(gradient_lanes[j]);
      if constexpr (Along && Curvature) h[j] = load<Isa>(curvature_lanes[j]);
    });
    for (std::size_t i = 0; i < end; i += lanes_of<Isa, Real>) {
      const V b = load<Isa>(of_output + i);
      V seed = b * load<Isa>(to.pull + i);
      keep_in_register(seed);
      V square_seed{};
      if constexpr (Curvature) square_seed = (to.scale * b) * b;
      unrolled<Count>([&]<std::size_t j>() __attribute__((always_inline)) {
        V a = load<Isa>(to.activation + at_unit[j] + i);
        keep_in_register(a);
        if constexpr (Along) g[j] += seed * a;
        if constexpr (Along && Curvature) h[j] += square_seed * (a * a);
        // Products before the choice: with AVX-512 one instruction makes both.
        const auto on = a > Real(0);
        if constexpr (Keep) at<Isa>(to.backward + at_unit[j] + i) = on ? w[j] * b : V{};
        at<Isa>(to.gradient + j * row_stride<Real> + i) = on ? w[j] * seed : V{};
        if constexpr (Curvature)
          at<Isa>(to.curvature + j * row_stride<Real> + i) = on ? (w[j] * w[j]) * square_seed : V{};
      });
    }
    if constexpr (!Along) return;
    unrolled<Count>([&]<std::size_t j>() __attribute__((always_inline)) {
      at<Isa>(gradient_lanes[j]) = g[j];
      if constexpr (Curvature) at<Isa>(curvature_lanes[j]) = h[j];
    });
  }
};

template <class Isa, bool Curvature, bool Along, bool Keep, std::size_t Count, class Real>
LACUNA_INLINE void signals_below_output(const BlockPass<Real>& pass, SignalRows<Real> rows,
                                        const std::uint32_t* units, std::size_t first_seed,
                                        std::size_t length) {
  const std::size_t output = pass.network.layers();
  const LiveLayer& here = pass.network.layer(output - 1);
  rows.gradient += first_seed * row_stride<Real>;
  rows.curvature += first_seed * row_stride<Real>;
  using Loop = SignalsBelowOutput<Real, Curvature, Along, Keep, Count>;
  Loop loop{rows, unit_row(pass.backward, pass, output, 0), length, {}, {}, {}, {}};
  for (std::size_t j = 0; j < Count; ++j) {
    const std::uint32_t slot = here.outgoing[here.units[units[j]].first_out].slot;
    const std::size_t lane = pass.network.lane(slot) * lanes_of<Isa, Real>;
    loop.place[j] = units[j] * row_stride<Real>;
    loop.weight[j] = pass.theta[slot];
    loop.gradient_lanes[j] = pass.gradient_lanes + lane;
    loop.curvature_lanes[j] = pass.curvature_lanes + lane;
  }
  Apart<Isa, Loop>::run(loop);
}

}  // namespace lacuna
