// Forward through the live network, one block of rows at a time.
#include "network/block_pass.hpp"
#include "network/tile_pass.hpp"

namespace lacuna {
namespace {

// Written so that a NaN stays a NaN: the step that made it is then rejected and counted.
template <class Isa, class Real>
LACUNA_INLINE void relu(Vec<Isa, Real>& z) {
  z = z < 0 ? Vec<Isa, Real>{} : z;
}

template <class Real>
LACUNA_INLINE Real shift_of(const BlockPass<Real>& pass, const LiveUnit& unit) {
  return unit.shift_slot == no_slot ? Real(0) : pass.theta[unit.shift_slot];
}

// What a unit of the last hidden layer adds to the output, on top of what is there.
template <class Real>
struct ToOutput {
  Real* row = nullptr;  // null: the unit is below that layer, or leads nowhere
  Real weight = 0;
};

template <class Real>
LACUNA_INLINE ToOutput<Real> to_output(const BlockPass<Real>& pass, std::size_t l,
                                       const LiveUnit& unit) {
  if (l + 1 != pass.network.layers() || !unit.live) return {};
  return {unit_row(pass.activation, pass, l + 1, 0),
          pass.theta[pass.network.layer(l).outgoing[unit.first_out].slot]};
}

template <class Isa, class Real>
LACUNA_INLINE void forward_unit(const BlockPass<Real>& pass, std::size_t l, std::size_t d,
                                std::size_t begin, std::size_t length) {
  using V = Vec<Isa, Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[d];
  const ToOutput<Real> output = to_output(pass, l, unit);
  Real* z = unit_row(pass.activation, pass, l, d);
  const Real shift = shift_of(pass, unit);
  chunks<Isa, Real, unit_chunk>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        V sum[Wide];
        for (std::size_t k = 0; k < Wide; ++k) sum[k] = V{} + shift;
        for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e) {
          const Link edge = here.edges[e];
          const Real weight = pass.theta[edge.slot];
          const Real* source = source_row(pass, l, edge.neighbour, begin) + i;
          for (std::size_t k = 0; k < Wide; ++k)
            sum[k] += weight * load<Isa>(source + k * lanes_of<Isa, Real>);
        }
        for (std::size_t k = 0; k < Wide; ++k) {
          relu<Isa, Real>(sum[k]);
          at<Isa>(z + i + k * lanes_of<Isa, Real>) = sum[k];
        }
        if (output.row == nullptr) return;
        for (std::size_t k = 0; k < Wide; ++k)
          at<Isa>(output.row + i + k * lanes_of<Isa, Real>) += output.weight * sum[k];
      });
}

// Of `Together` tiles that share their sources.
template <class Isa, std::size_t Together, class Real>
LACUNA_INLINE void forward_tiles(const BlockPass<Real>& pass, std::size_t l, const Tile* tile,
                                 std::size_t begin, std::size_t length) {
  using V = Vec<Isa, Real>;
  constexpr std::size_t units = Together * tile_units;
  const LiveLayer& here = pass.network.layer(l);
  const RowsAt<Real> rows = source_rows(pass, l, begin);
  ToOutput<Real> output[units];
  Real shift[units];
  Real* z[units];
  for (std::size_t j = 0; j < units; ++j) {
    const std::uint32_t d = unit_of(tile, j);
    shift[j] = shift_of(pass, here.units[d]);
    output[j] = to_output(pass, l, here.units[d]);
    z[j] = unit_row(pass.activation, pass, l, d);
  }
  chunks<Isa, Real, tile_chunk<Isa, units>>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        V sum[units][Wide];
        for (std::size_t j = 0; j < units; ++j) {
          for (std::size_t k = 0; k < Wide; ++k) sum[j][k] = V{} + shift[j];
        }
        add_tiles<Isa, Together>(pass, here.tiles_in, tile, rows, i, sum);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < units; ++j) {
          for (std::size_t k = 0; k < Wide; ++k) {
            relu<Isa, Real>(sum[j][k]);
            at<Isa>(z[j] + i + k * lanes_of<Isa, Real>) = sum[j][k];
          }
        }
        if (output[0].row == nullptr) return;
        for (std::size_t k = 0; k < Wide; ++k) {
          V& g = at<Isa>(output[0].row + i + k * lanes_of<Isa, Real>);
          V added = g;
#pragma GCC unroll 8
          for (std::size_t j = 0; j < units; ++j) added += output[j].weight * sum[j][k];
          g = added;
        }
      });
}

// The output where the rows of the last hidden layer are given: the same additions in the same
// order as where that layer makes them.
template <class Isa, class Real>
LACUNA_INLINE void forward_output(const BlockPass<Real>& pass, std::size_t begin,
                                  std::size_t length) {
  using V = Vec<Isa, Real>;
  const std::size_t output = pass.network.layers();
  const LiveLayer& before = pass.network.layer(output - 1);
  Real* g = unit_row(pass.activation, pass, output, 0);
  chunks<Isa, Real, unit_chunk>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        V sum[Wide];
        for (std::size_t k = 0; k < Wide; ++k) sum[k] = load<Isa>(g + i + k * lanes_of<Isa, Real>);
        const auto add = [&](std::size_t d) __attribute__((always_inline)) {
          const Real weight = pass.theta[before.outgoing[before.units[d].first_out].slot];
          const Real* source = source_row(pass, output, d, begin) + i;
          for (std::size_t k = 0; k < Wide; ++k)
            sum[k] += weight * load<Isa>(source + k * lanes_of<Isa, Real>);
        };
        for (std::size_t d = 0; d < before.units.size(); ++d)
          if (before.units[d].live && !before.tiles_in.has(d)) add(d);
        for (const Tile& tile : before.tiles_in.tiles())
          for (const std::uint32_t d : tile.unit) add(d);
        for (std::size_t k = 0; k < Wide; ++k) at<Isa>(g + i + k * lanes_of<Isa, Real>) = sum[k];
      });
}

template <class Isa, class Real>
LACUNA_INLINE void forward(const BlockPass<Real>& pass, std::size_t begin, std::size_t length) {
  const std::size_t output = pass.network.layers();
  Real* g = unit_row(pass.activation, pass, output, 0);
  const Real shift = shift_of(pass, pass.network.layer(output).units.front());
  for (std::size_t i = 0; i < length; ++i) g[i] = shift;
  if (pass.first_layer == output) return forward_output<Isa>(pass, begin, length);
  for (std::size_t l = pass.first_layer; l < output; ++l) {
    const LiveLayer& here = pass.network.layer(l);
    for (std::size_t d = 0; d < here.units.size(); ++d) {
      if (here.tiles_in.has(d) || (!here.units[d].live && !pass.request.inactive)) continue;
      forward_unit<Isa>(pass, l, d, begin, length);
    }
    each_tile<Isa>(
        here.tiles_in, [&]<std::size_t Together>(const Tile* tile) __attribute__((always_inline)) {
          forward_tiles<Isa, Together>(pass, l, tile, begin, length);
        });
  }
}

}  // namespace

LACUNA_KERNEL(void, forward_block,
              (const BlockPass<float>& pass, std::size_t begin, std::size_t length),
              (pass, begin, length), forward<Isa>(pass, begin, length))
LACUNA_KERNEL(void, forward_block,
              (const BlockPass<double>& pass, std::size_t begin, std::size_t length),
              (pass, begin, length), forward<Isa>(pass, begin, length))

}  // namespace lacuna
