#include "network/block_pass.hpp"
#include "network/tile_pass.hpp"

namespace lacuna {
namespace {

// Written so that a NaN stays a NaN: the step that made it is then rejected and counted.
template <class Real>
LACUNA_INLINE void relu(Vec<Real>& z) {
  z = z < 0 ? Vec<Real>{} : z;
}

template <class Real>
LACUNA_INLINE Real shift_of(const BlockPass<Real>& pass, const LiveUnit& unit) {
  return unit.shift_slot == no_slot ? Real(0) : pass.theta[unit.shift_slot];
}

template <class Real>
LACUNA_INLINE void forward_unit(const BlockPass<Real>& pass, std::size_t l, std::size_t d,
                                std::size_t begin, std::size_t length) {
  using V = Vec<Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[d];
  const bool hidden = l < pass.network.layers();
  Real* z = unit_row(pass.activation, pass, l, d);
  const Real shift = shift_of(pass, unit);
  chunks<unit_chunk<Real>>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        constexpr std::size_t count = Wide * parts<Real>;
        V sum[count];
        for (std::size_t k = 0; k < count; ++k) sum[k] = V{} + shift;
        for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e) {
          const Link edge = here.edges[e];
          const Real weight = pass.theta[edge.slot];
          const Real* source = source_row(pass, l, edge.neighbour, begin) + i;
          for (std::size_t k = 0; k < count; ++k)
            sum[k] += weight * load(source + k * lanes_of<Real>);
        }
        for (std::size_t k = 0; k < count; ++k) {
          if (hidden) relu<Real>(sum[k]);
          at(z + i + k * lanes_of<Real>) = sum[k];
        }
      });
}

// Of `Together` tiles that share their sources.
template <std::size_t Together, class Real>
LACUNA_INLINE void forward_tiles(const BlockPass<Real>& pass, std::size_t l, const Tile* tile,
                                 std::size_t begin, std::size_t length) {
  using V = Vec<Real>;
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
  chunks<tile_chunk<Together, Real>>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        constexpr std::size_t count = Wide * parts<Real>;
        V sum[units][count];
        for (std::size_t j = 0; j < units; ++j) {
          for (std::size_t k = 0; k < count; ++k) sum[j][k] = V{} + shift[j];
        }
        add_tiles<Together>(pass, here.tiles_in, tile, rows, i, sum);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < units; ++j) {
          for (std::size_t k = 0; k < count; ++k) {
            if (hidden) relu<Real>(sum[j][k]);
            at(z[j] + i + k * lanes_of<Real>) = sum[j][k];
          }
        }
      });
}

template <class Real>
LACUNA_INLINE void forward(const BlockPass<Real>& pass, std::size_t begin, std::size_t length) {
  for (std::size_t l = pass.first_layer; l <= pass.network.layers(); ++l) {
    const LiveLayer& here = pass.network.layer(l);
    for (std::size_t d = 0; d < here.units.size(); ++d) {
      if (here.tiles_in.has(d) || (!here.units[d].live && !pass.request.inactive)) continue;
      forward_unit(pass, l, d, begin, length);
    }
    each_tile(
        here.tiles_in, [&]<std::size_t Together>(const Tile* tile) __attribute__((always_inline)) {
          forward_tiles<Together>(pass, l, tile, begin, length);
        });
  }
}

}  // namespace

LACUNA_DISPATCH
void forward_block(const BlockPass<float>& pass, std::size_t begin, std::size_t length) {
  forward(pass, begin, length);
}
LACUNA_DISPATCH
void forward_block(const BlockPass<double>& pass, std::size_t begin, std::size_t length) {
  forward(pass, begin, length);
}

}  // namespace lacuna
