#include "run/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "posterior/lambda.hpp"
#include "run/lambda_curve.hpp"
#include "run/noise_fit.hpp"
#include "run/trial.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

// A larger network has to predict held-out rows better by more than this many standard errors.
constexpr double size_tolerance = 2.0;
// Networks trained of each shape in each fold: how one turns out is partly chance.
constexpr std::size_t first_rounds = 2;
// With fewer rows only two layers of 32 units: training others would take most of the time.
constexpr std::size_t fewest_rows_for_large = 250;

std::vector<std::vector<std::size_t>> shapes(const Config& config, std::size_t rows) {
  if (!config.widths.empty()) return {config.widths};
  std::vector<std::vector<std::size_t>> all;
  std::vector<std::size_t> widths{32, 64}, depths{2, 3};
  if (rows < fewest_rows_for_large) widths = {32}, depths = {2};
  if (config.width) widths = {*config.width};
  if (config.depth) depths = {*config.depth};
  for (const std::size_t depth : depths) {
    for (const std::size_t width : widths) {
      // Narrow and deep at once has not paid.
      if (!config.depth && !config.width && depth == 3 && width == 32) continue;
      all.emplace_back(depth, width);
    }
  }
  return all;
}

// What the networks of each fold predict together for its held-out rows: larger ones differ more
// from each other and gain more from being averaged, as they are in a fit.
std::vector<HeldOut> predict_together(const std::vector<Fold>& folds, const TrainedRounds& rounds) {
  std::vector<HeldOut> out;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const std::size_t rows = folds[k].held_out->rows();
    HeldOut here{std::vector<double>(rows), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0.0, squares = 0.0;
      for (const std::vector<Trial>& round : rounds) {
        sum += round[k].held_out[i];
        squares += round[k].held_out[i] * round[k].held_out[i];
      }
      const auto count = static_cast<double>(rounds.size());
      here.mean[i] = sum / count;
      here.variance[i] = std::max(0.0, squares / count - here.mean[i] * here.mean[i]);
    }
    out.push_back(std::move(here));
  }
  return out;
}

// Root mean square error of single networks.
double error_of(const std::vector<Trial>& trials) {
  double square = 0.0;
  for (const Trial& trial : trials)
    square += trial.held_out_square / static_cast<double>(trials.size());
  return std::max(std::sqrt(square), 1e-6);
}

// The smallest shape that predicts about as well as the best one.
std::size_t best_shape(const std::vector<Fold>& folds, const std::vector<TrainedRounds>& trained) {
  double error = std::numeric_limits<double>::infinity();
  for (const TrainedRounds& rounds : trained) error = std::min(error, error_of(rounds.front()));
  std::vector<HeldOutScore> scores;
  for (const TrainedRounds& rounds : trained)
    scores.push_back(score(folds, predict_together(folds, rounds), error));
  const HeldOutScore& best = *std::ranges::max_element(scores, {}, &HeldOutScore::mean);
  const auto smallest = std::ranges::find_if(
      scores, [&](const HeldOutScore& s) { return as_good(s, best, size_tolerance); });
  return static_cast<std::size_t>(smallest - scores.begin());
}

// Networks of each shape in each fold, two of each.
std::vector<TrainedRounds> train_all(const std::vector<Fold>& folds, const Config& config,
                                     const std::vector<std::vector<std::size_t>>& widths,
                                     double noise, std::size_t threads,
                                     const std::function<bool()>& stop) {
  const std::size_t each = folds.size() * first_rounds;
  std::vector<std::optional<Trial>> trials(each * widths.size());
  parallel_for(trials.size(), threads, [&](std::size_t job) {
    const std::size_t s = widths.size() - 1 - job / each;  // the largest first
    const std::size_t round = job % each / folds.size(), k = job % folds.size();
    RandomStream stream({config.seed, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(s),
                         1 + 4 * round, Purpose::search});
    const double lambda = 16.0 * bayes_lambda(folds[k].training->total_weight(), noise);
    trials[s * each + job % each] = make_trial(folds[k], config, widths[s], lambda, stream, stop);
  });
  std::vector<TrainedRounds> trained(widths.size(), TrainedRounds(first_rounds));
  for (std::size_t job = 0; job < trials.size(); ++job)
    trained[job / each][job % each / folds.size()].push_back(std::move(*trials[job]));
  return trained;
}

}  // namespace

Search search(const Dataset& data, const Config& config, std::size_t threads,
              const std::function<bool()>& stop) {
  Search out;
  const std::vector<Fold> folds = make_folds(data, config.seed);
  const std::vector<std::vector<std::size_t>> tried = shapes(config, data.rows);
  const std::vector<TrainedRounds> trained =
      train_all(folds, config, tried, estimate_noise_sd(data), threads, stop);
  const std::size_t shape = best_shape(folds, trained);
  const TrainedRounds& chosen = trained[shape];
  out.widths = tried[shape];
  out.error = error_of(chosen.front());
  if (stop()) return out;

  LambdaCurve curve(folds, config, out.widths, out.error, threads, stop);
  curve.explore(chosen.front());
  if (curve.tried().empty()) return out;
  curve.compare_contenders(chosen);
  const double n = total_weight(data);
  for (const LambdaTrial& t : curve.tried())
    out.curve.push_back({curve.lambda_of(t.factor, n), t.score.mean(), t.score.noise_sd});
  const LambdaChoice lambda = curve.chosen();
  out.lambda = curve.lambda_of(lambda.factor, n);
  const std::size_t walkers =
      walkers_for(config, Architecture(data.inputs, out.widths).parameter_count(), data.rows);
  out.noise = fit_noise(config, config.chains * walkers, folds, *lambda.nearest, threads, stop);
  return out;
}

}  // namespace lacuna
