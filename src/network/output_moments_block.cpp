// Second moments of the output layer's inputs, block by block.
#include "network/vector_rows.hpp"

namespace lacuna {
namespace {

template <class Isa, class Real>
LACUNA_INLINE void output_moments(const BlockPass<Real>& pass, std::size_t begin,
                                  std::size_t length, double* gram, double* cross) {
  using V = Vec<Isa, Real>;
  const std::size_t l = pass.network.layers();
  const LiveLayer& output = pass.network.layer(l);
  const LiveUnit& unit = output.units.front();
  const Real* weight = pass.samples.template weight_as<Real>() + begin;  // zero on padding
  const Real* y = pass.samples.template target_as<Real>() + begin;
  const std::size_t edges = output.edges.size(), count = edges + (unit.shift_slot != no_slot);
  // The shift comes last; its input is one everywhere.
  const auto input = [&](std::size_t j) {
    return j < edges ? source_row(pass, l, output.edges[j].neighbour, begin) : nullptr;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Real* row = input(i);
    Real* weighted = pass.pull;  // this input, times the weight of the row
    for (std::size_t k = 0; k < length; k += lanes_of<Isa, Real>)
      at<Isa>(weighted + k) =
          row == nullptr ? load<Isa>(weight + k) : load<Isa>(row + k) * load<Isa>(weight + k);
    for (std::size_t j = 0; j <= i + 1; ++j) {  // the targets come last
      const Real* other = j <= i ? input(j) : y;
      V sum{};
      for (std::size_t k = 0; k < length; k += lanes_of<Isa, Real>)
        sum += other == nullptr ? load<Isa>(weighted + k)
                                : load<Isa>(weighted + k) * load<Isa>(other + k);
      (j <= i ? *gram++ : cross[i]) += sum_of_lanes(sum);
    }
  }
}

}  // namespace

LACUNA_KERNEL(void, output_moments_block,
              (const BlockPass<float>& pass, std::size_t begin, std::size_t length, double* gram,
               double* cross),
              (pass, begin, length, gram, cross),
              output_moments<Isa>(pass, begin, length, gram, cross))
LACUNA_KERNEL(void, output_moments_block,
              (const BlockPass<double>& pass, std::size_t begin, std::size_t length, double* gram,
               double* cross),
              (pass, begin, length, gram, cross),
              output_moments<Isa>(pass, begin, length, gram, cross))

}  // namespace lacuna
