// Back-propagation: the derivative of f by what goes into each unit, and the seeds of derivatives
// by weights.
#pragma once

#include "network/tile_pass.hpp"

namespace lacuna {

template <class Isa, class Real>
LACUNA_INLINE Vec<Isa, Real>& lanes_at(Real* lanes, std::size_t coordinate) {
  return at<Isa>(lanes + coordinate * lanes_of<Isa, Real>);
}

// Where the signals of a layer go. Pointers of its own, which no store can change.
template <class Real>
struct SignalRows {
  const Real *activation, *pull;
  Real *backward, *gradient, *curvature;
  bool keep;  // for a layer below
  Real scale;
};

template <class Real>
LACUNA_INLINE SignalRows<Real> signal_rows(const BlockPass<Real>& pass, std::size_t l) {
  const bool keep = l > 1 && l != pass.request.layer;
  return {unit_row(pass.activation, pass, l, 0),
          pass.pull,
          unit_row(pass.backward, pass, l, 0),
          pass.gradient_seed,
          pass.curvature_seed,
          keep,
          pass.scale};
}

// `sum` over the units that this one feeds counts where the unit is on; `i` is the place of unit
// and row among those of the layer.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void put_signals(const SignalRows<Real>& rows, std::size_t i, std::size_t row,
                               Vec<Isa, Real>& sum) {
  using V = Vec<Isa, Real>;
  sum = load<Isa>(rows.activation + i) > Real(0) ? sum : V{};
  if (rows.keep) at<Isa>(rows.backward + i) = sum;
  at<Isa>(rows.gradient + i) = sum * load<Isa>(rows.pull + row);
  if constexpr (Curvature) at<Isa>(rows.curvature + i) = (rows.scale * sum) * sum;
}

template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void signals_of_unit(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                                   std::size_t l, std::size_t u, std::size_t length) {
  using V = Vec<Isa, Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[u];
  const std::size_t place = u * row_stride<Real>;
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
          put_signals<Isa, Curvature>(rows, place + row, row, sum[k]);
        }
      });
}

template <class Isa, bool Curvature, std::size_t Together, class Real>
LACUNA_INLINE void signals_of_tiles(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                                    std::size_t l, const Tile* tile, std::size_t length) {
  using V = Vec<Isa, Real>;
  constexpr std::size_t units = Together * tile_units;
  const Tiles& tiles = pass.network.layer(l).tiles_out;
  const RowsAt<Real> above{unit_row(pass.backward, pass, l + 1, 0), row_stride<Real>};
  std::size_t place[units];
  for (std::size_t j = 0; j < units; ++j) place[j] = unit_of(tile, j) * row_stride<Real>;
  chunks<Isa, Real, tile_chunk<Isa, units>>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        V sum[units][Wide];
        for (std::size_t j = 0; j < units; ++j) {
          for (std::size_t k = 0; k < Wide; ++k) sum[j][k] = V{};
        }
        add_tiles<Isa, Together>(pass, tiles, tile, above, i, sum);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < units; ++j) {
          for (std::size_t k = 0; k < Wide; ++k) {
            const std::size_t row = i + k * lanes_of<Isa, Real>;
            put_signals<Isa, Curvature>(rows, place[j] + row, row, sum[j][k]);
          }
        }
      });
}

// Units of the last hidden layer, `Count` at once. Each feeds only the output, so its signal is
// that of the output times one weight, and with `Along` the derivative by this weight is made
// along, while the rows that it needs are here.
template <class Isa, bool Curvature, bool Along, std::size_t Count, class Real>
LACUNA_INLINE void signals_below_output(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                                        const std::uint32_t* units, const std::uint32_t* seed_rows,
                                        std::size_t length) {
  using V = Vec<Isa, Real>;
  const std::size_t output = pass.network.layers();
  const LiveLayer& here = pass.network.layer(output - 1);
  const Real* const back = unit_row(pass.backward, pass, output, 0);
  const Real *const pull = rows.pull, *const activation = rows.activation;
  Real *const backward = rows.backward, *const gradient = rows.gradient;
  Real* const curvature = rows.curvature;
  const Real scale = rows.scale;
  const bool keep = rows.keep;
  std::size_t place[Count], seed_place[Count], slot[Count];
  Real weight[Count];
  V g[Count], h[Count];
  for (std::size_t j = 0; j < Count; ++j) {
    place[j] = units[j] * row_stride<Real>;
    seed_place[j] = seed_rows[j] * row_stride<Real>;
    slot[j] = here.outgoing[here.units[units[j]].first_out].slot;
    weight[j] = pass.theta[slot[j]];
    if constexpr (Along) g[j] = lanes_at<Isa>(pass.gradient_lanes, slot[j]);
    if constexpr (Along && Curvature) h[j] = lanes_at<Isa>(pass.curvature_lanes, slot[j]);
  }
  for (std::size_t i = 0; i < length; i += lanes_of<Isa, Real>) {
    const V b = load<Isa>(back + i), p = load<Isa>(pull + i);
    const V seed = b * p;
    V square_seed{};
    if constexpr (Curvature) square_seed = (scale * b) * b;
    for (std::size_t j = 0; j < Count; ++j) {
      const V a = load<Isa>(activation + place[j] + i);
      if constexpr (Along) g[j] += seed * a;
      if constexpr (Along && Curvature) h[j] += square_seed * (a * a);
      const V on = a > Real(0) ? V{} + weight[j] : V{};
      if (keep) at<Isa>(backward + place[j] + i) = on * b;
      at<Isa>(gradient + seed_place[j] + i) = on * seed;
      if constexpr (Curvature) at<Isa>(curvature + seed_place[j] + i) = (on * on) * square_seed;
    }
  }
  if constexpr (!Along) return;
  for (std::size_t j = 0; j < Count; ++j) {
    lanes_at<Isa>(pass.gradient_lanes, slot[j]) = g[j];
    if constexpr (Curvature) lanes_at<Isa>(pass.curvature_lanes, slot[j]) = h[j];
  }
}

}  // namespace lacuna
