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

template <class Isa, class Real>
LACUNA_INLINE void forward_unit(const BlockPass<Real>& pass, std::size_t l, std::size_t d,
                                std::size_t begin, std::size_t length) {
  using V = Vec<Isa, Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[d];
  const bool hidden = l < pass.network.layers();
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
          if (hidden) relu<Isa, Real>(sum[k]);
          at<Isa>(z + i + k * lanes_of<Isa, Real>) = sum[k];
        }
      });
}

// Of `Together` tiles that share their sources.
template <class Isa, std::size_t Together, class Real>
LACUNA_INLINE void forward_tiles(const BlockPass<Real>& pass, std::size_t l, const Tile* tile,
                                 std::size_t begin, std::size_t length) {
  using V = Vec<Isa, Real>;
  constexpr std::size_t units = Together * tile_units;
  const LiveLayer& here = pass.network.layer(l);
  const bool hidden = l < pass.network.layers();
  const RowsAt<Real> rows = source_rows(pass, l, begin);
  Real shift[units];
  Real* z[units];
  for (std::size_t j = 0; j < units; ++j) {
    const std::uint32_t d = unit_of(tile, j);
    shift[j] = shift_of(pass, here.units[d]);
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
            if (hidden) relu<Isa, Real>(sum[j][k]);
            at<Isa>(z[j] + i + k * lanes_of<Isa, Real>) = sum[j][k];
          }
        }
      });
}

template <class Isa, class Real>
LACUNA_INLINE void forward(const BlockPass<Real>& pass, std::size_t begin, std::size_t length) {
  for (std::size_t l = pass.first_layer; l <= pass.network.layers(); ++l) {
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
