#include "network/unit_pass.hpp"

#include <algorithm>

#include "network/vector_rows.hpp"

namespace lacuna {
namespace {

// Sums of seed * a and square seed * a^2 over the rows, a = max(0, shift + weight x + other x').
template <class Isa>
LACUNA_INLINE OutgoingDerivative add_rows(const UnitInput& input, const double* first,
                                          const double* second, const double* gradient_seed,
                                          const double* curvature_seed, std::size_t rows) {
  using V = Vec<Isa, double>;
  const double shift = input.shift, weight = input.weight[0];
  const double other = input.count == 2 ? input.weight[1] : 0.0;
  V gradient{}, curvature{};
  for (std::size_t i = 0; i < rows; i += lanes_of<Isa, double>) {
    const V z = shift + weight * load<Isa>(first + i) + other * load<Isa>(second + i);
    const V a = z < 0.0 ? V{} : z;
    gradient += load<Isa>(gradient_seed + i) * a;
    curvature += load<Isa>(curvature_seed + i) * (a * a);
  }
  return {sum_of_lanes(gradient), sum_of_lanes(curvature)};
}

LACUNA_KERNEL(OutgoingDerivative, sums_over_rows,
              (const UnitInput& input, const double* first, const double* second,
               const double* gradient_seed, const double* curvature_seed, std::size_t rows),
              (input, first, second, gradient_seed, curvature_seed, rows),
              add_rows<Isa>(input, first, second, gradient_seed, curvature_seed, rows))

void add_scaled(double* row, double weight, const double* source, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) row[i] += weight * source[i];
}

void grow(AlignedVector<double>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size);
}

}  // namespace

void UnitSignals::build(const LiveNetwork& network, const SparseTheta& theta,
                        const Samples& samples, double clip) {
  samples_ = &samples;
  rows_ = samples.padded_rows();
  first_unit_.resize(network.layers());
  std::size_t units = 0;
  for (std::size_t l = 1; l <= network.layers(); ++l) {
    first_unit_[l - 1] = units;
    units += network.layer(l).units.size();
  }
  for (AlignedVector<double>* buffer :
       {&activation_, &backward_, &gradient_seed_, &curvature_seed_})
    grow(*buffer, units * rows_);
  grow(residual_, rows_);
  forward(network, theta);
  backward(network, theta, clip);
}

void UnitSignals::forward(const LiveNetwork& network, const SparseTheta& theta) {
  for (std::size_t l = 1; l <= network.layers(); ++l) {
    const LiveLayer& here = network.layer(l);
    for (std::size_t d = 0; d < here.units.size(); ++d) {
      const LiveUnit& unit = here.units[d];
      double* z = row(activation_, l, d);
      std::fill_n(z, rows_, unit.shift_slot == no_slot ? 0.0 : theta.value[unit.shift_slot]);
      for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e) {
        const Link edge = here.edges[e];
        add_scaled(z, theta.value[edge.slot], activation(l - 1, edge.neighbour), rows_);
      }
      if (l == network.layers()) continue;
      for (std::size_t i = 0; i < rows_; ++i) z[i] = z[i] < 0.0 ? 0.0 : z[i];
    }
  }
}

void UnitSignals::backward(const LiveNetwork& network, const SparseTheta& theta, double clip) {
  const std::size_t output = network.layers();
  const double* g = row(activation_, output, 0);
  double* back = row(backward_, output, 0);
  const double* root_weight = samples_->root_weight_as<double>();  // zero on padding
  for (std::size_t i = 0; i < rows_; ++i) {
    const double clipped = std::clamp(g[i], -clip, clip);
    residual_[i] = root_weight[i] * (clipped - samples_->target()[i]);
    back[i] = clipped == g[i] ? root_weight[i] : 0.0;
  }
  for (std::size_t l = output; l > 1; --l) {
    const LiveLayer& here = network.layer(l);
    const LiveLayer& before = network.layer(l - 1);
    std::fill_n(row(backward_, l - 1, 0), before.units.size() * rows_, 0.0);
    for (std::size_t d = 0; d < here.units.size(); ++d) {
      const LiveUnit& unit = here.units[d];
      if (!unit.live) continue;
      const double* from = row(backward_, l, d);
      for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e) {
        const Link edge = here.edges[e];
        add_scaled(row(backward_, l - 1, edge.neighbour), theta.value[edge.slot], from, rows_);
      }
    }
    for (std::size_t u = 0; u < before.units.size(); ++u) {
      const double* a = row(activation_, l - 1, u);
      double* b = row(backward_, l - 1, u);
      for (std::size_t i = 0; i < rows_; ++i) b[i] = a[i] > 0.0 ? b[i] : 0.0;
    }
  }
  const double scale = 2.0 / samples_->total_weight();
  for (std::size_t l = 2; l <= output; ++l) {
    for (std::size_t d = 0; d < network.layer(l).units.size(); ++d) {
      const double* b = row(backward_, l, d);
      double* gradient = row(gradient_seed_, l, d);
      double* curvature = row(curvature_seed_, l, d);
      for (std::size_t i = 0; i < rows_; ++i) {
        gradient[i] = scale * residual_[i] * b[i];
        curvature[i] = scale * b[i] * b[i];
      }
    }
  }
}

OutgoingDerivative UnitSignals::outgoing(std::size_t layer, std::uint32_t destination,
                                         const UnitInput& input) const {
  const double* first = activation(layer - 1, input.source[0]);
  // A second weight of zero stands for a unit with one source.
  const double* second = input.count == 2 ? activation(layer - 1, input.source[1]) : first;
  return sums_over_rows(input, first, second, row(gradient_seed_, layer + 1, destination),
                        row(curvature_seed_, layer + 1, destination), rows_);
}

}  // namespace lacuna
