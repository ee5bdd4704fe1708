#include "run/lambda_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "posterior/lambda.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

// Times the Bayes lambda of the error to expect. The last ones are tried only while the score
// rises; then the values half way to the neighbours of the best one.
constexpr std::array<double, 8> factors = {0.25, 1, 4, 16, 64, 256, 1024, 4096};
constexpr std::size_t always_tried = 5;
constexpr double half_way = 2.0;
// In standard errors of the difference between two values, row by row.
constexpr double tolerance = 2.0, still_contending = 3.0, bayes_tolerance = 3.0;
constexpr double beyond = 2.0;  // how far from values that were compared: to the next
constexpr std::ptrdiff_t hotter_followed = 2;
constexpr ShortChain look{2000, 1000, 4'000'000'000}, comparison{20000, 20000, 4'000'000'000};

// Adds a chain to an equal mixture of `chains` others. Returns what it adds to the weighted sum
// over rows of the squared deviations of chain means from their mean.
double join(HeldOut& mixture, std::size_t chains, const HeldOut& chain, const Samples& held_out) {
  if (chains == 0) {
    mixture = chain;
    return 0.0;
  }
  const double share = 1.0 / static_cast<double>(chains + 1);
  double deviations = 0.0;
  for (std::size_t i = 0; i < mixture.mean.size(); ++i) {
    const double gap = chain.mean[i] - mixture.mean[i];
    mixture.mean[i] += share * gap;
    mixture.variance[i] = (1.0 - share) * mixture.variance[i] + share * chain.variance[i] +
                          share * (1.0 - share) * gap * gap;
    deviations += held_out.weight(i) * (1.0 - share) * gap * gap;
  }
  for (std::size_t j = 0; j < mixture.use.size(); ++j)
    mixture.use[j] += share * (chain.use[j] - mixture.use[j]);
  mixture.units += share * (chain.units - mixture.units);
  return deviations;
}

// Mean squared error of the means that are predicted, over the held-out rows of all folds.
double held_out_square(const std::vector<HeldOut>& predicted, const std::vector<Fold>& folds) {
  double squares = 0.0, weight = 0.0;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const Samples& held_out = *folds[k].held_out;
    for (std::size_t i = 0; i < held_out.rows(); ++i) {
      const double off = predicted[k].mean[i] - held_out.target()[i];
      squares += held_out.weight(i) * off * off;
      weight += held_out.weight(i);
    }
  }
  return squares / weight;
}

// Beside the difference row by row, which may be certain however small it is, one standard error of
// the best score itself (the rule of Breiman, Friedman, Olshen and Stone, 1984): so much the score
// would change with other rows, and it is not worth a posterior so cold that its bands of f miss
// the truth.
bool about_as_good(const LambdaTrial& other, const LambdaTrial& best, double standard_errors) {
  return best.score.mean() - other.score.mean() <= best.score.standard_error() ||
         as_good(other.score, best.score, standard_errors);
}

}  // namespace

LambdaChoice choose_lambda(const std::vector<LambdaTrial*>& contenders,
                           const std::vector<Fold>& folds, double error, double times) {
  const LambdaTrial& best = *contenders.front();
  const double own =
      error * error / std::max(held_out_square(best.predicted, folds), 1e-12);  // of Bayes
  LambdaChoice choice{best.factor, &best};
  double hottest = best.factor, coldest = best.factor;
  for (const LambdaTrial* t : contenders) {
    if (t->factor < choice.factor && about_as_good(*t, best, tolerance)) choice = {t->factor, t};
    if (!about_as_good(*t, best, bayes_tolerance)) continue;
    hottest = std::min(hottest, t->factor);
    coldest = std::max(coldest, t->factor);
  }
  if (own < hottest / beyond || own > coldest * beyond) return choice;
  choice.factor = std::min(times * own, std::max(own, coldest));
  for (const LambdaTrial* t : contenders) {
    const auto distance = [&](const LambdaTrial* one) {
      return std::abs(std::log(one->factor / choice.factor));
    };
    if (distance(t) < distance(choice.nearest)) choice.nearest = t;
  }
  return choice;
}

double LambdaCurve::lambda_of(double factor, double n) const {
  return factor * bayes_lambda(n, error_);
}

const LambdaTrial& LambdaCurve::best_look() const {
  return *std::ranges::max_element(tried_, {}, [](const LambdaTrial& t) { return t.score.mean(); });
}

// Adds a chain in each fold to each of these, or puts it in place of what is there. Changes nothing
// and says false if time has cut it short: only what all folds have reached can be compared.
bool LambdaCurve::run_chains(const std::vector<LambdaTrial*>& at, const std::vector<Trial>& trials,
                             ShortChain length, bool afresh) {
  const std::size_t count = folds_.size();
  std::vector<HeldOut> predicted(at.size() * count);
  parallel_for(predicted.size(), threads_, [&](std::size_t job) {
    const std::size_t k = job % count;
    if (stop_()) return;
    const double lambda = lambda_of(at[job / count]->factor, folds_[k].training->total_weight());
    predicted[job] = run_short_chain(trials[k], folds_[k], config_, lambda, length,
                                     next_chain_ + static_cast<std::uint32_t>(job));
  });
  next_chain_ += static_cast<std::uint32_t>(predicted.size());
  if (std::ranges::any_of(predicted, [](const HeldOut& f) { return f.mean.empty(); })) return false;
  for (std::size_t t = 0; t < at.size(); ++t) {
    LambdaTrial& trial = *at[t];
    if (afresh) {
      const double factor = trial.factor;
      trial = {};
      trial.factor = factor;
    }
    trial.predicted.resize(count);
    double deviations = 0.0, weight = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      const Samples& held_out = *folds_[k].held_out;
      deviations += join(trial.predicted[k], trial.chains, predicted[t * count + k], held_out);
      weight += held_out.total_weight();
    }
    // The running mean of an unbiased variance: sums of squares with chains - 1 degrees of freedom.
    if (trial.chains > 0) {
      const auto degrees = static_cast<double>(trial.chains);
      trial.between = (trial.between * (degrees - 1.0) + deviations / weight) / degrees;
    }
    ++trial.chains;
    trial.score = score(folds_, trial.predicted, error_);
  }
  return true;
}

bool LambdaCurve::try_factor(double factor, const std::vector<Trial>& trials) {
  LambdaTrial trial;
  trial.factor = factor;
  if (!run_chains({&trial}, trials, look, true)) return false;
  tried_.push_back(std::move(trial));
  return true;
}

void LambdaCurve::explore(const std::vector<Trial>& trials) {
  for (std::size_t l = 0; l < factors.size(); ++l) {
    // Beyond the values always tried, only while colder is better.
    if (l >= always_tried && &best_look() != &tried_.back()) break;
    if (!try_factor(factors[l], trials)) break;
  }
  if (tried_.empty()) return;
  const double middle = best_look().factor;
  if (try_factor(middle / half_way, trials)) try_factor(middle * half_way, trials);
  std::ranges::sort(tried_, {}, &LambdaTrial::factor);
  // The looks are too short for hot lambdas, where chains have further to go from their start, so
  // more of those are followed.
  const std::ptrdiff_t best_place = &best_look() - tried_.data();
  for (std::ptrdiff_t place = best_place - hotter_followed; place <= best_place + 1; ++place) {
    if (place >= 0 && place < std::ssize(tried_))
      contenders_.push_back(&tried_[static_cast<std::size_t>(place)]);
  }
  rank_contenders();
}

void LambdaCurve::rank_contenders() {
  std::ranges::stable_sort(contenders_, std::greater<>(),
                           [](const LambdaTrial* t) { return t->score.mean(); });
}

std::vector<Trial> LambdaCurve::train(std::size_t round, double factor) const {
  std::vector<std::optional<Trial>> trained(folds_.size());
  parallel_for(folds_.size(), threads_, [&](std::size_t k) {
    RandomStream stream({config_.seed, static_cast<std::uint32_t>(k),
                         static_cast<std::uint32_t>(round), 3 + 4 * number_, Purpose::search});
    const double lambda = lambda_of(factor, folds_[k].training->total_weight());
    trained[k] = make_trial(folds_[k], config_, widths_, lambda, stream, stop_);
  });
  std::vector<Trial> trials;
  for (std::optional<Trial>& trial : trained) trials.push_back(std::move(*trial));
  return trials;
}

void LambdaCurve::compare_contenders(const TrainedRounds& trained) {
  // The first looks are not part of the comparison.
  if (!run_chains(contenders_, trained.front(), comparison, true)) return;
  rank_contenders();
  // While the hottest of them is good enough to be chosen, a hotter one may be.
  for (LambdaTrial* hottest = std::ranges::min(contenders_); hottest > tried_.data();) {
    if (!about_as_good(*hottest, *contenders_.front(), tolerance)) break;
    --hottest;
    if (!run_chains({hottest}, trained.front(), comparison, true)) return;
    contenders_.push_back(hottest);
    rank_contenders();
  }
  for (std::size_t round = 1; round < config_.chains; ++round) {
    std::vector<LambdaTrial*> left;
    for (LambdaTrial* t : contenders_) {
      if (about_as_good(*t, *contenders_.front(), still_contending)) left.push_back(t);
    }
    const bool done = round < trained.size()
                          ? run_chains(left, trained[round], comparison, false)
                          : run_chains(left, train(round, left.front()->factor), comparison, false);
    if (!done) return;
    contenders_ = std::move(left);
    rank_contenders();
  }
}

}  // namespace lacuna
