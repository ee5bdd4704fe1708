// What a pass leaves behind: sums over lanes, and second moments of the output layer's inputs.
#include "network/vector_rows.hpp"

namespace lacuna {
namespace {

template <class Real>
LACUNA_INLINE double sum_of(const Vec<Real>& v) {
  double total = 0.0;
  for (std::size_t k = 0; k < lanes_of<Real>; ++k) total += static_cast<double>(v[k]);
  return total;
}

template <class Real>
LACUNA_INLINE void output_moments(const BlockPass<Real>& pass, std::size_t begin,
                                  std::size_t length, double* gram, double* cross) {
  using V = Vec<Real>;
  const std::size_t l = pass.network.layers();
  const LiveLayer& output = pass.network.layer(l);
  const LiveUnit& unit = output.units.front();
  // The weight column is one for rows and zero for padding: the input of the shift.
  const Real* ones = pass.samples.template weight_as<Real>() + begin;
  const Real* y = pass.samples.template target_as<Real>() + begin;
  const std::size_t edges = output.edges.size(), count = edges + (unit.shift_slot != no_slot);
  const auto input = [&](std::size_t j) {
    return j < edges ? source_row(pass, l, output.edges[j].source, begin) : ones;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Real* row = input(i);
    Real* masked = pass.residual;  // this input without padding
    for (std::size_t k = 0; k < length; k += lanes_of<Real>)
      at(masked + k) = load(row + k) * load(ones + k);
    for (std::size_t j = 0; j <= i + 1; ++j) {  // the targets come last
      const Real* other = j <= i ? input(j) : y;
      V sum{};
      for (std::size_t k = 0; k < length; k += lanes_of<Real>)
        sum += load(masked + k) * load(other + k);
      (j <= i ? *gram++ : cross[i]) += sum_of<Real>(sum);
    }
  }
}

// Four numbers, for the last part of a sum over lanes.
template <class Real>
struct QuarterOf;
template <>
struct QuarterOf<float> {
  typedef float Type __attribute__((vector_size(16), aligned(4), may_alias));
};
template <>
struct QuarterOf<double> {
  typedef double Type __attribute__((vector_size(32), aligned(8), may_alias));
};

template <class Real>
LACUNA_INLINE void carry(Real* sums, std::size_t coordinates, double* total) {
  using Quarter = typename QuarterOf<Real>::Type;
  for (std::size_t k = 0; k < coordinates; ++k, sums += lanes_of<Real>) {
    Quarter sum{};
    for (std::size_t j = 0; j < lanes_of<Real>; j += 4)
      sum += *reinterpret_cast<const Quarter*>(sums + j);
    total[k] += static_cast<double>((sum[0] + sum[1]) + (sum[2] + sum[3]));
    at(sums) = Vec<Real>{};
  }
}

}  // namespace

LACUNA_DISPATCH
void carry_over(float* sums, std::size_t coordinates, double* total) {
  carry(sums, coordinates, total);
}
LACUNA_DISPATCH
void carry_over(double* sums, std::size_t coordinates, double* total) {
  carry(sums, coordinates, total);
}
LACUNA_DISPATCH
void output_moments_block(const BlockPass<float>& pass, std::size_t begin, std::size_t length,
                          double* gram, double* cross) {
  output_moments(pass, begin, length, gram, cross);
}
LACUNA_DISPATCH
void output_moments_block(const BlockPass<double>& pass, std::size_t begin, std::size_t length,
                          double* gram, double* cross) {
  output_moments(pass, begin, length, gram, cross);
}

}  // namespace lacuna
