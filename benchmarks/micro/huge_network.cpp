// Steps per second and peak memory of the paper's kernel in a deep network of a given width, from
// one fixed topology.
//
// usage: bench_huge_network WIDTH [STEPS]. The active set is the same for every width but for the
// numbers of the units it uses, which are spread over the whole width.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "lacuna/dataset.hpp"
#include "mcmc/paper_kernel.hpp"
#include "micro/timing.hpp"

namespace {

using namespace lacuna;

constexpr std::size_t inputs = 10, rows = 10'000, depth = 14, units_per_layer = 3;

// Three live units in each layer, each fed by two units of the layer before and a shift.
SparseTheta live_network(const Architecture& shape) {
  SparseTheta theta;
  const auto unit = [&](std::size_t layer, std::size_t k) {
    return k * (shape.size(layer) / units_per_layer);
  };
  for (std::size_t l = 1; l <= shape.layers(); ++l) {
    const std::size_t destinations = l == shape.layers() ? 1 : units_per_layer;
    for (std::size_t d = 0; d < destinations; ++d) {
      for (std::size_t s = 0; s < 2; ++s) {
        theta.insert(shape.weight_index(l, unit(l, d), unit(l - 1, (d + s) % units_per_layer)),
                     s == 0 ? 0.8 : 0.3);
      }
      theta.insert(shape.shift_index(l, unit(l, d)), 0.1);
    }
  }
  return theta;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t width = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
  const std::uint64_t steps = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;

  const SimulatedData simulated = simulate({.name = "friedman", .rows = rows, .inputs = inputs});
  const Architecture shape(inputs, std::vector<std::size_t>(depth, width));
  const Prior prior(PriorKind::sparse, shape.parameter_count(), 2.0, 3.0);
  EmpiricalRisk risk(
      std::make_shared<const Samples>(rows, inputs, simulated.data.x, simulated.data.y), shape,
      5.0);
  const GibbsPosterior<EmpiricalRisk> target{prior, risk, 100.0};
  const PaperKernel kernel = PaperKernel::langevin(target.lambda, 1e-3);

  Point state;
  state.theta = live_network(shape);
  evaluate_point(target, state);
  const std::size_t first_size = state.theta.size(), live = risk.evaluator().network().live_count();
  PaperScratch scratch;
  std::uint64_t accepted = 0;
  const double seconds = bench::seconds_of([&] {
    for (std::uint64_t t = 0; t < steps; ++t) {
      RandomStream stream({1, 0, 0, t, Purpose::step});
      accepted += step(kernel, target, state, scratch, stream).verdict == Verdict::accepted;
    }
  });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      "{{\"width\": {}, \"parameters\": {}, \"active\": {}, \"live\": {}, \"active_at_end\": {}, "
      "\"accepted\": {:.3f}, \"steps_per_second\": {:.1f}, \"peak_mib\": {:.1f}}}\n",
      width, shape.parameter_count(), first_size, live, state.theta.size(),
      static_cast<double>(accepted) / static_cast<double>(steps),
      static_cast<double>(steps) / seconds, static_cast<double>(usage.ru_maxrss) / 1024.0);
  return 0;
}
