#include "run/lambda_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>

#include "posterior/lambda.hpp"
#include "run/chain.hpp"
#include "support/parallel.hpp"
#include "warmup/start.hpp"

namespace lacuna {
namespace {

constexpr std::size_t folds = 4, fold_divisor = 5, most_rows = 1250;
// Times the lambda of the first guess at the noise, which tends to be too large: the grid leans to
// colder values. The last ones are tried only if the score still rises at the last of the others.
constexpr std::array<double, 12> factors = {0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
constexpr std::size_t always_tried = 8;
constexpr std::uint64_t burn_in = 1500, sampled = 2000, gap = 25;

struct Fold {
  std::shared_ptr<const Samples> training;
  Samples held_out;
  std::vector<double> held_out_y;
};

Fold make_fold(const Dataset& data, const std::vector<std::size_t>& order, std::size_t number) {
  std::vector<std::size_t> in, out;
  for (std::size_t i = 0; i < order.size(); ++i)
    (i % fold_divisor == number ? out : in).push_back(order[i]);
  const auto gather = [&](const std::vector<std::size_t>& rows, std::vector<double>& x,
                          std::vector<double>& y) {
    for (std::size_t j = 0; j < data.inputs; ++j) {
      for (const std::size_t i : rows) x.push_back(data.x[j * data.rows + i]);
    }
    for (const std::size_t i : rows) y.push_back(data.y[i]);
  };
  std::vector<double> x, y, held_x, held_y;
  gather(in, x, y);
  gather(out, held_x, held_y);
  return {std::make_shared<const Samples>(in.size(), data.inputs, x, y, Precision::single),
          Samples(out.size(), data.inputs, held_x, held_y), held_y};
}

// Mean and variance of f at the held-out rows over a short chain.
struct HeldOut {
  std::vector<double> mean, variance;
};

HeldOut short_chain(const Target& target, const Fold& fold, SparseTheta start,
                    std::uint32_t number) {
  Chain chain(number, target, MixtureEngine(target), std::move(start));
  chain.burn_in(burn_in);
  chain.end_burn_in();
  Evaluator evaluator(target.architecture, target.clip);
  const std::size_t m = fold.held_out_y.size();
  std::vector<double> f(m), sum(m), squares(m);
  const double count = static_cast<double>(sampled / gap);
  for (std::uint64_t k = 0; k < sampled / gap; ++k) {
    chain.sample(gap, gap + 1);
    evaluator.predict(chain.state().theta, fold.held_out, f);
    for (std::size_t i = 0; i < m; ++i) {
      sum[i] += f[i];
      squares[i] += f[i] * f[i];
    }
  }
  HeldOut out{std::vector<double>(m), std::vector<double>(m)};
  for (std::size_t i = 0; i < m; ++i) {
    out.mean[i] = sum[i] / count;
    out.variance[i] = std::max(0.0, squares[i] / count - out.mean[i] * out.mean[i]);
  }
  return out;
}

double log_density(double mean, double variance, double y) {
  return -0.5 * (std::log(2.0 * std::numbers::pi * variance) + (y - mean) * (y - mean) / variance);
}

// Log densities of all held-out rows at one lambda, with the noise level that makes their mean
// largest.
struct Scored {
  std::vector<double> rows;
  double noise_sd = 0.0;

  double mean() const {
    return std::accumulate(rows.begin(), rows.end(), 0.0) / static_cast<double>(rows.size());
  }
};

// Whether `other` is worse than `best` by no more than one standard error of their difference, row
// by row.
bool as_good(const Scored& other, const Scored& best) {
  const auto n = static_cast<double>(best.rows.size());
  const double loss = best.mean() - other.mean();
  double squares = 0.0;
  for (std::size_t i = 0; i < best.rows.size(); ++i) {
    const double d = best.rows[i] - other.rows[i] - loss;
    squares += d * d;
  }
  return loss <= std::sqrt(squares / n / n);
}

}  // namespace

LambdaSearch search_lambda(const Dataset& data, const Config& config, double noise_sd,
                           std::size_t threads, const std::function<bool()>& stop) {
  RandomStream stream({config.seed, 0, 0, 0, Purpose::search});
  std::vector<std::size_t> order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = data.rows; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  order.resize(std::min(order.size(), most_rows));

  const Architecture architecture(data.inputs, config.widths);
  const Prior prior(config.prior, architecture.parameter_count(), config.base, config.bound);
  std::vector<std::vector<HeldOut>> results(folds, std::vector<HeldOut>(factors.size()));
  std::vector<std::vector<SparseTheta>> starts(folds);
  std::vector<Fold> parts;
  for (std::size_t k = 0; k < folds; ++k) parts.push_back(make_fold(data, order, k));
  const auto lambda_of = [&](std::size_t fold, std::size_t l) {
    return factors[l] * bayes_lambda(parts[fold].training->rows(), noise_sd);
  };
  parallel_for(folds, threads, [&](std::size_t k) {
    std::vector<double> lambdas;
    for (std::size_t l = 0; l < factors.size(); ++l) lambdas.push_back(lambda_of(k, l));
    RandomStream start_stream({config.seed, static_cast<std::uint32_t>(k), 0, 1, Purpose::search});
    starts[k] = trained_starts(
        {*parts[k].training, architecture, prior, config.clip, lambdas[always_tried / 2]}, lambdas,
        start_stream, 1, stop);
  });
  const auto try_factors = [&](std::size_t first, std::size_t last) {
    parallel_for(folds, threads, [&](std::size_t k) {
      for (std::size_t l = first; l < last && !stop(); ++l) {
        const Target target{architecture, prior,           parts[k].training,
                            config.clip,  lambda_of(k, l), config.seed};
        // Chain numbers far from those of the fit, so that no random stream is used twice.
        const auto number = static_cast<std::uint32_t>(1'000'000 + k * factors.size() + l);
        results[k][l] = short_chain(target, parts[k], starts[k][l], number);
      }
    });
  };

  // Only what all folds have reached can be compared; time may have cut the search short.
  const auto score = [&](std::size_t l) {
    Scored best;
    for (std::size_t k = 0; k < folds; ++k) {
      if (results[k][l].mean.empty()) return best;
    }
    // Sixty values find the best noise level to 6%.
    for (int g = 0; g < 60; ++g) {
      Scored at{{}, 2.0 * noise_sd * std::pow(0.9, g)};
      for (std::size_t k = 0; k < folds; ++k) {
        const HeldOut& f = results[k][l];
        for (std::size_t i = 0; i < f.mean.size(); ++i) {
          at.rows.push_back(log_density(f.mean[i], f.variance[i] + at.noise_sd * at.noise_sd,
                                        parts[k].held_out_y[i]));
        }
      }
      if (best.rows.empty() || at.mean() > best.mean()) best = std::move(at);
    }
    return best;
  };
  std::vector<Scored> scores;
  const auto scan = [&](std::size_t first, std::size_t last) {
    try_factors(first, last);
    for (std::size_t l = first; l < last; ++l) {
      Scored at = score(l);
      if (at.rows.empty()) return;
      scores.push_back(std::move(at));
    }
  };
  // The hottest lambda that is as good as the best one: a colder posterior is surer of itself and
  // its networks are larger, so it has to earn that.
  const auto choose = [&] {
    const auto best = std::ranges::max_element(scores, {}, &Scored::mean);
    const auto chosen =
        std::ranges::find_if(scores, [&](const Scored& at) { return as_good(at, *best); });
    return static_cast<std::size_t>(chosen - scores.begin());
  };
  scan(0, always_tried);
  if (scores.size() == always_tried && choose() + 1 == always_tried)
    scan(always_tried, factors.size());

  LambdaSearch search;
  if (scores.empty()) return search;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    search.curve.push_back(
        {factors[l] * bayes_lambda(data.rows, noise_sd), scores[l].mean(), scores[l].noise_sd});
  }
  search.lambda = search.curve[choose()].lambda;
  search.noise_sd = search.curve[choose()].noise_sd;
  return search;
}

}  // namespace lacuna
