#include "network/block_pass.hpp"

#include "support/planted_bug.hpp"

// The block functions are compiled once per instruction set and chosen when the program starts.
// Sanitizers cannot run the resolver that early, so they get the plain version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(LACUNA_SANITIZED)
#define LACUNA_DISPATCH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LACUNA_DISPATCH
#endif
#define LACUNA_INLINE inline __attribute__((always_inline))

namespace lacuna {
namespace {

// `lanes` doubles that the compiler keeps in as many registers as the instruction set asks for.
typedef double Vec
    __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)), may_alias));

LACUNA_INLINE const Vec& load(const double* p) { return *reinterpret_cast<const Vec*>(p); }
LACUNA_INLINE Vec& store(double* p) { return *reinterpret_cast<Vec*>(p); }

LACUNA_INLINE void fill(double* row, double value, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) row[i] = value;
}

LACUNA_INLINE void add_scaled(double* row, double weight, const double* source,
                              std::size_t length) {
  for (std::size_t i = 0; i < length; i += lanes) store(row + i) += weight * load(source + i);
}

LACUNA_INLINE void add_sum(double* sums, const double* row, std::size_t length) {
  Vec sum = load(sums);
  for (std::size_t i = 0; i < length; i += lanes) sum += load(row + i);
  store(sums) = sum;
}

LACUNA_INLINE void add_product(double* sums, const double* row, const double* other,
                               std::size_t length) {
  Vec sum = load(sums);
  for (std::size_t i = 0; i < length; i += lanes) sum += load(row + i) * load(other + i);
  store(sums) = sum;
}

LACUNA_INLINE void add_product_of_square(double* sums, const double* row, const double* other,
                                         std::size_t length) {
  Vec sum = load(sums);
  for (std::size_t i = 0; i < length; i += lanes)
    sum += load(row + i) * (load(other + i) * load(other + i));
  store(sums) = sum;
}

LACUNA_INLINE double* unit_row(double* buffer, const BlockPass& pass, std::size_t layer,
                               std::size_t position) {
  return buffer + (pass.first_unit[layer - 1] + position) * block_rows;
}

// The signal that arrives from position `source` of the layer before `layer`.
LACUNA_INLINE const double* source_row(const BlockPass& pass, std::size_t layer, std::size_t source,
                                       std::size_t begin) {
  return layer == 1 ? pass.samples.column(source) + begin
                    : unit_row(pass.activation, pass, layer - 1, source);
}

LACUNA_INLINE void residuals(const BlockPass& pass, std::size_t begin, std::size_t length) {
  const std::size_t output = pass.network.layers();
  const double* g = unit_row(pass.activation, pass, output, 0);
  double* back = unit_row(pass.backward, pass, output, 0);
  const double* y = pass.samples.target() + begin;
  const double* weight = pass.samples.weight() + begin;
  const double clip = pass.clip;
  for (std::size_t i = 0; i < length; ++i) {
    // Written so that a NaN stays a NaN: the step that made it is then rejected and counted.
    const double clipped = g[i] < -clip ? -clip : (g[i] > clip ? clip : g[i]);
    pass.residual[i] = weight[i] * (clipped - y[i]);
    back[i] = clipped == g[i] || has_bug(PlantedBug::gradient_through_clip) ? weight[i] : 0.0;
  }
  add_product(pass.risk_sums, pass.residual, pass.residual, length);
}

LACUNA_INLINE void backward_signals(const BlockPass& pass, std::size_t length) {
  for (std::size_t l = pass.network.layers(); l > 1; --l) {
    const LiveLayer& here = pass.network.layer(l);
    const LiveLayer& before = pass.network.layer(l - 1);
    for (std::size_t u = 0; u < before.units.size(); ++u) {
      if (before.units[u].live) fill(unit_row(pass.backward, pass, l - 1, u), 0.0, length);
    }
    for (std::size_t d = 0; d < here.units.size(); ++d) {
      const LiveUnit& unit = here.units[d];
      if (!unit.live) continue;
      const double* back = unit_row(pass.backward, pass, l, d);
      for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e) {
        const LiveEdge edge = here.edges[e];
        add_scaled(unit_row(pass.backward, pass, l - 1, edge.source), pass.theta[edge.slot], back,
                   length);
      }
    }
    for (std::size_t u = 0; u < before.units.size(); ++u) {
      if (!before.units[u].live) continue;
      double* back = unit_row(pass.backward, pass, l - 1, u);
      const double* a = unit_row(pass.activation, pass, l - 1, u);
      for (std::size_t i = 0; i < length; ++i) back[i] = a[i] > 0.0 ? back[i] : 0.0;
    }
  }
}

LACUNA_INLINE void add_derivatives(const BlockPass& pass, std::size_t layer,
                                   std::size_t destination, std::uint32_t source,
                                   std::size_t coordinate, std::size_t begin, std::size_t length) {
  const double* seed = unit_row(pass.gradient_seed, pass, layer, destination);
  double* sums = pass.gradient_sums + coordinate * lanes;
  if (source == no_slot) {
    add_sum(sums, seed, length);
  } else {
    add_product(sums, seed, source_row(pass, layer, source, begin), length);
  }
  if (!pass.request.curvature) return;
  seed = unit_row(pass.curvature_seed, pass, layer, destination);
  sums = pass.curvature_sums + coordinate * lanes;
  if (source == no_slot) {
    add_sum(sums, seed, length);
  } else {
    add_product_of_square(sums, seed, source_row(pass, layer, source, begin), length);
  }
}

LACUNA_INLINE void seeds(const BlockPass& pass, std::size_t layer, std::size_t unit,
                         std::size_t length) {
  const double* back = unit_row(pass.backward, pass, layer, unit);
  double* gradient = unit_row(pass.gradient_seed, pass, layer, unit);
  const double scale = pass.scale;
  for (std::size_t i = 0; i < length; ++i) gradient[i] = scale * pass.residual[i] * back[i];
  if (!pass.request.curvature) return;
  double* curvature = unit_row(pass.curvature_seed, pass, layer, unit);
  for (std::size_t i = 0; i < length; ++i) curvature[i] = scale * back[i] * back[i];
}

}  // namespace

LACUNA_DISPATCH
void forward_block(const BlockPass& pass, std::size_t begin, std::size_t length) {
  for (std::size_t l = 1; l <= pass.network.layers(); ++l) {
    const LiveLayer& here = pass.network.layer(l);
    const bool hidden = l < pass.network.layers();
    for (std::size_t d = 0; d < here.units.size(); ++d) {
      const LiveUnit& unit = here.units[d];
      if (!unit.live && !pass.request.inactive) continue;
      double* z = unit_row(pass.activation, pass, l, d);
      fill(z, unit.shift_slot == no_slot ? 0.0 : pass.theta[unit.shift_slot], length);
      for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e) {
        const LiveEdge edge = here.edges[e];
        add_scaled(z, pass.theta[edge.slot], source_row(pass, l, edge.source, begin), length);
      }
      if (!hidden) continue;
      for (std::size_t i = 0; i < length; ++i) z[i] = z[i] < 0.0 ? 0.0 : z[i];
    }
  }
}

LACUNA_DISPATCH
void risk_and_backward_block(const BlockPass& pass, std::size_t begin, std::size_t length) {
  residuals(pass, begin, length);
  if (!pass.request.gradient) return;
  backward_signals(pass, length);

  std::size_t candidate = 0;
  const std::size_t first_candidate = pass.network.active_count();
  for (std::size_t l = 1; l <= pass.network.layers(); ++l) {
    const LiveLayer& here = pass.network.layer(l);
    for (std::size_t d = 0; d < here.units.size(); ++d) {
      const LiveUnit& unit = here.units[d];
      if (!unit.live) continue;
      seeds(pass, l, d, length);
      for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e) {
        add_derivatives(pass, l, d, here.edges[e].source, here.edges[e].slot, begin, length);
      }
      if (unit.shift_slot != no_slot)
        add_derivatives(pass, l, d, no_slot, unit.shift_slot, begin, length);
    }
    if (!pass.request.inactive) continue;
    for (const Candidate& c : here.candidates) {
      add_derivatives(pass, l, c.destination, c.source, first_candidate + candidate++, begin,
                      length);
    }
  }
}

LACUNA_DISPATCH
void output_moments_block(const BlockPass& pass, std::size_t begin, std::size_t length,
                          double* gram, double* cross) {
  const std::size_t l = pass.network.layers();
  const LiveLayer& output = pass.network.layer(l);
  const LiveUnit& unit = output.units.front();
  // The weight column is one for rows and zero for padding: the input of the shift.
  const double* ones = pass.samples.weight() + begin;
  const double* y = pass.samples.target() + begin;
  const std::size_t edges = output.edges.size(), count = edges + (unit.shift_slot != no_slot);
  for (std::size_t i = 0; i < count; ++i) {
    const double* row = i < edges ? source_row(pass, l, output.edges[i].source, begin) : ones;
    double* scaled = pass.residual;  // this input with padding masked
    for (std::size_t k = 0; k < length; ++k) scaled[k] = row[k] * ones[k];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = j < edges ? source_row(pass, l, output.edges[j].source, begin) : ones;
      add_product(gram, scaled, other, length);
      gram += lanes;
    }
    add_product(cross + i * lanes, scaled, y, length);
  }
}

}  // namespace lacuna
