#include "run/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "posterior/lambda.hpp"
#include "run/chain.hpp"
#include "run/folds.hpp"
#include "run/noise_fit.hpp"
#include "support/parallel.hpp"
#include "warmup/start.hpp"

namespace lacuna {
namespace {

// A larger network has to predict held-out rows better by this share of the mean square.
constexpr double size_must_gain = 0.03;
// Times the Bayes lambda of the held-out error of the best pruned network. The last ones are tried
// only while the score rises; then the values half way to the neighbours of the best one.
constexpr std::array<double, 8> factors = {0.25, 1, 4, 16, 64, 256, 1024, 4096};
constexpr std::size_t always_tried = 5;
constexpr double half_way = 2.0;
constexpr double tolerance = 2.0;  // in standard errors: see as_good()
constexpr PathLength path_length{8'000, 1'000};
// Steps of a short chain, and the multiply-adds it may take.
constexpr std::uint64_t most_burn_in = 1500, most_sampled = 2000, gap = 20;
constexpr std::uint64_t most_work = 12'000'000'000;

// One shape of network in one fold.
struct Trial {
  Architecture architecture;
  Prior prior;
  std::vector<PathStage> path;
  double held_out_square = std::numeric_limits<double>::infinity();  // of the best stage
};

// One lambda in all folds.
struct Tried {
  double factor;
  HeldOutScore score;
  std::vector<HeldOut> predicted;
};

std::vector<std::vector<std::size_t>> shapes(const Config& config) {
  if (!config.widths.empty()) return {config.widths};
  std::vector<std::vector<std::size_t>> all;
  const std::vector<std::size_t> widths =
      config.width ? std::vector{*config.width} : std::vector<std::size_t>{32, 64};
  const std::vector<std::size_t> depths =
      config.depth ? std::vector{*config.depth} : std::vector<std::size_t>{2, 3};
  for (const std::size_t depth : depths) {
    for (const std::size_t width : widths) {
      // Narrow and deep at once has not paid.
      if (!config.depth && !config.width && depth == 3 && width == 32) continue;
      all.emplace_back(depth, width);
    }
  }
  return all;
}

Trial make_trial(const Fold& fold, const Config& config, const std::vector<std::size_t>& widths,
                 double lambda, RandomStream& stream, const std::function<bool()>& stop) {
  const Architecture architecture(fold.training->inputs(), widths);
  const Prior prior(config.prior, architecture.parameter_count(), config.base, config.bound);
  Trial trial{architecture, prior, {}};
  trial.path = trained_path({*fold.training, architecture, prior, config.clip, lambda}, path_length,
                            stream, stop);
  Evaluator evaluator(architecture, config.clip);
  Evaluation out;
  for (const PathStage& stage : trial.path) {
    evaluator.evaluate(stage.theta, *fold.held_out, fold.held_out->all(), {}, out);
    trial.held_out_square = std::min(trial.held_out_square, out.risk);
  }
  return trial;
}

// Mean and variance of f at the held-out rows over a short chain.
HeldOut short_chain(const Target& target, const Fold& fold, SparseTheta start,
                    std::uint32_t number) {
  Chain chain(number, target, MixtureEngine(target), std::move(start));
  for (std::uint64_t t = 0; t < most_burn_in && chain.work() < most_work * 2 / 5; t += gap)
    chain.burn_in(gap);
  chain.end_burn_in();
  Evaluator evaluator(target.architecture, target.clip);
  const std::size_t m = fold.held_out->rows();
  std::vector<double> f(m), sum(m), squares(m);
  double count = 0.0;
  do {
    chain.sample(gap, gap + 1);
    evaluator.predict(chain.state().theta, *fold.held_out, f);
    for (std::size_t i = 0; i < m; ++i) {
      sum[i] += f[i];
      squares[i] += f[i] * f[i];
    }
    count += 1.0;
  } while (count < static_cast<double>(most_sampled / gap) && chain.work() < most_work);
  HeldOut out{std::vector<double>(m), std::vector<double>(m)};
  for (std::size_t i = 0; i < m; ++i) {
    out.mean[i] = sum[i] / count;
    out.variance[i] = std::max(0.0, squares[i] / count - out.mean[i] * out.mean[i]);
  }
  return out;
}

// Makes `first` the equal mixture of both; returns the mean variance between two such chains.
double join(HeldOut& first, const HeldOut& second) {
  double between = 0.0;
  for (std::size_t i = 0; i < first.mean.size(); ++i) {
    const double half = 0.5 * (second.mean[i] - first.mean[i]);
    first.mean[i] += half;
    first.variance[i] = 0.5 * (first.variance[i] + second.variance[i]) + half * half;
    between += 2.0 * half * half / static_cast<double>(first.mean.size());
  }
  return between;
}

std::size_t best_shape(const std::vector<std::vector<Trial>>& trials) {
  std::vector<double> square(trials.size());
  for (std::size_t s = 0; s < trials.size(); ++s) {
    for (const Trial& trial : trials[s]) square[s] += trial.held_out_square;
  }
  const double best = std::ranges::min(square);
  return static_cast<std::size_t>(
      std::ranges::find_if(square, [&](double at) { return at <= (1.0 + size_must_gain) * best; }) -
      square.begin());
}

}  // namespace

Search search(const Dataset& data, const Config& config, std::size_t threads,
              const std::function<bool()>& stop) {
  Search out;
  const std::vector<Fold> folds = make_folds(data, config.seed);
  const std::vector<std::vector<std::size_t>> tried = shapes(config);
  std::vector<std::vector<Trial>> trials(tried.size());
  for (std::vector<Trial>& of_shape : trials) {
    of_shape.assign(folds.size(), Trial{Architecture(data.inputs, tried.front()),
                                        Prior(config.prior, 1, config.base, config.bound),
                                        {}});
  }
  const double first_noise = estimate_noise_sd(data);
  parallel_for(folds.size() * tried.size(), threads, [&](std::size_t job) {
    const std::size_t s = tried.size() - 1 - job / folds.size(),
                      k = job % folds.size();  // the largest first
    RandomStream stream({config.seed, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(s),
                         1, Purpose::search});
    const double lambda = 16.0 * bayes_lambda(folds[k].training->rows(), first_noise);
    trials[s][k] = make_trial(folds[k], config, tried[s], lambda, stream, stop);
  });
  const std::size_t shape = best_shape(trials);
  const std::vector<Trial>& chosen = trials[shape];
  out.widths = tried[shape];
  if (stop()) return out;

  double square = 0.0;
  for (const Trial& trial : chosen)
    square += trial.held_out_square / static_cast<double>(folds.size());
  const double error = std::max(std::sqrt(square), 1e-6);
  const auto lambda_of = [&](double factor, std::size_t rows) {
    return factor * bayes_lambda(rows, error);
  };
  // Chain numbers far from those of the fit, so that no random stream is used twice.
  std::uint32_t next_number = 1'000'000;
  const auto run_trial = [&](const Trial& trial, std::size_t k, double factor,
                             std::uint32_t number) {
    const double lambda = lambda_of(factor, folds[k].training->rows());
    const Target target{trial.architecture, trial.prior, folds[k].training,
                        config.clip,        lambda,      config.seed};
    return short_chain(target, folds[k], heaviest(trial.path, trial.prior, lambda).theta,
                       number + static_cast<std::uint32_t>(k));
  };
  std::vector<Tried> results;
  const auto best = [&] {
    return std::ranges::max_element(results, {}, [](const Tried& t) { return t.score.mean(); });
  };
  // False if time has cut it short: only what all folds have reached can be compared.
  const auto try_factor = [&](double factor) {
    Tried tried_now{factor, {}, std::vector<HeldOut>(folds.size())};
    parallel_for(folds.size(), threads, [&](std::size_t k) {
      if (!stop()) tried_now.predicted[k] = run_trial(chosen[k], k, factor, next_number);
    });
    next_number += static_cast<std::uint32_t>(folds.size());
    const auto missing = [](const HeldOut& f) { return f.mean.empty(); };
    if (std::ranges::any_of(tried_now.predicted, missing)) return false;
    tried_now.score = score(folds, tried_now.predicted, error);
    results.push_back(std::move(tried_now));
    return true;
  };
  for (std::size_t l = 0; l < factors.size(); ++l) {
    // Beyond the values always tried, only while colder is better.
    if (l >= always_tried && best() + 1 != results.end()) break;
    if (!try_factor(factors[l])) break;
  }
  if (results.empty()) return out;
  const double middle = best()->factor;
  if (try_factor(middle / half_way)) try_factor(middle * half_way);
  std::ranges::sort(results, {}, &Tried::factor);
  for (const Tried& t : results)
    out.curve.push_back({lambda_of(t.factor, data.rows), t.score.mean(), t.score.noise_sd});
  // The hottest lambda that is about as good as the best one: a colder posterior is surer of itself
  // and its networks are larger, so it has to earn that.
  const auto taken = std::ranges::find_if(
      results, [&](const Tried& t) { return as_good(t.score, best()->score, tolerance); });
  out.lambda = lambda_of(taken->factor, data.rows);

  double between = 0.0;
  std::vector<double> between_of(folds.size());
  parallel_for(folds.size(), threads, [&](std::size_t k) {
    RandomStream stream({config.seed, static_cast<std::uint32_t>(k),
                         static_cast<std::uint32_t>(shape), 3, Purpose::search});
    const double lambda = lambda_of(taken->factor, folds[k].training->rows());
    const Trial second = make_trial(folds[k], config, out.widths, lambda, stream, stop);
    between_of[k] = join(taken->predicted[k], run_trial(second, k, taken->factor, next_number));
  });
  for (const double variance : between_of) between += variance / static_cast<double>(folds.size());
  out.noise = fit_noise(config, folds, taken->predicted, between, threads, stop);
  return out;
}

}  // namespace lacuna
