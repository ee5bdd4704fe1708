// The birth and death of a unit: ratios both ways and against a transcription, and what a step
// leaves behind.
#include "mcmc/unit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "unit/mcmc/random_target.hpp"
#include "unit/network/brute_force.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

using testing::BruteForce;
using testing::RandomTarget;

// A planned unit with the numbers of units in place of positions.
struct NamedPlan {
  std::size_t layer = 0;
  std::uint64_t destination = 0;
  std::vector<std::uint64_t> sources;
  std::vector<double> weights;
  bool has_shift = false;
  double shift = 0.0;

  std::size_t coordinates() const { return sources.size() + (has_shift ? 2 : 1); }
};

NamedPlan named(const UnitPlan& plan, const LiveNetwork& network) {
  NamedPlan out{plan.layer,
                network.layer(plan.layer + 1).units[plan.destination].unit,
                {},
                {},
                plan.has_shift,
                plan.input.shift};
  for (std::size_t j = 0; j < plan.input.count; ++j) {
    const std::uint32_t s = plan.input.source[j];
    out.sources.push_back(plan.layer == 1 ? s : network.layer(plan.layer - 1).units[s].unit);
    out.weights.push_back(plan.input.weight[j]);
  }
  return out;
}

// The formulas of the header and of docs/samplers.md, over all units and parameters.
struct Transcription {
  RandomTarget& random;
  const Point& smaller;
  BruteForce truth{random.shape, smaller.theta};

  std::vector<std::uint64_t> sources(std::size_t l) const {
    std::vector<std::uint64_t> out;
    for (std::uint64_t s = 0; s < random.shape.size(l - 1); ++s) {
      if (truth.reached[l - 1][s]) out.push_back(s);
    }
    return out;
  }
  double vacant(std::size_t l) const {
    double count = 0.0;
    for (std::uint64_t u = 0; u < random.shape.size(l); ++u)
      count += !truth.reached[l][u] && !truth.leads[l][u];
    return count;
  }
  double destinations(std::size_t l) const {
    double count = 0.0;
    for (const bool live : truth.live[l + 1]) count += live;
    return count;
  }
  double uses(std::size_t l, std::uint64_t source) const {
    double count = 0.0;
    for (std::uint64_t d = 0; d < random.shape.size(l); ++d) {
      count += truth.live[l][d] && truth.reached[l - 1][source] &&
               smaller.theta.contains(random.shape.weight_index(l, d, source));
    }
    return count;
  }
  double share(std::size_t l, std::uint64_t source) const {
    const std::vector<std::uint64_t> all = sources(l);
    double total = 0.0;
    for (const std::uint64_t s : all) total += uses(l, s);
    const double even = 1.0 / static_cast<double>(all.size());
    return total > 0.0 ? 0.5 * even + 0.5 * uses(l, source) / total : even;
  }
  double density(const NamedPlan& plan) const {
    double layers = 0.0;
    for (std::size_t l = 1; l <= random.shape.hidden_layers(); ++l)
      layers += vacant(l) > 0.0 && !sources(l).empty() && destinations(l) > 0.0;
    const double two = sources(plan.layer).size() > 1 ? 0.5 : 0.0;
    const double a = share(plan.layer, plan.sources[0]);
    double q = (1.0 - two) * a;
    if (plan.sources.size() == 2) {
      const double b = share(plan.layer, plan.sources[1]);
      q = two * (a * b / (1.0 - a) + b * a / (1.0 - b));
    }
    q *= plan.has_shift ? 0.75 : 0.25;
    q /= layers * vacant(plan.layer) * destinations(plan.layer);
    return q * std::pow(2.0 * random.prior.bound(), -static_cast<double>(plan.coordinates() - 1));
  }
  // The point with the unit in place, as the first vacant one, and an outgoing weight of zero.
  struct Model {
    double mean, variance, curvature;
  };
  Model model(const NamedPlan& plan) {
    std::uint64_t unit = 0;
    while (truth.reached[plan.layer][unit] || truth.leads[plan.layer][unit]) ++unit;
    SparseTheta with = smaller.theta;
    for (std::size_t j = 0; j < plan.sources.size(); ++j)
      with.insert(random.shape.weight_index(plan.layer, unit, plan.sources[j]), plan.weights[j]);
    if (plan.has_shift) with.insert(random.shape.shift_index(plan.layer, unit), plan.shift);
    const std::uint64_t out = random.shape.weight_index(plan.layer + 1, plan.destination, unit);
    with.insert(out, 0.0);
    EmpiricalRisk risk = random.fresh_risk();
    Evaluation at;
    risk.evaluate(with, death_request, at);
    const std::size_t k = with.position(out);
    const double kappa = 3.0 / (random.prior.bound() * random.prior.bound());
    const double variance = 1.0 / (random.lambda * at.curvature[k] + kappa);
    return {-random.lambda * at.gradient[k] * variance, variance, at.curvature[k]};
  }
  double log_worth(const NamedPlan& plan) {
    const Model m = model(plan);
    if (m.curvature == 0.0) return -HUGE_VAL;
    const std::size_t k = smaller.theta.size();
    return random.prior.log_density_of_size(k + plan.coordinates()) -
           random.prior.log_density_of_size(k) + 0.5 * m.mean * m.mean / m.variance +
           0.5 * std::log(2.0 * std::numbers::pi * m.variance) - std::log(density(plan));
  }
};

// The probability that the death of a unit is chosen, by the definition of what may die.
double naive_log_death(RandomTarget& random, const Point& larger, std::size_t layer,
                       std::uint64_t unit) {
  const Architecture& shape = random.shape;
  const BruteForce truth(shape, larger.theta);
  const auto active = [&](std::uint64_t i) { return larger.theta.contains(i); };
  double total = 0.0, wanted = 0.0;
  for (std::size_t l = 1; l <= shape.hidden_layers(); ++l) {
    for (std::uint64_t u = 0; u < shape.size(l); ++u) {
      std::size_t in = 0, out = 0;
      std::uint64_t out_index = 0, destination = 0;
      for (std::uint64_t s = 0; s < shape.size(l - 1); ++s)
        in += truth.reached[l - 1][s] && active(shape.weight_index(l, u, s));
      for (std::uint64_t d = 0; d < shape.size(l + 1); ++d) {
        if (!truth.live[l + 1][d] || !active(shape.weight_index(l + 1, d, u))) continue;
        ++out;
        destination = d;
        out_index = shape.weight_index(l + 1, d, u);
      }
      if (in < 1 || in > 2 || out != 1) continue;
      SparseTheta without = larger.theta;
      without.erase_position(without.position(out_index));
      if (!BruteForce(shape, without).live[l + 1][destination]) continue;
      const std::size_t k = larger.theta.position(out_index);
      const double h = larger.evaluation.curvature[k];
      if (h == 0.0) continue;
      const double g = larger.evaluation.gradient[k] - h * larger.theta.value[k];
      const double bound = random.prior.bound();
      const double variance = 1.0 / (random.lambda * h + 3.0 / (bound * bound));
      const std::size_t c = in + 1 + active(shape.shift_index(l, u));
      const std::size_t size = larger.theta.size(), rest = size > c ? size - c : 1;
      const double mass = 0.5 * random.lambda * random.lambda * g * g * variance +
                          0.5 * std::log(2.0 * std::numbers::pi * variance) -
                          std::log(2.0 * bound) + random.prior.log_density_of_size(size) -
                          random.prior.log_density_of_size(rest);
      const double weight = std::exp(-0.5 * mass);
      total += weight;
      if (l == layer && u == unit) wanted = weight;
    }
  }
  return wanted > 0.0 ? std::log(wanted / total) : -HUGE_VAL;
}

TEST(Unit, RatioIsTurnedOverByTheWayBackAndAgreesWithATranscription) {
  RandomStream stream = testing::test_stream(251);
  int births = 0;
  for (int trial = 0; trial < 60000; ++trial) {
    RandomTarget random(stream);
    const auto target = random.target();
    const GainModel model(random.prior, random.lambda);
    const Point& smaller = random.point;
    UnitScratch scratch;
    prepare_births(target, smaller.theta, scratch);
    if (!scratch.births.possible()) continue;
    draw_candidates(target, smaller.theta, 4, scratch, stream);
    const std::vector<UnitCandidate> candidates = scratch.candidates;
    const std::size_t chosen = choose_unit(candidates, stream);
    if (chosen == candidates.size()) continue;
    const UnitPlan& plan = candidates[chosen].plan;
    const LiveNetwork network = random.risk.live_network(smaller.theta);
    const std::uint64_t unit = scratch.paths->vacant_unit(
        plan.layer, stream.below(scratch.paths->vacant_units(plan.layer)));
    const double outgoing = candidates[chosen].law.draw(stream, model.bound);
    Point larger;
    larger.theta = smaller.theta;
    add_unit(plan, unit, outgoing, network, larger.theta);
    ASSERT_EQ(larger.theta.size(), smaller.theta.size() + plan.coordinates());
    if (!arrive(target, larger, death_request)) continue;
    scratch.deaths.build(random.risk.live_network(larger.theta), larger, random.prior, model);
    const std::size_t k = scratch.deaths.find(plan.layer, unit);
    const double log_death = scratch.deaths.log_probability(k);
    const double naive_death = naive_log_death(random, larger, plan.layer, unit);
    if (std::isinf(naive_death)) {
      EXPECT_EQ(log_death, naive_death);
      continue;
    }
    const double ratio =
        log_unit_ratio(model, smaller, larger, candidates, chosen, outgoing, log_death);

    // The way back, from what is known at the larger point.
    const RemovableUnit& gone = scratch.deaths.units()[k];
    SparseTheta back = larger.theta;
    remove_unit(gone, back);
    ASSERT_EQ(back, smaller.theta);
    prepare_births(target, back, scratch);
    std::vector<UnitCandidate> returning = {
        judge_unit(plan_of(gone, larger.theta, random.risk.live_network(back)), scratch.births,
                   scratch.signals, random.prior, model, back.size())};
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      if (j != chosen) returning.push_back(candidates[j]);
    }
    const double reverse = -log_unit_ratio(model, smaller, larger, returning, 0,
                                           larger.theta.value[gone.outgoing], log_death);
    EXPECT_NEAR(ratio + reverse, 0.0, 1e-10 * (1.0 + std::abs(ratio)));

    Transcription naive{random, smaller};
    double sum = 0.0;
    for (const UnitCandidate& c : candidates)
      sum += std::exp(naive.log_worth(named(c.plan, network)));
    const NamedPlan born = named(plan, network);
    const Transcription::Model m = naive.model(born);
    const double log_normal = -0.5 * (outgoing - m.mean) * (outgoing - m.mean) / m.variance -
                              0.5 * std::log(2.0 * std::numbers::pi * m.variance);
    const double expected = larger.log_posterior(random.lambda) -
                            smaller.log_posterior(random.lambda) + naive_death -
                            std::log(naive.density(born)) - naive.log_worth(born) - log_normal +
                            std::log(sum / static_cast<double>(candidates.size()));
    EXPECT_NEAR(ratio, expected, 1e-9 * (1.0 + std::abs(expected)));
    ++births;
  }
  EXPECT_GT(births, 10000);
}

TEST(Unit, AStepEvaluatesOnceAndRemembersTheRightThings) {
  RandomStream stream = testing::test_stream(252);
  int added = 0, removed = 0;
  for (int trial = 0; trial < 300; ++trial) {
    RandomTarget random(stream);
    UnitScratch scratch;
    for (int t = 0; t < 20; ++t) {
      const std::uint64_t before = random.risk.evaluations();
      const StepOutcome outcome =
          step(UnitKernel{4}, random.target(), random.point, scratch, stream);
      EXPECT_LE(random.risk.evaluations() - before, 1u);
      EXPECT_NE(outcome.verdict, Verdict::invalid);
      if (outcome.verdict != Verdict::accepted) continue;
      (outcome.move == Move::add_unit ? added : removed) += 1;
      EXPECT_TRUE(testing::up_to_date(random, random.point));
    }
  }
  EXPECT_GT(added, 50);
  EXPECT_GT(removed, 50);
}

}  // namespace
}  // namespace lacuna
