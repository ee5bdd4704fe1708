// Back through the live network, one block of rows at a time: signals, and derivatives in lanes.
#include "network/block_pass.hpp"
#include "network/tile_pass.hpp"
#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

inline constexpr std::size_t no_coordinate = static_cast<std::size_t>(-1);
LACUNA_INLINE std::size_t coordinate_of(std::uint32_t slot) {
  return slot == no_slot ? no_coordinate : slot;
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
    pass.pull[i] = root_weight[i] * (clipped - y[i]);
    back[i] =
        clipped == g[i] || has_bug(PlantedBug::gradient_through_clip) ? root_weight[i] : Real(0);
  }
  double sums[8] = {};
  for (std::size_t i = 0; i < length; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      const double r = static_cast<double>(pass.pull[i + k]);
      sums[k] += r * r;
    }
  }
  for (const double sum : sums) total += sum;
  for (std::size_t i = 0; i < length; ++i) pass.pull[i] *= pass.scale;
  *pass.risk += total;
}

// Where the signals of a layer go. Pointers of its own, which no store can change.
template <class Real>
struct SignalRows {
  const Real *activation, *pull;
  Real *backward, *gradient, *curvature;
  bool hidden;  // the signal of the output unit is there already
  bool keep;    // for a layer below
  Real scale;
};

template <class Real>
LACUNA_INLINE SignalRows<Real> signal_rows(const BlockPass<Real>& pass, std::size_t l) {
  const bool hidden = l < pass.network.layers();
  const bool keep = l > 1 && l != pass.request.layer;
  return {unit_row(pass.activation, pass, l, 0),
          pass.pull,
          unit_row(pass.backward, pass, l, 0),
          pass.gradient_seed,
          pass.curvature_seed,
          hidden,
          keep,
          pass.scale};
}

// `sum` over the units that this one feeds counts where the unit is on; `i` is the place of unit
// and row among those of the layer.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void put_signals(const SignalRows<Real>& rows, std::size_t i, std::size_t row,
                               Vec<Isa, Real>& sum) {
  using V = Vec<Isa, Real>;
  if (rows.hidden) {
    sum = load<Isa>(rows.activation + i) > Real(0) ? sum : V{};
    if (rows.keep) at<Isa>(rows.backward + i) = sum;
  }
  at<Isa>(rows.gradient + i) = sum * load<Isa>(rows.pull + row);
  if constexpr (Curvature) at<Isa>(rows.curvature + i) = (rows.scale * sum) * sum;
}

template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void signals_of_unit(const BlockPass<Real>& pass, const SignalRows<Real>& rows,
                                   std::size_t l, std::size_t u, std::size_t length) {
  using V = Vec<Isa, Real>;
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[u];
  const std::size_t place = u * block_rows<Real>;
  chunks<Isa, Real, unit_chunk>(
      length, [&]<std::size_t Wide>(std::size_t i) __attribute__((always_inline)) {
        V sum[Wide];
        for (std::size_t k = 0; k < Wide; ++k)
          sum[k] =
              rows.hidden ? V{} : load<Isa>(rows.backward + place + i + k * lanes_of<Isa, Real>);
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
  const RowsAt<Real> above{unit_row(pass.backward, pass, l + 1, 0), block_rows<Real>};
  std::size_t place[units];
  for (std::size_t j = 0; j < units; ++j) place[j] = unit_of(tile, j) * block_rows<Real>;
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

template <class Isa, class Real>
LACUNA_INLINE Vec<Isa, Real>& lanes_at(Real* lanes, std::size_t coordinate) {
  return at<Isa>(lanes + coordinate * lanes_of<Isa, Real>);
}

// Weights into one unit, and its shift: adds seed * source to the lanes of each weight, and square
// seed * source^2 to those of its curvature, for Count sources at once, so that each loaded seed
// serves several products; a shift is a weight whose source is one.
template <class Isa, std::size_t Count, bool Shift, bool Curvature, class Real>
LACUNA_INLINE void add_weights(const BlockPass<Real>& pass, std::size_t layer,
                               std::size_t destination, const std::uint32_t* sources,
                               const std::size_t* coordinates, std::size_t begin,
                               std::size_t length) {
  using V = Vec<Isa, Real>;
  constexpr std::size_t all = Count + Shift;
  const Real* seed = pass.gradient_seed + destination * block_rows<Real>;
  const Real* square_seed =
      Curvature ? pass.curvature_seed + destination * block_rows<Real> : nullptr;
  const Real* source[Count + 1];
  V g[all], h[all];
  for (std::size_t s = 0; s < Count; ++s) source[s] = source_row(pass, layer, sources[s], begin);
  for (std::size_t s = 0; s < all; ++s) {
    g[s] = lanes_at<Isa>(pass.gradient_lanes, coordinates[s]);
    if constexpr (Curvature) h[s] = lanes_at<Isa>(pass.curvature_lanes, coordinates[s]);
  }
  for (std::size_t i = 0; i < length; i += lanes_of<Isa, Real>) {
    const V a = load<Isa>(seed + i);
    V b{};
    if constexpr (Curvature) b = load<Isa>(square_seed + i);
    for (std::size_t s = 0; s < Count; ++s) {
      const V x = load<Isa>(source[s] + i);
      g[s] += a * x;
      if constexpr (Curvature) h[s] += b * (x * x);
    }
    if constexpr (Shift) {
      g[Count] += a;
      if constexpr (Curvature) h[Count] += b;
    }
  }
  for (std::size_t s = 0; s < all; ++s) {
    lanes_at<Isa>(pass.gradient_lanes, coordinates[s]) = g[s];
    if constexpr (Curvature) lanes_at<Isa>(pass.curvature_lanes, coordinates[s]) = h[s];
  }
}

// A run of weights into one unit, four at a time, the shift with the last ones.
template <class Isa, bool Curvature, class Real, class Source, class Coordinate>
LACUNA_INLINE void add_run(const BlockPass<Real>& pass, std::size_t layer, std::size_t destination,
                           std::size_t count, Source&& source_of, Coordinate&& coordinate_of,
                           std::size_t shift, std::size_t begin, std::size_t length) {
  std::uint32_t sources[4];
  std::size_t coordinates[5];
  std::size_t k = 0;
  const auto add = [&]<std::size_t Count, bool Shift>() __attribute__((always_inline)) {
    for (std::size_t j = 0; j < Count; ++j) {
      sources[j] = source_of(k + j);
      coordinates[j] = coordinate_of(k + j);
    }
    coordinates[Count] = shift;
    add_weights<Isa, Count, Shift, Curvature>(pass, layer, destination, sources, coordinates, begin,
                                              length);
    k += Count;
  };
  while (count - k >= 4) add.template operator()<4, false>();
  const std::size_t left = count - k;
  if (shift == no_coordinate) {
    if (left == 1) add.template operator()<1, false>();
    if (left == 2) add.template operator()<2, false>();
    if (left == 3) add.template operator()<3, false>();
  } else {
    if (left == 0) add.template operator()<0, true>();
    if (left == 1) add.template operator()<1, true>();
    if (left == 2) add.template operator()<2, true>();
    if (left == 3) add.template operator()<3, true>();
  }
}

// Derivatives on the weights into layer `l`; those of its candidates are at `candidate` and after.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void add_derivatives(const BlockPass<Real>& pass, std::size_t l,
                                   std::size_t candidate, std::size_t begin, std::size_t length) {
  const LiveLayer& here = pass.network.layer(l);
  for (std::size_t d = 0; d < here.units.size(); ++d) {
    const LiveUnit& unit = here.units[d];
    if (!unit.live || here.tiles_in.has(d)) continue;
    const Link* edges = here.edges.data() + unit.first_edge;
    add_run<Isa, Curvature>(
        pass, l, d, unit.last_edge - unit.first_edge,
        [&](std::size_t k) { return edges[k].neighbour; },
        [&](std::size_t k) { return std::size_t{edges[k].slot}; }, coordinate_of(unit.shift_slot),
        begin, length);
  }
  for (const Tile& tile : here.tiles_in.tiles())
    tile_derivatives<Isa, Curvature>(pass, l, tile, begin, length);
  if (!pass.request.inactive) return;
  // Candidates come unit by unit, the shift of a unit last.
  const std::vector<Candidate>& listed = here.candidates;
  for (std::size_t first = 0; first < listed.size();) {
    const std::uint32_t d = listed[first].destination;
    std::size_t last = first;
    while (last < listed.size() && listed[last].destination == d && listed[last].source != no_slot)
      ++last;
    const bool shift = last < listed.size() && listed[last].destination == d;
    add_run<Isa, Curvature>(
        pass, l, d, last - first, [&](std::size_t k) { return listed[first + k].source; },
        [&](std::size_t k) { return candidate + first + k; },
        shift ? candidate + last : no_coordinate, begin, length);
    first = last + shift;
  }
}

// Layer by layer, so that what one of them leaves in the cache is used at once.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void backward_layers(const BlockPass<Real>& pass, std::size_t begin,
                                   std::size_t length) {
  const std::size_t only = pass.request.layer;
  std::size_t candidate =
      pass.network.active_count() + (pass.request.inactive ? pass.network.candidate_count() : 0);
  for (std::size_t l = pass.network.layers(); l >= (only > 0 ? only : 1); --l) {
    const LiveLayer& here = pass.network.layer(l);
    const SignalRows<Real> rows = signal_rows(pass, l);
    for (std::size_t u = 0; u < here.units.size(); ++u) {
      if (here.units[u].live && !here.tiles_out.has(u))
        signals_of_unit<Isa, Curvature>(pass, rows, l, u, length);
    }
    each_tile<Isa>(
        here.tiles_out, [&]<std::size_t Together>(const Tile* tile) __attribute__((always_inline)) {
          signals_of_tiles<Isa, Curvature, Together>(pass, rows, l, tile, length);
        });
    if (pass.request.inactive) candidate -= here.candidates.size();
    if (only == 0 || l == only) add_derivatives<Isa, Curvature>(pass, l, candidate, begin, length);
  }
}

template <class Isa, class Real>
LACUNA_INLINE void backward(const BlockPass<Real>& pass, std::size_t begin, std::size_t length) {
  residuals(pass, begin, length);
  if (!pass.request.gradient) return;
  pass.request.curvature ? backward_layers<Isa, true>(pass, begin, length)
                         : backward_layers<Isa, false>(pass, begin, length);
}

template <class Isa, class Real>
LACUNA_INLINE void fold(const Real* lanes, std::size_t count, double* sums) {
  constexpr std::size_t together = lanes_of<Isa, Real>;
  if constexpr (Isa::bytes < Avx512::bytes) {
    for (std::size_t k = 0; k < count; ++k) sums[k] = sum_of_lanes(load<Isa>(lanes + k * together));
  } else {
    for (std::size_t first = 0; first < count; first += together) {
      const std::size_t here = count - first < together ? count - first : together;
      Vec<Isa, Real> group[together], added;
      for (std::size_t k = 0; k < together; ++k) {
        group[k] = k < here ? load<Isa>(lanes + (first + k) * together) : Vec<Isa, Real>{};
      }
      sums_of_lanes(group, added);
      for (std::size_t k = 0; k < here; ++k) sums[first + k] = static_cast<double>(added[k]);
    }
  }
}

}  // namespace

LACUNA_KERNEL(void, backward_block,
              (const BlockPass<float>& pass, std::size_t begin, std::size_t length),
              (pass, begin, length), backward<Isa>(pass, begin, length))
LACUNA_KERNEL(void, backward_block,
              (const BlockPass<double>& pass, std::size_t begin, std::size_t length),
              (pass, begin, length), backward<Isa>(pass, begin, length))

LACUNA_KERNEL(void, fold_lanes, (const float* lanes, std::size_t count, double* sums),
              (lanes, count, sums), fold<Isa>(lanes, count, sums))
LACUNA_KERNEL(void, fold_lanes, (const double* lanes, std::size_t count, double* sums),
              (lanes, count, sums), fold<Isa>(lanes, count, sums))

}  // namespace lacuna
