// Steps per second of the default sampler from one sparse network with given numbers of live
// weights, parameters and rows: how the cost of a step grows. One thread.
//
// usage: bench_sparse_steps UNITS WIDTH ROWS [SECONDS]. Two layers of WIDTH units, of which UNITS
// are live in each, spread over the whole width: every live unit has four inputs and a shift, the
// output all units of the second layer. That makes 11 UNITS + 1 live weights. The chain goes back
// to this network after every 32 steps, so that it stays what it is, and takes the same 256 steps
// again and again, so that a slow size makes the same choices as a fast one.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "lacuna/dataset.hpp"
#include "mcmc/mixture.hpp"
#include "micro/timing.hpp"

namespace {

using namespace lacuna;

constexpr std::size_t inputs = 10, sources = 4;
constexpr std::uint64_t steps_from_start = 32, steps_in_all = 256;

SparseTheta sparse_network(const Architecture& shape, std::size_t units) {
  SparseTheta theta;
  double angle = 0.0;
  const auto value = [&] { return std::sin(angle += 1.0) / std::sqrt(double{sources}); };
  const auto place = [&](std::size_t layer, std::size_t k) {
    return k * (shape.size(layer) / units);
  };
  for (std::size_t l = 1; l <= 2; ++l) {
    for (std::size_t d = 0; d < units; ++d) {
      for (std::size_t s = 0; s < sources; ++s) {
        const std::size_t source = l == 1 ? (d + 3 * s) % inputs : place(1, (d + s) % units);
        theta.insert(shape.weight_index(l, place(l, d), source), value());
      }
      theta.insert(shape.shift_index(l, place(l, d)), 0.3 * value());
    }
  }
  for (std::size_t s = 0; s < units; ++s)
    theta.insert(shape.weight_index(3, 0, place(2, s)), value());
  theta.insert(shape.shift_index(3, 0), 0.1);
  return theta;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 64;
  const std::size_t units = std::strtoull(argv[1], nullptr, 10);
  const std::size_t width = std::strtoull(argv[2], nullptr, 10);
  const std::size_t rows = std::strtoull(argv[3], nullptr, 10);
  const double seconds = argc > 4 ? std::strtod(argv[4], nullptr) : 1.0;

  const SimulatedData simulated = simulate({.name = "friedman", .rows = rows, .inputs = inputs});
  const Architecture shape(inputs, {width, width});
  const Prior prior(PriorKind::sparse, shape.parameter_count(), 2.0, 3.0);
  EmpiricalRisk risk(std::make_shared<const Samples>(rows, inputs, simulated.data.x,
                                                     simulated.data.y, Precision::single),
                     shape, 5.0);
  const GibbsPosterior<EmpiricalRisk> target{prior, risk, 0.5 * static_cast<double>(rows)};
  MixtureKernel kernel;
  kernel.trajectory.step_size = kernel.langevin.step_size = 0.05;

  const SparseTheta theta = sparse_network(shape, units);
  Point start, state;
  start.theta = theta;
  require(target, start, death_request);
  start.log_prior = prior.log_density(start.theta);
  const std::size_t live = risk.evaluator().network().live_count();
  MixtureScratch scratch;
  const double rate = bench::rate_of(
      [&] {
        for (std::uint64_t k = 0; k < steps_in_all; ++k) {
          if (k % steps_from_start == 0) state = start;
          RandomStream stream({1, 0, 0, k, Purpose::step});
          step(kernel, target, state, scratch, stream);
        }
      },
      seconds);
  fmt::print(
      "{{\"parameters\": {}, \"active\": {}, \"live\": {}, \"rows\": {}, \"steps_per_second\": "
      "{:.3f}}}\n",
      shape.parameter_count(), theta.size(), live, rows, rate * steps_in_all);
  return 0;
}
