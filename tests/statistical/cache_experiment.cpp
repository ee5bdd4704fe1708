// What a chain remembers about its current point equals a fresh evaluation, bit for bit.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "mcmc/exchange.hpp"
#include "statistical/experiment.hpp"
#include "statistical/problem.hpp"

namespace lacuna::statistical {
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_bits(const Evaluation& a, const Evaluation& b) {
  if (!same_bits(a.risk, b.risk) || a.gradient.size() != b.gradient.size() ||
      a.inactive.size() != b.inactive.size()) {
    return false;
  }
  for (std::size_t k = 0; k < a.gradient.size(); ++k) {
    if (!same_bits(a.gradient[k], b.gradient[k])) return false;
  }
  for (std::size_t k = 0; k < a.inactive.size(); ++k) {
    if (a.inactive[k].index != b.inactive[k].index ||
        !same_bits(a.inactive[k].gradient, b.inactive[k].gradient)) {
      return false;
    }
  }
  return true;
}

struct Setting {
  std::vector<std::size_t> widths;
  std::size_t rows = 0;
  PriorKind kind = PriorKind::sparse;
};

}  // namespace

// Deterministic: no false alarms. Two chains at different lambda take turns and exchange points;
// after every step both points are evaluated afresh by an evaluator without a history.
Result cache_consistency(std::uint64_t seed, Budget budget) {
  const std::uint64_t steps = budget == Budget::fast ? 2000 : 20000;
  const std::vector<Setting> settings = {{{1}, 5, PriorKind::sparse},
                                         {{3}, 1, PriorKind::sparse},
                                         {{4, 3}, 13, PriorKind::sparse},
                                         {{3, 4, 2}, 140, PriorKind::sparse},
                                         {{3, 2}, 20, PriorKind::dense}};
  std::uint64_t stale = 0, overworked = 0, rejected = 0, swapped = 0;
  std::uint32_t number = 0;
  for (const Setting& setting : settings) {
    RandomStream data({seed, number++, 0, 0, Purpose::test});
    Problem problem;
    problem.widths = setting.widths;
    problem.bound = 2.0;
    for (std::size_t i = 0; i < setting.rows; ++i) {
      problem.x.push_back({data.normal(), data.normal()});
      problem.y.push_back(data.normal());
    }
    const Prior prior = problem.prior(setting.kind);
    Chain<> chains[] = {Chain<>(problem, prior, {0.05, 0.2}, 2.0, {seed, number, 0}),
                        Chain<>(problem, prior, {0.05, 0.2}, 6.0, {seed, number, 1})};
    for (std::uint64_t i = 0; i < steps; ++i) {
      for (Chain<>& chain : chains) {
        const std::uint64_t before = chain.risk().evaluations();
        const StepOutcome outcome = chain.step();
        const std::uint64_t work = chain.risk().evaluations() - before;
        rejected += outcome.verdict == Verdict::rejected;
        // No work at all is due when the proposal lies outside the box.
        overworked += work > (std::isinf(outcome.log_ratio) ? 0U : 1U);
      }
      RandomStream stream({seed, number, 0, i, Purpose::exchange});
      swapped += exchange(chains[0].current(), chains[0].lambda(), chains[1].current(),
                          chains[1].lambda(), stream) == Verdict::accepted;
      for (Chain<>& chain : chains) {
        EmpiricalRisk fresh = problem.risk();
        Point point;
        point.theta = chain.current().theta;
        evaluate_point(GibbsPosterior<EmpiricalRisk>{prior, fresh, chain.lambda()}, point);
        stale += !same_bits(point.log_prior, chain.current().log_prior) ||
                 !same_bits(point.evaluation, chain.current().evaluation);
      }
    }
  }
  // Without rejections and exchanges nothing would have been tested.
  const bool idle = rejected < steps || swapped < steps / 10;
  return judge(idle ? HUGE_VAL : static_cast<double>(stale + overworked), 0.0,
               fmt::format("{} steps, {} rejected, {} exchanges; {} points differ from a fresh "
                           "evaluation, {} steps evaluated too often",
                           2 * steps * settings.size(), rejected, swapped, stale, overworked));
}

}  // namespace lacuna::statistical
