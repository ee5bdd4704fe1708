// Forward through the live network, one block of rows at a time.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "network/block_pass.hpp"
#include "network/tile_pass.hpp"

namespace lacuna {
namespace {

// A NaN stays a NaN: the step that made it is then rejected and counted.
template <class Isa, class Real>
LACUNA_INLINE void relu(Vec<Isa, Real>& z) {
  z = z < 0 ? Vec<Isa, Real>{} : z;
}
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// The same, of which g++ makes a comparison and a choice with AVX-512: of zero and a NaN the
// instruction takes its second operand.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // part of a kernel, so nothing is handed over
template <>
LACUNA_INLINE void relu<Avx512, float>(Vec<Avx512, float>& z) {
  z = __builtin_ia32_maxps512_mask(Vec<Avx512, float>{}, z, z, static_cast<unsigned short>(-1), 4);
}
template <>
LACUNA_INLINE void relu<Avx512, double>(Vec<Avx512, double>& z) {
  z = __builtin_ia32_maxpd512_mask(Vec<Avx512, double>{}, z, z, static_cast<unsigned char>(-1), 4);
}
#pragma GCC diagnostic pop
#endif

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
LACUNA_INLINE ToOutput<Real> to_output(const BlockPass<Real>& pass, std::size_t l, std::size_t d) {
  const LiveLayer& here = pass.network.layer(l);
  if (l + 1 != pass.network.layers() || !here.units[d].live) return {};
  return {unit_row(pass.activation, pass, l + 1, 0), pass.theta[here.output_slot(d)]};
}

template <class Isa, class Real>
LACUNA_INLINE void forward_unit(const BlockPass<Real>& pass, std::size_t l, std::size_t d,
                                std::size_t begin, std::size_t length) {
  using V = Vec<Isa, Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[d];
  const ToOutput<Real> output = to_output(pass, l, d);
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

// The units of a tile; with `Last` they also add to the output.
template <class Real, bool Last>
struct ForwardTile {
  TileRows<Real> tile;
  Real* z[tile_units];
  Real* output;
  std::size_t length;

  template <class Isa>
  LACUNA_INLINE void run() const {
    using V = Vec<Isa, Real>;
    constexpr std::size_t lanes = lanes_of<Isa, Real>;
    const TileRows<Real> own = tile.alone_each();
    const Real *const shift = own.shifts(), *const weight = own.output_weights();
    Real* to[tile_units];
    unrolled<tile_units>([&]<std::size_t j>()
                             __attribute__((always_inline)) { to[j] = alone(z[j]); });
    Real* const sum_to = alone(output);
    const auto chunk = [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
      V sum[tile_units][Wide], g[Wide];
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        unrolled<Wide>([&]<std::size_t k>()
                           __attribute__((always_inline)) { sum[j][k] = V{} + shift[j]; });
      });
      add_tile<Isa>(own, i, sum);
      if constexpr (Last) {
        unrolled<Wide>([&]<std::size_t k>() __attribute__((always_inline)) {
          g[k] = load<Isa>(sum_to + i + k * lanes);
        });
      }
      unrolled<tile_units>([&]<std::size_t j>() __attribute__((always_inline)) {
        unrolled<Wide>([&]<std::size_t k>() __attribute__((always_inline)) {
          relu<Isa, Real>(sum[j][k]);
          at<Isa>(to[j] + i + k * lanes) = sum[j][k];
          if constexpr (Last) g[k] += weight[j] * sum[j][k];
        });
      });
      if constexpr (Last) {
        unrolled<Wide>([&]<std::size_t k>() __attribute__((always_inline)) {
          at<Isa>(sum_to + i + k * lanes) = g[k];
        });
      }
    };
    chunks<Isa, Real, tile_chunk<Isa>>(alone(length), chunk);
  }
};

template <class Isa, class Real>
LACUNA_INLINE void forward_tile(const BlockPass<Real>& pass, std::size_t l, const Tile& tile,
                                std::size_t begin, std::size_t length) {
  const Tiles& tiles = pass.network.layer(l).tiles_in;
  const TileRows<Real> rows = tile_rows(pass, tiles, tile, source_rows(pass, l, begin));
  const auto run = [&]<bool Last>() __attribute__((always_inline)) {
    ForwardTile<Real, Last> loop{rows, {}, nullptr, length};
    for (std::size_t j = 0; j < tile_units; ++j)
      loop.z[j] = unit_row(pass.activation, pass, l, tile.unit[j]);
    if constexpr (Last) loop.output = unit_row(pass.activation, pass, l + 1, 0);
    Apart<Isa, ForwardTile<Real, Last>>::run(loop);
  };
  l + 1 == pass.network.layers() ? run.template operator()<true>()
                                 : run.template operator()<false>();
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
          const Real weight = pass.theta[before.output_slot(d)];
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
    for (const Tile& tile : here.tiles_in.tiles()) forward_tile<Isa>(pass, l, tile, begin, length);
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
