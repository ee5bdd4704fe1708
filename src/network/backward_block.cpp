// Back through the live network, one block of rows at a time: signals, and derivatives in lanes.
#include "network/block_pass.hpp"
#include "network/last_hidden.hpp"
#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

inline constexpr std::size_t no_lane = static_cast<std::size_t>(-1);
template <class Real>
LACUNA_INLINE std::size_t lane_of_shift(const BlockPass<Real>& pass, const LiveUnit& unit) {
  return unit.shift_slot == no_slot ? no_lane : pass.network.lane(unit.shift_slot);
}

template <class Real>
LACUNA_INLINE void residuals(const BlockPass<Real>& pass, std::size_t begin, std::size_t length) {
  const Real* g = unit_row(pass.activation, pass, pass.network.layers(), 0);
  const Real* y = pass.samples.template target_as<Real>() + begin;
  const Real* root_weight = pass.samples.template root_weight_as<Real>() + begin;
  const Real clip = pass.clip, scale = pass.scale;
  Real *const pull = pass.pull, *const counts = pass.square_pull;
  double total = 0.0;
  for (std::size_t i = 0; i < length; ++i) {
    const Real clipped = g[i] < -clip ? -clip : (g[i] > clip ? clip : g[i]);
    pull[i] = root_weight[i] * (clipped - y[i]);
    counts[i] =
        clipped == g[i] || has_bug(PlantedBug::gradient_through_clip) ? root_weight[i] : Real(0);
  }
  double sums[8] = {};
  for (std::size_t i = 0; i < length; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      const double r = static_cast<double>(pull[i + k]);
      sums[k] += r * r;
    }
  }
  for (const double sum : sums) total += sum;
  *pass.risk += total;
  if (!pass.request.gradient) return;
  for (std::size_t i = 0; i < length; ++i) {
    pull[i] = (scale * pull[i]) * counts[i];
    counts[i] = (scale * counts[i]) * counts[i];
  }
}

// Weights into one unit, and its shift: adds seed * source to the lanes of each weight, and square
// seed * source^2 to those of its curvature, for Count sources at once, so that each loaded seed
// serves several products; a shift is a weight whose source is one.
template <class Isa, std::size_t Count, bool Shift, bool Curvature, class Real>
LACUNA_INLINE void add_weights(const BlockPass<Real>& pass, std::size_t layer, std::size_t seed_row,
                               const std::uint32_t* sources, const std::size_t* lanes,
                               std::size_t begin, std::size_t length) {
  using V = Vec<Isa, Real>;
  constexpr std::size_t all = Count + Shift;
  const Real* seed = pass.gradient_seed + seed_row * row_stride<Real>;
  const Real* square_seed = Curvature ? pass.curvature_seed + seed_row * row_stride<Real> : nullptr;
  const Real* source[Count + 1];
  V g[all], h[all];
  for (std::size_t s = 0; s < Count; ++s) source[s] = source_row(pass, layer, sources[s], begin);
  for (std::size_t s = 0; s < all; ++s) {
    g[s] = lanes_at<Isa>(pass.gradient_lanes, lanes[s]);
    if constexpr (Curvature) h[s] = lanes_at<Isa>(pass.curvature_lanes, lanes[s]);
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
    lanes_at<Isa>(pass.gradient_lanes, lanes[s]) = g[s];
    if constexpr (Curvature) lanes_at<Isa>(pass.curvature_lanes, lanes[s]) = h[s];
  }
}

// A run of weights into one unit, four at a time, the shift with the last ones.
template <class Isa, bool Curvature, class Real, class Source, class Lane>
LACUNA_INLINE void add_run(const BlockPass<Real>& pass, std::size_t layer, std::size_t seed_row,
                           std::size_t count, Source&& source_of, Lane&& lane_of, std::size_t shift,
                           std::size_t begin, std::size_t length) {
  std::uint32_t sources[4];
  std::size_t lanes[5];
  std::size_t k = 0;
  const auto add = [&]<std::size_t Count, bool Shift>() __attribute__((always_inline)) {
    for (std::size_t j = 0; j < Count; ++j) {
      sources[j] = source_of(k + j);
      lanes[j] = lane_of(k + j);
    }
    lanes[Count] = shift;
    add_weights<Isa, Count, Shift, Curvature>(pass, layer, seed_row, sources, lanes, begin, length);
    k += Count;
  };
  while (count - k >= 4) add.template operator()<4, false>();
  const std::size_t left = count - k;
  if (shift == no_lane) {
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

// Derivatives on the active weights into one unit, and its shift.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void unit_derivatives(const BlockPass<Real>& pass, std::size_t l, std::size_t d,
                                    std::size_t seed_row, std::size_t begin, std::size_t length) {
  const LiveLayer& here = pass.network.layer(l);
  const LiveUnit& unit = here.units[d];
  const Link* edges = here.edges.data() + unit.first_edge;
  add_run<Isa, Curvature>(
      pass, l, seed_row, unit.last_edge - unit.first_edge,
      [&](std::size_t k) { return edges[k].neighbour; },
      [&](std::size_t k) { return pass.network.lane(edges[k].slot); }, lane_of_shift(pass, unit),
      begin, length);
}

// Derivatives on inactive weights into layer `l`, which are at `candidate` and after.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void candidate_derivatives(const BlockPass<Real>& pass, std::size_t l,
                                         std::size_t candidate, std::size_t begin,
                                         std::size_t length) {
  // Candidates come unit by unit, the shift of a unit last.
  const std::vector<Candidate>& listed = pass.network.layer(l).candidates;
  const Tiles& seeds = pass.network.layer(l).tiles_in;
  for (std::size_t first = 0; first < listed.size();) {
    const std::uint32_t d = listed[first].destination;
    std::size_t last = first;
    while (last < listed.size() && listed[last].destination == d && listed[last].source != no_slot)
      ++last;
    const bool shift = last < listed.size() && listed[last].destination == d;
    add_run<Isa, Curvature>(
        pass, l, seeds.place(d), last - first,
        [&](std::size_t k) { return listed[first + k].source; },
        [&](std::size_t k) { return candidate + first + k; }, shift ? candidate + last : no_lane,
        begin, length);
    first = last + shift;
  }
}

// The output unit. Derivatives by its weights come with the gates of the layer below, unless that
// is not asked for.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void backward_output(const BlockPass<Real>& pass, std::size_t begin,
                                   std::size_t length) {
  const std::size_t output = pass.network.layers();
  for (std::size_t i = 0; i < length; i += lanes_of<Isa, Real>) {
    at<Isa>(pass.gradient_seed + i) = load<Isa>(pass.pull + i);
    if constexpr (Curvature) at<Isa>(pass.curvature_seed + i) = load<Isa>(pass.square_pull + i);
  }
  if (pass.request.layer == output)
    return unit_derivatives<Isa, Curvature>(pass, output, 0, 0, begin, length);
  const std::size_t shift = lane_of_shift(pass, pass.network.layer(output).units.front());
  if (shift == no_lane) return;
  add_weights<Isa, 0, true, Curvature>(pass, output, 0, nullptr, &shift, begin, length);
}

// The last hidden layer: gates, then derivatives. Each step stands here once: loops are long, and
// written out for every instruction set.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void backward_last_hidden(const BlockPass<Real>& pass, std::size_t begin,
                                        std::size_t length) {
  const std::size_t l = pass.network.layers() - 1, only = pass.request.layer;
  const LiveLayer& here = pass.network.layer(l);
  const SignalRows<Real> rows = signal_rows(pass, l);
  const auto gates = [&]<std::size_t Count, bool Seeds>(
      const std::uint32_t* units, std::size_t seed) __attribute__((always_inline)) {
    only == 0
        ? gates_of_units<Isa, Curvature, true, Seeds, Count>(pass, rows, units, seed, length)
        : gates_of_units<Isa, Curvature, false, Seeds, Count>(pass, rows, units, seed, length);
  };
  const bool derivatives = only == 0 || only == l;
  // The last tiles first: what the way forward wrote last is still in the cache. Inactive weights
  // into their units need seeds.
  for (std::size_t t = here.tiles_in.tiles().size(); t-- > 0;) {
    const Tile& tile = here.tiles_in.tiles()[t];
    pass.request.inactive ? gates.template operator()<tile_units, true>(tile.unit, t * tile_units)
                          : gates.template operator()<tile_units, false>(tile.unit, 0);
  }
  if (derivatives) gated_derivatives<Isa, Curvature>(pass, l, begin, length);
  for (std::size_t u = 0; u < here.units.size(); ++u) {
    if (!here.units[u].live || here.tiles_in.has(u)) continue;
    const auto unit = static_cast<std::uint32_t>(u);
    // Seeds are needed later only by inactive weights; else they need not leave the cache.
    const std::size_t seed = pass.request.inactive ? here.tiles_in.place(u) : 0;
    gates.template operator()<1, true>(&unit, seed);
    if (derivatives) unit_derivatives<Isa, Curvature>(pass, l, u, seed, begin, length);
  }
}

// The signals of a hidden layer below the last. `Gated`: the next one is the last.
template <class Isa, bool Curvature, bool Keep, bool Gated, class Real>
LACUNA_INLINE void signals_of_layer(const BlockPass<Real>& pass, std::size_t l,
                                    std::size_t length) {
  const LiveLayer& here = pass.network.layer(l);
  const SignalRows<Real> rows = signal_rows(pass, l);
  for (std::size_t u = 0; u < here.units.size(); ++u) {
    if (here.units[u].live && !here.tiles_out.has(u))
      signals_of_unit<Isa, Curvature, Keep, Gated>(pass, rows, l, u, length);
  }
  for (const Tile& tile : here.tiles_out.tiles())
    signals_of_tile<Isa, Curvature, Keep, Gated>(pass, rows, l, tile, length);
}

// A hidden layer below the last: all signals, then derivatives.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void backward_hidden(const BlockPass<Real>& pass, std::size_t l, std::size_t begin,
                                   std::size_t length) {
  const LiveLayer& here = pass.network.layer(l);
  const auto signals = [&]<bool Keep>() __attribute__((always_inline)) {
    l + 2 == pass.network.layers() ? signals_of_layer<Isa, Curvature, Keep, true>(pass, l, length)
                                   : signals_of_layer<Isa, Curvature, Keep, false>(pass, l, length);
  };
  needed_below(pass, l) ? signals.template operator()<true>()
                        : signals.template operator()<false>();
  if (pass.request.layer != 0 && pass.request.layer != l) return;
  for (std::size_t d = 0; d < here.units.size(); ++d) {
    if (here.units[d].live && !here.tiles_in.has(d))
      unit_derivatives<Isa, Curvature>(pass, l, d, here.tiles_in.place(d), begin, length);
  }
  std::size_t first = 0;
  for (const Tile& tile : here.tiles_in.tiles()) {
    tile_derivatives<Isa, Curvature>(pass, l, tile, first, begin, length);
    first += tile_units;
  }
}

// Layer by layer, so that what one of them leaves in the cache is used at once.
template <class Isa, bool Curvature, class Real>
LACUNA_INLINE void backward_layers(const BlockPass<Real>& pass, std::size_t begin,
                                   std::size_t length) {
  const std::size_t only = pass.request.layer, output = pass.network.layers();
  std::size_t candidate =
      pass.network.lane_count() + (pass.request.inactive ? pass.network.candidate_count() : 0);
  for (std::size_t l = output; l >= (only > 0 ? only : 1); --l) {
    if (l == output) {
      if (only == 0 || only == output) backward_output<Isa, Curvature>(pass, begin, length);
    } else if (l + 1 == output) {
      backward_last_hidden<Isa, Curvature>(pass, begin, length);
    } else {
      backward_hidden<Isa, Curvature>(pass, l, begin, length);
    }
    if (!pass.request.inactive) continue;
    candidate -= pass.network.layer(l).candidates.size();
    candidate_derivatives<Isa, Curvature>(pass, l, candidate, begin, length);
  }
}

template <class Isa, class Real>
LACUNA_INLINE void backward(const BlockPass<Real>& pass, std::size_t begin, std::size_t length) {
  residuals(pass, begin, length);
  if (!pass.request.gradient) return;
  pass.request.curvature ? backward_layers<Isa, true>(pass, begin, length)
                         : backward_layers<Isa, false>(pass, begin, length);
}

}  // namespace

LACUNA_KERNEL(void, backward_block,
              (const BlockPass<float>& pass, std::size_t begin, std::size_t length),
              (pass, begin, length), backward<Isa>(pass, begin, length))
LACUNA_KERNEL(void, backward_block,
              (const BlockPass<double>& pass, std::size_t begin, std::size_t length),
              (pass, begin, length), backward<Isa>(pass, begin, length))

}  // namespace lacuna
