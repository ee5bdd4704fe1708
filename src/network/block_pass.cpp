#include "network/block_pass.hpp"
#include "network/tile_pass.hpp"
#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

// Rows are taken `row_unit` at a time: one vector of floats, two of doubles.
template <class Real>
inline constexpr std::size_t parts = row_unit / lanes_of<Real>;

inline constexpr std::size_t no_coordinate = static_cast<std::size_t>(-1);
LACUNA_INLINE std::size_t coordinate_of(std::uint32_t slot) {
  return slot == no_slot ? no_coordinate : slot;
}

// Four vectors for each unit of a tile: sixteen sums, half of the registers.
template <class Real>
inline constexpr std::size_t tile_chunk = 4 / parts<Real>;

// Calls work(row, count) for chunks of `row_unit * Wide` rows, then for single units of what is
// left, with Wide or 1 as a compile-time number: sums over edges stay in registers for a chunk.
template <std::size_t Wide, class Work>
LACUNA_INLINE void chunks(std::size_t length, Work&& work) {
  std::size_t i = 0;
  for (; i + Wide * row_unit <= length; i += Wide * row_unit) work.template operator()<Wide>(i);
  for (; i < length; i += row_unit) work.template operator()<1>(i);
}

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
  chunks<4>(
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

template <class Real>
LACUNA_INLINE void forward_tile(const BlockPass<Real>& pass, std::size_t l, const Tile& tile,
                                std::size_t begin, std::size_t length) {
  using V = Vec<Real>;
  const LiveLayer& here = pass.network.layer(l);
  const bool hidden = l < pass.network.layers();
  const RowsAt<Real> rows = source_rows(pass, l, begin);
  chunks<tile_chunk<Real>>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        constexpr std::size_t count = Wide * parts<Real>;
        V sum[tile_units][count];
        for (std::size_t j = 0; j < tile_units; ++j) {
          const Real shift = shift_of(pass, here.units[tile.unit[j]]);
          for (std::size_t k = 0; k < count; ++k) sum[j][k] = V{} + shift;
        }
        add_tile(pass, here.tiles_in, tile, rows, i, sum);
        for (std::size_t j = 0; j < tile_units; ++j) {
          Real* z = unit_row(pass.activation, pass, l, tile.unit[j]) + i;
          for (std::size_t k = 0; k < count; ++k) {
            if (hidden) relu<Real>(sum[j][k]);
            at(z + k * lanes_of<Real>) = sum[j][k];
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
    for (const Tile& tile : here.tiles_in.tiles()) forward_tile(pass, l, tile, begin, length);
  }
}

template <class Real>
LACUNA_INLINE void residuals(const BlockPass<Real>& pass, std::size_t begin, std::size_t length) {
  const std::size_t output = pass.network.layers();
  const Real* g = unit_row(pass.activation, pass, output, 0);
  Real* back = unit_row(pass.backward, pass, output, 0);
  const Real* y = pass.samples.template target_as<Real>() + begin;
  const Real* root_weight = pass.samples.template root_weight_as<Real>() + begin;
  const Real clip = pass.clip;
  double total = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    const Real clipped = g[i] < -clip ? -clip : (g[i] > clip ? clip : g[i]);
    pass.residual[i] = root_weight[i] * (clipped - y[i]);
    back[i] =
        clipped == g[i] || has_bug(PlantedBug::gradient_through_clip) ? root_weight[i] : Real(0);
  }
  double sums[8] = {};
  for (std::size_t i = 0; i < length; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      const double r = static_cast<double>(pass.residual[i + k]);
      sums[k] += r * r;
    }
  }
  for (const double sum : sums) total += sum;
  *pass.risk += total;
}

// Where the backward signal of a unit goes, and the seeds of its derivatives.
template <class Real>
struct SignalRows {
  const Real* activation;  // none for the output unit, whose signal is there already
  Real *back, *gradient, *curvature;
  bool keep;  // the signal, for the units below
};

template <class Real>
LACUNA_INLINE void find_rows(const BlockPass<Real>& pass, std::size_t l, std::size_t u,
                             SignalRows<Real>& rows) {
  const bool output = l == pass.network.layers();
  rows = {output ? nullptr : unit_row(pass.activation, pass, l, u),
          unit_row(pass.backward, pass, l, u), unit_row(pass.gradient_seed, pass, l, u),
          pass.request.curvature ? unit_row(pass.curvature_seed, pass, l, u) : nullptr, l > 1};
}

// `sum` over the units that this one feeds counts where the unit is on.
template <class Real>
LACUNA_INLINE void put_signals(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                               std::size_t row, Vec<Real>& sum) {
  using V = Vec<Real>;
  if (rows.activation != nullptr) {
    sum = load(rows.activation + row) > Real(0) ? sum : V{};
    if (rows.keep) at(rows.back + row) = sum;
  }
  const V scaled = pass.scale * sum;
  at(rows.gradient + row) = scaled * load(pass.residual + row);
  if (rows.curvature != nullptr) at(rows.curvature + row) = scaled * sum;
}

template <class Real>
LACUNA_INLINE void signals_of_unit(const BlockPass<Real>& pass, std::size_t l, std::size_t u,
                                   std::size_t length) {
  using V = Vec<Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[u];
  SignalRows<Real> rows;
  find_rows(pass, l, u, rows);
  chunks<4>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        constexpr std::size_t count = Wide * parts<Real>;
        V sum[count];
        for (std::size_t k = 0; k < count; ++k)
          sum[k] = rows.activation == nullptr ? load(rows.back + i + k * lanes_of<Real>) : V{};
        for (std::uint32_t e = unit.first_out; e < unit.last_out; ++e) {
          const Link edge = here.outgoing[e];
          const Real weight = pass.theta[edge.slot];
          const Real* from = unit_row(pass.backward, pass, l + 1, edge.neighbour) + i;
          for (std::size_t k = 0; k < count; ++k)
            sum[k] += weight * load(from + k * lanes_of<Real>);
        }
        for (std::size_t k = 0; k < count; ++k)
          put_signals(pass, rows, i + k * lanes_of<Real>, sum[k]);
      });
}

template <class Real>
LACUNA_INLINE void signals_of_tile(const BlockPass<Real>& pass, std::size_t l, const Tile& tile,
                                   std::size_t length) {
  using V = Vec<Real>;
  const Tiles& tiles = pass.network.layer(l).tiles_out;
  const RowsAt<Real> above{unit_row(pass.backward, pass, l + 1, 0), block_rows<Real>};
  SignalRows<Real> rows[tile_units];
  for (std::size_t j = 0; j < tile_units; ++j) find_rows(pass, l, tile.unit[j], rows[j]);
  chunks<tile_chunk<Real>>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        constexpr std::size_t count = Wide * parts<Real>;
        V sum[tile_units][count] = {};
        add_tile(pass, tiles, tile, above, i, sum);
        for (std::size_t j = 0; j < tile_units; ++j) {
          for (std::size_t k = 0; k < count; ++k)
            put_signals(pass, rows[j], i + k * lanes_of<Real>, sum[j][k]);
        }
      });
}

// Of those whose derivatives are asked for.
template <class Real>
LACUNA_INLINE std::size_t lowest_layer(const BlockPass<Real>& pass) {
  return pass.request.layer > 0 ? pass.request.layer : 1;
}

template <class Real>
LACUNA_INLINE Vec<Real>& lanes_at(Real* lanes, std::size_t coordinate) {
  return at(lanes + coordinate * lanes_of<Real>);
}

// Weights into one unit, and its shift: adds seed * source to the lanes of each weight, and square
// seed * source^2 to those of its curvature, for Count sources at once, so that each loaded seed
// serves several products; a shift is a weight whose source is one.
template <std::size_t Count, bool Shift, bool Curvature, class Real>
LACUNA_INLINE void add_weights(const BlockPass<Real>& pass, std::size_t layer,
                               std::size_t destination, const std::uint32_t* sources,
                               const std::size_t* coordinates, std::size_t begin,
                               std::size_t length) {
  using V = Vec<Real>;
  constexpr std::size_t all = Count + Shift;
  const Real* seed = unit_row(pass.gradient_seed, pass, layer, destination);
  const Real* square_seed =
      Curvature ? unit_row(pass.curvature_seed, pass, layer, destination) : nullptr;
  const Real* source[Count + 1];
  V g[all], h[all];
  for (std::size_t s = 0; s < Count; ++s) source[s] = source_row(pass, layer, sources[s], begin);
  for (std::size_t s = 0; s < all; ++s) {
    g[s] = lanes_at(pass.gradient_lanes, coordinates[s]);
    if constexpr (Curvature) h[s] = lanes_at(pass.curvature_lanes, coordinates[s]);
  }
  for (std::size_t i = 0; i < length; i += lanes_of<Real>) {
    const V a = load(seed + i);
    V b{};
    if constexpr (Curvature) b = load(square_seed + i);
    for (std::size_t s = 0; s < Count; ++s) {
      const V x = load(source[s] + i);
      g[s] += a * x;
      if constexpr (Curvature) h[s] += b * (x * x);
    }
    if constexpr (Shift) {
      g[Count] += a;
      if constexpr (Curvature) h[Count] += b;
    }
  }
  for (std::size_t s = 0; s < all; ++s) {
    lanes_at(pass.gradient_lanes, coordinates[s]) = g[s];
    if constexpr (Curvature) lanes_at(pass.curvature_lanes, coordinates[s]) = h[s];
  }
}

// A run of weights into one unit, four at a time, the shift with the last ones.
template <bool Curvature, class Real, class Source, class Coordinate>
LACUNA_INLINE void add_run(const BlockPass<Real>& pass, std::size_t layer, std::size_t destination,
                           std::size_t count, Source&& source_of, Coordinate&& coordinate_of,
                           std::size_t shift, std::size_t begin, std::size_t length) {
  std::uint32_t sources[4];
  std::size_t coordinates[5];
  std::size_t k = 0;
  const auto take = [&](std::size_t here) {
    for (std::size_t j = 0; j < here; ++j) {
      sources[j] = source_of(k + j);
      coordinates[j] = coordinate_of(k + j);
    }
    coordinates[here] = shift;
  };
  const auto add = [&]<std::size_t Count, bool Shift>() __attribute__((always_inline)) {
    add_weights<Count, Shift, Curvature>(pass, layer, destination, sources, coordinates, begin,
                                         length);
  };
  for (; count - k >= 4; k += 4) {
    take(4);
    add.template operator()<4, false>();
  }
  take(count - k);
  if (shift == no_coordinate) {
    if (count - k == 1) add.template operator()<1, false>();
    if (count - k == 2) add.template operator()<2, false>();
    if (count - k == 3) add.template operator()<3, false>();
  } else {
    if (count - k == 0) add.template operator()<0, true>();
    if (count - k == 1) add.template operator()<1, true>();
    if (count - k == 2) add.template operator()<2, true>();
    if (count - k == 3) add.template operator()<3, true>();
  }
}

template <bool Curvature, class Real>
LACUNA_INLINE void add_derivatives(const BlockPass<Real>& pass, std::size_t begin,
                                   std::size_t length) {
  const std::size_t highest = pass.request.layer > 0 ? pass.request.layer : pass.network.layers();
  std::size_t candidate = pass.network.active_count();
  for (std::size_t l = lowest_layer(pass); l <= highest; ++l) {
    const LiveLayer& here = pass.network.layer(l);
    for (std::size_t d = 0; d < here.units.size(); ++d) {
      const LiveUnit& unit = here.units[d];
      if (!unit.live || here.tiles_in.has(d)) continue;
      const Link* edges = here.edges.data() + unit.first_edge;
      add_run<Curvature>(
          pass, l, d, unit.last_edge - unit.first_edge,
          [&](std::size_t k) { return edges[k].neighbour; },
          [&](std::size_t k) { return std::size_t{edges[k].slot}; }, coordinate_of(unit.shift_slot),
          begin, length);
    }
    for (const Tile& tile : here.tiles_in.tiles())
      tile_derivatives<Curvature>(pass, l, here.tiles_in, tile, begin, length);
    if (!pass.request.inactive) continue;
    // Candidates come unit by unit, the shift of a unit last.
    const std::vector<Candidate>& listed = here.candidates;
    for (std::size_t first = 0; first < listed.size();) {
      const std::uint32_t d = listed[first].destination;
      std::size_t last = first;
      while (last < listed.size() && listed[last].destination == d &&
             listed[last].source != no_slot)
        ++last;
      const bool shift = last < listed.size() && listed[last].destination == d;
      add_run<Curvature>(
          pass, l, d, last - first, [&](std::size_t k) { return listed[first + k].source; },
          [&](std::size_t k) { return candidate + first + k; },
          shift ? candidate + last : no_coordinate, begin, length);
      first = last + shift;
    }
    candidate += listed.size();
  }
}

template <class Real>
LACUNA_INLINE void backward(const BlockPass<Real>& pass, std::size_t begin, std::size_t length) {
  residuals(pass, begin, length);
  if (!pass.request.gradient) return;
  for (std::size_t l = pass.network.layers(); l >= lowest_layer(pass); --l) {
    const LiveLayer& here = pass.network.layer(l);
    for (std::size_t u = 0; u < here.units.size(); ++u) {
      if (here.units[u].live && !here.tiles_out.has(u)) signals_of_unit(pass, l, u, length);
    }
    for (const Tile& tile : here.tiles_out.tiles()) signals_of_tile(pass, l, tile, length);
  }
  pass.request.curvature ? add_derivatives<true>(pass, begin, length)
                         : add_derivatives<false>(pass, begin, length);
}

template <class Real>
LACUNA_INLINE void fold(const Real* lanes, std::size_t count, double* sums) {
  constexpr std::size_t together = lanes_of<Real>;
  for (std::size_t first = 0; first < count; first += together) {
    const std::size_t here = count - first < together ? count - first : together;
    Vec<Real> group[together], added;
    for (std::size_t k = 0; k < together; ++k) {
      group[k] = k < here ? load(lanes + (first + k) * together) : Vec<Real>{};
    }
    sums_of_lanes(group, added);
    for (std::size_t k = 0; k < here; ++k) sums[first + k] = static_cast<double>(added[k]);
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
LACUNA_DISPATCH
void backward_block(const BlockPass<float>& pass, std::size_t begin, std::size_t length) {
  backward(pass, begin, length);
}
LACUNA_DISPATCH
void backward_block(const BlockPass<double>& pass, std::size_t begin, std::size_t length) {
  backward(pass, begin, length);
}

LACUNA_DISPATCH
void fold_lanes(const float* lanes, std::size_t count, double* sums) { fold(lanes, count, sums); }
LACUNA_DISPATCH
void fold_lanes(const double* lanes, std::size_t count, double* sums) { fold(lanes, count, sums); }

}  // namespace lacuna
