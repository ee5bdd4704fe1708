// Tempered chains as a fit runs them: kernels tuned and rungs placed in burn-in, then the law of
// every rung against quadrature at the lambda it came to stand at.
#include <fmt/format.h>

#include <memory>

#include "run/ladder.hpp"
#include "statistical/enumeration_problems.hpp"
#include "statistical/set_frequencies.hpp"

namespace lacuna::statistical {
namespace {

constexpr std::size_t rungs = 3;
constexpr std::uint64_t burn_in = 20'000, batches = 160;

// The rung furthest over its threshold; false-alarm rate 6e-4.
Result judge_rungs(bool paper, std::uint64_t seed, Budget budget) {
  const Problem problem = four_weights();
  const Target target{problem.architecture(),
                      problem.prior(PriorKind::sparse),
                      std::make_shared<const Samples>(problem.risk().samples()),
                      problem.clip,
                      14.0,
                      seed};
  RandomStream stream({seed, 0, 0, 0, Purpose::start});
  Engine engine = paper ? Engine(PaperEngine(target, {}, 2)) : Engine(MixtureEngine(target));
  Ladder ladder(lacuna::Chain(0, target, std::move(engine), target.prior.draw(stream)), rungs);
  ladder.burn_in(burn_in, 1);
  ladder.end_burn_in();

  const std::uint64_t length = (budget == Budget::fast ? 400'000 : 4'000'000) / batches;
  const std::size_t sets = std::size_t{1} << target.prior.parameter_count();
  std::vector<Batches> frequencies(rungs, Batches(sets));
  for (std::uint64_t b = 0; b < batches; ++b) {
    std::vector<std::vector<double>> counts(rungs, std::vector<double>(sets, 0.0));
    for (std::uint64_t i = 0; i < length; ++i) {
      ladder.sample(1, length * batches + 1, 1);
      for (std::size_t r = 0; r < rungs; ++r) {
        counts[r][set_of(ladder.rungs()[r].state().theta)] += 1.0 / static_cast<double>(length);
      }
    }
    for (std::size_t r = 0; r < rungs; ++r) frequencies[r].add(std::move(counts[r]));
  }
  Result worst;
  for (std::size_t r = 0; r < rungs; ++r) {
    const double lambda = ladder.rungs()[r].lambda();
    const Result result = judge_sets(frequencies[r], tensor_law(problem, lambda), seed, budget);
    if (r == 0 || result.statistic * worst.threshold > worst.statistic * result.threshold) {
      worst = result;
      worst.details = fmt::format("rung {} at lambda {:.3g}: {}", r, lambda, result.details);
    }
  }
  return worst;
}

}  // namespace

Result tempered_paper(std::uint64_t seed, Budget budget) { return judge_rungs(true, seed, budget); }
Result tempered_mixture(std::uint64_t seed, Budget budget) {
  return judge_rungs(false, seed, budget);
}

}  // namespace lacuna::statistical
