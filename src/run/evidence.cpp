#include "run/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "lacuna/errors.hpp"
#include "mcmc/prior_draw.hpp"
#include "run/rung_placement.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr std::size_t most_tuned_engines = 10;
// The sweep that tunes must not share random numbers with those that count.
constexpr std::uint32_t tuning_rung = 1, local_rung = 2;
constexpr std::array cube_sizes = {0.25, 0.5, 1.0, 2.0};
constexpr std::size_t tasks_per_size = 4;

// Kernels along the ladder: the k-th serves the k-th part of it.
struct EngineLadder {
  std::vector<Engine> engines;
  std::size_t rungs;

  Engine& at(std::size_t rung) { return engines[rung * engines.size() / (rungs + 1)]; }
};

void set_beta(Engine& engine, double beta) {
  std::visit([&](auto& e) { e.set_lambda(beta); }, engine);
}

class Sweeper {
 public:
  Sweeper(const Target& target, std::span<const double> ladder, std::uint64_t steps,
          std::uint64_t seed, const GoOn& go_on)
      : target_(target),
        ladder_(ladder),
        steps_(steps),
        seed_(seed),
        go_on_(go_on),
        risk_(target.samples, target.architecture, target.clip) {}

  // With `learn` the kernels are tuned on the way, each beginning with what the one before knows.
  Sweep sweep(EngineLadder kernels, std::uint32_t run) { return go(kernels, run, 0, false); }
  void tune(EngineLadder& kernels) { go(kernels, 0, tuning_rung, true); }

 private:
  Sweep go(EngineLadder& kernels, std::uint32_t run, std::uint32_t rung, bool learn) {
    Sweep out;
    Point state;
    double below = draw_prior(kernels.at(0), run, rung, state);
    Engine* last = nullptr;
    for (std::size_t t = 1; t < ladder_.size(); ++t) {
      const double width = ladder_[t] - ladder_[t - 1];
      out.log_weight -= width * state.evaluation.risk;
      out.left_sum += width * below;
      Engine& engine = kernels.at(t);
      if (learn && last != nullptr && last != &engine) {
        engine = *last;
        std::visit([](auto& e) { e.freeze(); }, *last);
      }
      last = &engine;
      below = stay(engine, t, run, rung, learn, state);
      out.right_sum += width * below;
      if (go_on_ && !go_on_())
        throw Error(ErrorKind::interrupted,
                    "interrupted; nothing is kept of bounds that are not finished");
    }
    if (learn) std::visit([](auto& e) { e.freeze(); }, *last);
    // An overflow inside a network: a weight of zero keeps the estimate on the safe side.
    if (std::isnan(out.log_weight)) out.log_weight = minus_infinity;
    return out;
  }

  // Independent draws at beta = 0; returns their mean risk and leaves the last one in `state`.
  double draw_prior(const Engine& engine, std::uint32_t run, std::uint32_t rung, Point& state) {
    const Request need =
        std::visit([&](const auto& e) { return e.first_request(target_.prior); }, engine);
    double sum = 0.0;
    RandomStream stream({seed_, run, rung, 0, Purpose::evidence});
    const Posterior prior{target_.prior, risk_, 0.0};
    for (std::uint64_t i = 0; i < steps_; ++i) {
      state.theta = target_.prior.draw(stream);
      arrive(prior, state, need);
      sum += state.evaluation.risk;
    }
    return sum / static_cast<double>(steps_);
  }

  // Steps at one beta; returns the mean risk over the second half of them.
  double stay(Engine& engine, std::size_t t, std::uint32_t run, std::uint32_t rung, bool learn,
              Point& state) {
    const Posterior posterior{target_.prior, risk_, ladder_[t]};
    set_beta(engine, ladder_[t]);
    double sum = 0.0;
    for (std::uint64_t i = 0; i < steps_; ++i) {
      const std::uint64_t iteration = t * steps_ + i;
      RandomStream stream({seed_, run, rung, iteration, Purpose::evidence});
      std::visit(
          [&](auto& e) {
            const StepOutcome outcome = e.advance(posterior, state, stream);
            if (learn) e.learn(outcome, state, iteration);
          },
          engine);
      if (i >= steps_ / 2) sum += state.evaluation.risk;
    }
    return sum / static_cast<double>(steps_ - steps_ / 2);
  }

  const Target& target_;
  std::span<const double> ladder_;
  std::uint64_t steps_, seed_;
  const GoOn& go_on_;
  EmpiricalRisk risk_;
};

// The risk of f = 0, below whose inverse the data hardly matter.
double risk_of_zero(const Samples& samples) {
  double sum = 0.0;
  for (std::size_t i = 0; i < samples.rows(); ++i)
    sum += samples.weight(i) * samples.target()[i] * samples.target()[i];
  return sum / samples.total_weight();
}

SparseTheta without_dead(const Target& target, const SparseTheta& theta) {
  LiveNetwork live(target.architecture);
  live.build(theta.index);
  SparseTheta kept;
  for (std::size_t k = 0; k < theta.size(); ++k) {
    if (live.slot_is_live(k)) kept.insert(theta.index[k], theta.value[k]);
  }
  // The dense prior knows one active set only, and no prior knows the empty one.
  const bool possible = target.prior.kind() == PriorKind::sparse && kept.size() > 0;
  return possible ? kept : theta;
}

double log_binomial(std::size_t total, std::size_t chosen) {
  double sum = 0.0;
  for (std::size_t j = 1; j <= chosen; ++j)
    sum += std::log(static_cast<double>(total - chosen + j) / static_cast<double>(j));
  return sum;
}

// How many active sets are this one with other names for the hidden units, counting only renamings
// that keep the order of the units in use: these are different sets for sure.
double log_renamings(const Target& target, const SparseTheta& theta) {
  LiveNetwork live(target.architecture);
  live.build(theta.index);
  if (live.live_count() != theta.size()) return 0.0;  // dead weights have names too
  std::vector<std::size_t> used(target.architecture.layers() + 1, 0);
  for (std::size_t k = 0; k < live.live_hidden_units(); ++k) ++used[live.live_unit(k).layer];
  double sum = 0.0;
  for (std::size_t l = 1; l <= target.architecture.widths().size(); ++l)
    sum += log_binomial(target.architecture.widths()[l - 1], used[l]);
  return sum;
}

double standard_error(std::span<const double> x) {
  const auto count = static_cast<double>(x.size());
  double mean = 0.0, spread = 0.0;
  for (const double v : x) mean += v / count;
  for (const double v : x) spread += (v - mean) * (v - mean);
  return std::sqrt(spread / (count - 1.0) / count);  // not a number for one value
}

std::vector<double> log_weights(const std::vector<Sweep>& sweeps) {
  std::vector<double> weights;
  for (const Sweep& sweep : sweeps) weights.push_back(sweep.log_weight);
  return weights;
}

double mean_of(const std::vector<Sweep>& sweeps, double Sweep::*member) {
  double sum = 0.0;
  for (const Sweep& sweep : sweeps) sum += sweep.*member;
  return sum / static_cast<double>(sweeps.size());
}

}  // namespace

double log_mean_exp(std::span<const double> x) {
  const double largest = *std::ranges::max_element(x);
  if (!std::isfinite(largest)) return largest;
  double sum = 0.0;
  for (const double v : x) sum += std::exp(v - largest);
  return largest + std::log(sum / static_cast<double>(x.size()));
}

double Evidence::log_annealed() const { return log_mean_exp(log_weights(sweeps)); }

double Evidence::annealed_error() const {
  std::vector<double> relative = log_weights(sweeps);
  const double log_mean = log_mean_exp(relative);
  for (double& w : relative) w = std::exp(w - log_mean);
  return standard_error(relative);
}

double Evidence::left_sum() const { return mean_of(sweeps, &Sweep::left_sum); }
double Evidence::right_sum() const { return mean_of(sweeps, &Sweep::right_sum); }

double Evidence::sum_error() const {
  std::vector<double> sums;
  for (const Sweep& sweep : sweeps) sums.push_back(sweep.left_sum);
  return standard_error(sums);
}

double Evidence::log_estimate() const {
  if (log_local == minus_infinity) return log_annealed();
  return log_mean_exp(std::array{log_annealed(), log_local});
}

std::vector<double> annealing_ladder(double lambda, double reach, std::uint64_t rungs) {
  std::vector<double> ladder;
  const double top = rung_scale(lambda, reach);
  for (std::uint64_t t = 0; t < rungs; ++t)
    ladder.push_back(
        lambda_of_scale(top * static_cast<double>(t) / static_cast<double>(rungs), reach));
  ladder.push_back(lambda);
  return ladder;
}

std::uint64_t rungs_in_all(const EvidenceEffort& effort) {
  return (effort.runs + 1) * effort.rungs;  // one sweep tunes
}

Evidence estimate_evidence(const Target& target, const Engine& engine, const EvidenceEffort& effort,
                           const GoOn& go_on) {
  Evidence out{target.lambda, std::vector<Sweep>(effort.runs), minus_infinity};
  const double zero = risk_of_zero(*target.samples);
  const std::vector<double> ladder =
      annealing_ladder(target.lambda, zero > 0.0 ? 1.0 / zero : target.lambda, effort.rungs);
  EngineLadder kernels{
      std::vector<Engine>(std::min<std::size_t>(most_tuned_engines, effort.rungs), engine),
      effort.rungs};
  Sweeper(target, ladder, effort.steps_per_rung, effort.seed, go_on).tune(kernels);
  parallel_for(effort.runs, effort.threads, [&](std::size_t run) {
    Sweeper sweeper(target, ladder, effort.steps_per_rung, effort.seed, go_on);
    out.sweeps[run] = sweeper.sweep(kernels, static_cast<std::uint32_t>(run));
  });
  return out;
}

double local_log_evidence(const Target& target, const SparseTheta& centre,
                          const EvidenceEffort& effort) {
  const SparseTheta theta = without_dead(target, centre);
  const double bound = target.prior.bound();
  Evaluation at_centre;
  EmpiricalRisk first(target.samples, target.architecture, target.clip);
  first.evaluate(theta, {.gradient = true, .curvature = true}, at_centre);

  const std::size_t tasks = cube_sizes.size() * tasks_per_size;
  const std::size_t points = std::max<std::size_t>(1, effort.points / tasks);
  std::vector<double> log_terms(tasks * points);
  parallel_for(tasks, effort.threads, [&](std::size_t task) {
    EmpiricalRisk risk(target.samples, target.architecture, target.clip);
    RandomStream stream(
        {effort.seed, static_cast<std::uint32_t>(task), local_rung, 0, Purpose::evidence});
    std::vector<double> low(theta.size()), high(theta.size());
    double log_volume = 0.0;
    for (std::size_t k = 0; k < theta.size(); ++k) {
      // 3 / B^2 is the precision of the prior.
      const double half = cube_sizes[task % cube_sizes.size()] /
                          std::sqrt(target.lambda * at_centre.curvature[k] + 3.0 / (bound * bound));
      low[k] = std::max(theta.value[k] - half, -bound);
      high[k] = std::min(theta.value[k] + half, bound);
      log_volume += std::log(high[k] - low[k]);
    }
    Point point;
    point.theta = theta;
    for (std::size_t j = 0; j < points; ++j) {
      for (std::size_t k = 0; k < theta.size(); ++k)
        point.theta.value[k] = stream.uniform(low[k], high[k]);
      risk.evaluate(point.theta, {}, point.evaluation);
      const double term = target.prior.log_density(point.theta) -
                          target.lambda * point.evaluation.risk + log_volume;
      log_terms[task * points + j] = std::isnan(term) ? minus_infinity : term;
    }
  });
  return log_mean_exp(log_terms) + log_renamings(target, theta);
}

}  // namespace lacuna
