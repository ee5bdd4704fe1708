// Exchange of points between rungs: its ratio, and the law of every rung of a short ladder.
#include "mcmc/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "statistical/enumeration_problems.hpp"
#include "statistical/set_frequencies.hpp"

namespace lacuna::statistical {

// Deterministic up to rounding: no false alarms. The ratio is compared with the four log densities
// it stands for, with its own reverse, and with the rungs named the other way round.
Result exchange_ratio(std::uint64_t seed, Budget budget) {
  const int cases = budget == Budget::fast ? 20000 : 100000;
  RandomStream stream({seed, 0, 0, 0, Purpose::test});
  double worst = 0.0;
  for (int i = 0; i < cases; ++i) {
    const double la = std::exp(stream.uniform(-3.0, 6.0)), lb = std::exp(stream.uniform(-3.0, 6.0));
    const double ra = stream.uniform(0.0, 4.0), rb = stream.uniform(0.0, 4.0);
    const long double before =
        -static_cast<long double>(la) * ra - static_cast<long double>(lb) * rb;
    const long double after =
        -static_cast<long double>(la) * rb - static_cast<long double>(lb) * ra;
    const double ratio = log_exchange_ratio(la, ra, lb, rb);
    const double scale = std::max(1.0, (la + lb) * (ra + rb));
    const std::array errors = {static_cast<double>(std::abs(ratio - (after - before))),
                               std::abs(ratio + log_exchange_ratio(la, rb, lb, ra)),
                               std::abs(ratio - log_exchange_ratio(lb, rb, la, ra))};
    for (const double error : errors) worst = std::max(worst, error / scale / 1e-10);
  }
  return judge(worst, 1.0, fmt::format("{} cases, worst error {:.1e}", cases, 1e-10 * worst));
}

// The rung furthest over its threshold, of three; false-alarm rate 6e-4. Two steps per rung, then
// an attempt on one of the two pairs of neighbours in turn.
Result exchange_ladder(std::uint64_t seed, Budget budget) {
  constexpr std::array ladder = {1.0, 6.0, 14.0};
  const Problem problem = four_weights();
  static const std::array<SetLaw, 3> laws = {tensor_law(problem, ladder[0]),
                                             tensor_law(problem, ladder[1]),
                                             tensor_law(problem, ladder[2])};
  const std::uint64_t cycles = budget == Budget::fast ? 300000 : 2000000;
  const std::uint64_t length = cycles / (run_chains * run_batches);
  const Prior prior = problem.prior(PriorKind::sparse);
  const std::size_t sets = laws[0].mass.size();
  std::vector<Batches> frequencies(ladder.size(), Batches(sets));
  std::uint64_t attempted = 0, exchanged = 0;
  for (std::uint32_t c = 0; c < run_chains; ++c) {
    std::vector<Chain<>> rungs;
    for (std::uint32_t r = 0; r < ladder.size(); ++r) {
      const PaperKernel kernel{0.2, 0.5};
      rungs.emplace_back(problem, prior, kernel, ladder[r], ChainId{seed, c, r});
    }
    std::uint64_t cycle = 0;
    const auto advance = [&] {
      for (Chain<>& rung : rungs) rung.steps(2);
      const std::uint32_t low = cycle % 2 == 0 ? 0 : 1;
      RandomStream stream({seed, c, low, cycle++, Purpose::exchange});
      const Verdict verdict = exchange(rungs[low].current(), ladder[low], rungs[low + 1].current(),
                                       ladder[low + 1], stream);
      ++attempted;
      exchanged += verdict == Verdict::accepted;
    };
    for (std::uint64_t i = 0; i < run_burn_in; ++i) advance();
    for (std::uint64_t b = 0; b < run_batches; ++b) {
      std::vector<std::vector<double>> counts(ladder.size(), std::vector<double>(sets, 0.0));
      for (std::uint64_t i = 0; i < length; ++i) {
        advance();
        for (std::size_t r = 0; r < ladder.size(); ++r) {
          counts[r][set_of(rungs[r].current().theta)] += 1.0 / static_cast<double>(length);
        }
      }
      for (std::size_t r = 0; r < ladder.size(); ++r) frequencies[r].add(std::move(counts[r]));
    }
  }
  Result worst;
  for (std::size_t r = 0; r < ladder.size(); ++r) {
    const Result result = judge_sets(frequencies[r], laws[r], seed, budget);
    if (r == 0 || result.statistic * worst.threshold > worst.statistic * result.threshold) {
      worst = result;
      worst.details =
          fmt::format("lambda {}: {}; {:.0f}% exchanged", ladder[r], result.details,
                      100.0 * static_cast<double>(exchanged) / static_cast<double>(attempted));
    }
  }
  return worst;
}

}  // namespace lacuna::statistical
