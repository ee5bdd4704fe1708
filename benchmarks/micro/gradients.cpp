// Gradients of the risk per second of a dense network, on one thread, and their share of the most
// multiply-adds that this core can do, measured in the same breath.
//
// usage: bench_gradients INPUTS WIDTHS ROWS single|full [SECONDS]
#include <fmt/format.h>

#include <cstring>

#include "micro/dense_problem.hpp"
#include "micro/timing.hpp"
#include "network/evaluator.hpp"
#include "network/vector_rows.hpp"

namespace {

using namespace lacuna;
using namespace lacuna::bench;

constexpr int chains = 12;        // of multiply-adds that do not wait for one another
constexpr int in_a_row = 20'000;  // multiply-adds of each

volatile double keep = 0.0;

// Multiply-adds in registers only: nothing is faster. Returns how many operations they were.
template <class Isa, class Real>
LACUNA_INLINE double multiply_adds(Real seed) {
  using V = Vec<Isa, Real>;
  V sum[chains];
  const V factor = V{} + Real(1) - seed;
  for (int j = 0; j < chains; ++j) sum[j] = V{} + seed * static_cast<Real>(j);
  for (int k = 0; k < in_a_row; ++k) {
    for (V& s : sum) s = s * factor + seed;
  }
  V all{};
  for (const V& s : sum) all += s;
  keep = static_cast<double>(all[0]);
  return 2.0 * chains * in_a_row * static_cast<double>(lanes_of<Isa, Real>);
}
LACUNA_KERNEL(double, multiply_adds_single, (float seed), (seed), multiply_adds<Isa>(seed))
LACUNA_KERNEL(double, multiply_adds_full, (double seed), (seed), multiply_adds<Isa>(seed))

double peak_flops(Precision precision, double seconds) {
  double operations = 0.0;
  const auto work = [&] {
    operations =
        precision == Precision::single ? multiply_adds_single(1e-9F) : multiply_adds_full(1e-9);
  };
  const double rate = rate_of(work, seconds);
  return rate * operations;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 64;
  const DenseProblem problem = DenseProblem::read(argv + 1);
  const Precision precision =
      std::strcmp(argv[4], "single") == 0 ? Precision::single : Precision::full;
  const double seconds = argc > 5 ? std::strtod(argv[5], nullptr) : 1.0;
  const Samples samples(problem.rows, problem.inputs, problem.x(), problem.y(), precision);
  Evaluator evaluator(problem.architecture(), 1e3);
  const SparseTheta theta = problem.theta();
  Evaluation out;
  const auto gradient = [&] {
    evaluator.evaluate(theta, samples, samples.all(), {.gradient = true}, out);
  };
  double best = 0.0, peak = 0.0;
  for (int k = 0; k < 3; ++k) {  // by turns, because a core's speed comes and goes
    peak = std::max(peak, peak_flops(precision, 0.1 * seconds));
    best = std::max(best, rate_of(gradient, 0.3 * seconds));
  }
  double norm = 0.0;
  for (const double g : out.gradient) norm += g * g;
  fmt::print(
      "{{\"gradients_per_second\": {:.2f}, \"gflops\": {:.2f}, \"peak_gflops\": {:.2f}, "
      "\"risk\": {:.8g}, \"gradient_norm\": {:.8g}}}\n",
      best, 1e-9 * best * problem.flops(), 1e-9 * peak, out.risk, std::sqrt(norm));
  return 0;
}
