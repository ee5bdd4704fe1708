// MALA steps per second on the posterior of a dense network, one thread: the paper's kernel with
// the dense prior.
//
// usage: bench_mala INPUTS WIDTHS ROWS single|full [SECONDS]
#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "mcmc/paper_kernel.hpp"
#include "micro/dense_problem.hpp"
#include "micro/timing.hpp"

int main(int argc, char** argv) {
  using namespace lacuna;
  using namespace lacuna::bench;
  if (argc < 5) return 64;
  const DenseProblem problem = DenseProblem::read(argv + 1);
  const Precision precision =
      std::strcmp(argv[4], "single") == 0 ? Precision::single : Precision::full;
  const double seconds = argc > 5 ? std::strtod(argv[5], nullptr) : 1.0;

  // The same numbers as in benchmarks/peers/mala.py.
  constexpr double lambda = 1000.0, proposal_sd = 1e-3, bound = 3.0, clip = 1e3;
  const Architecture shape = problem.architecture();
  const Prior prior(PriorKind::dense, shape.parameter_count(), 2.0, bound);
  EmpiricalRisk risk(std::make_shared<const Samples>(problem.rows, problem.inputs, problem.x(),
                                                     problem.y(), precision),
                     shape, clip);
  const GibbsPosterior<EmpiricalRisk> target{prior, risk, lambda};
  const PaperKernel kernel = PaperKernel::langevin(lambda, proposal_sd);
  Point state;
  state.theta = problem.theta();
  evaluate_point(target, state);
  PaperScratch scratch;
  std::uint64_t steps = 0, accepted = 0;
  const double rate = rate_of(
      [&] {
        RandomStream stream({1, 0, 0, steps++, Purpose::step});
        accepted += step(kernel, target, state, scratch, stream).verdict == Verdict::accepted;
      },
      seconds);
  fmt::print("{{\"steps_per_second\": {:.2f}, \"accepted\": {:.3f}, \"risk\": {:.6g}}}\n", rate,
             static_cast<double>(accepted) / static_cast<double>(steps), state.evaluation.risk);
  return 0;
}
