#include "run/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
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
// Two or three layers of 8, 16, 32 or 64 units.
constexpr double most_sizes = 8.0;
constexpr std::size_t usual_widths[] = {8, 16, 32, 64};
constexpr double room = 1.25;  // for units beyond those that are live
// With fewer rows only two layers of 32 units: training others would take most of the time.
constexpr std::size_t fewest_rows_for_large = 250;
// Share of draws in which an input has to be used to be kept, and how many standard errors of the
// difference worse networks without the others may predict.
constexpr double least_use = 0.5, input_tolerance = 1.0;
// With more rows inputs that mean nothing do little harm, and to look a second time takes long.
constexpr std::size_t most_rows_to_leave_out = 1000;
// Where inputs were left out lambda may be so many times its Bayes value: there is no noise left
// among the inputs that a colder posterior could take for signal. Not where all were used from the
// start: on the authors' function bands of f hold less of the truth then, for the same error
// (docs/samplers.md).
constexpr double bayes_times = 2.0;

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

// Networks of each shape in each fold, two of each. `number` names their random streams.
std::vector<TrainedRounds> train_all(const std::vector<Fold>& folds, const Config& config,
                                     const std::vector<std::vector<std::size_t>>& widths,
                                     double noise, std::size_t threads,
                                     const std::function<bool()>& stop, std::uint32_t number = 0) {
  const std::size_t each = folds.size() * first_rounds;
  std::vector<std::optional<Trial>> trials(each * widths.size());
  parallel_for(trials.size(), threads, [&](std::size_t job) {
    const std::size_t s = widths.size() - 1 - job / each;  // the largest first
    const std::size_t round = job % each / folds.size(), k = job % folds.size();
    RandomStream stream({config.seed, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(s),
                         1 + 4 * (round + first_rounds * number), Purpose::search});
    const double lambda = 16.0 * bayes_lambda(folds[k].training->total_weight(), noise);
    trials[s * each + job % each] = make_trial(folds[k], config, widths[s], lambda, stream, stop);
  });
  std::vector<TrainedRounds> trained(widths.size(), TrainedRounds(first_rounds));
  for (std::size_t job = 0; job < trials.size(); ++job)
    trained[job / each][job % each / folds.size()].push_back(std::move(*trials[job]));
  return trained;
}

// The inputs that chains at a lambda use, in each fold by its own chains and over all folds.
struct UsedInputs {
  std::vector<std::vector<std::size_t>> in_fold;
  std::vector<std::size_t> in_all;

  // Some are not used, but no fold uses none.
  bool can_leave_out(std::size_t inputs) const {
    return in_all.size() < inputs && !in_all.empty() &&
           std::ranges::none_of(in_fold, [](const auto& used) { return used.empty(); });
  }
};

std::vector<std::size_t> used(const std::vector<double>& use) {
  std::vector<std::size_t> inputs;
  for (std::size_t j = 0; j < use.size(); ++j)
    if (use[j] >= least_use) inputs.push_back(j);
  return inputs;
}

UsedInputs used_inputs(const LambdaTrial& trial) {
  UsedInputs out;
  std::vector<double> mean(trial.predicted.front().use.size());
  for (const HeldOut& fold : trial.predicted) {
    out.in_fold.push_back(used(fold.use));
    for (std::size_t j = 0; j < mean.size(); ++j)
      mean[j] += fold.use[j] / static_cast<double>(trial.predicted.size());
  }
  out.in_all = used(mean);
  return out;
}

// Of the fullest hidden layer, on average over folds.
double live_units(const LambdaTrial& trial) {
  double sum = 0.0;
  for (const HeldOut& fold : trial.predicted) sum += fold.units;
  return sum / static_cast<double>(trial.predicted.size());
}

// The curve of networks with these inputs; null if time was too short for one like `whole`.
std::unique_ptr<LambdaCurve> curve_without_the_others(const UsedInputs& inputs,
                                                      std::vector<Fold>& folds,
                                                      const Config& config, const Search& found,
                                                      std::size_t chains, std::size_t threads,
                                                      const std::function<bool()>& stop) {
  for (std::size_t k = 0; k < folds.size(); ++k) folds[k] = folds[k].with_inputs(inputs.in_fold[k]);
  const TrainedRounds trained =
      train_all(folds, config, {found.widths}, found.error, threads, stop, 1).front();
  if (stop()) return nullptr;
  auto curve =
      std::make_unique<LambdaCurve>(folds, config, found.widths, found.error, threads, stop, 1);
  curve->explore(trained.front());
  if (curve->tried().empty()) return nullptr;
  curve->compare_contenders(trained);
  return curve->chosen().nearest->chains < chains ? nullptr : std::move(curve);
}

}  // namespace

std::vector<std::size_t> narrowed(std::vector<std::size_t> widths, double live_units) {
  const auto* enough = std::ranges::find_if(usual_widths, [&](std::size_t width) {
    return static_cast<double>(width) >= room * live_units;
  });
  if (enough == std::end(usual_widths)) return widths;
  for (std::size_t& width : widths) width = std::min(width, *enough);
  return widths;
}

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

  LambdaCurve whole(folds, config, out.widths, out.error, threads, stop);
  whole.explore(chosen.front());
  if (whole.tried().empty()) return out;
  whole.compare_contenders(chosen);
  const LambdaCurve* curve = &whole;
  double times = 1.0;
  std::vector<Fold> fewer = folds;
  std::unique_ptr<LambdaCurve> without;
  const LambdaTrial& at = *whole.chosen().nearest;
  const UsedInputs inputs = used_inputs(at);
  if (config.inputs == InputRule::automatic && data.rows <= most_rows_to_leave_out &&
      inputs.can_leave_out(data.inputs) && !stop()) {
    without = curve_without_the_others(inputs, fewer, config, out, at.chains, threads, stop);
    if (without && as_good(without->best().score, whole.best().score, input_tolerance)) {
      curve = without.get();
      out.inputs = inputs.in_all;
    }
  }
  if (!out.inputs.empty()) times = bayes_times;
  const bool all_used = !out.inputs.empty() || inputs.in_all.size() == data.inputs;
  if (all_used && config.widths.empty() && !config.width)
    out.widths = narrowed(out.widths, live_units(*curve->chosen(times).nearest));

  const double n = total_weight(data);
  for (const LambdaTrial& t : curve->tried())
    out.curve.push_back({curve->lambda_of(t.factor, n), t.score.mean(), t.score.noise_sd});
  const LambdaChoice lambda = curve->chosen(times);
  out.lambda = curve->lambda_of(lambda.factor, n);
  const std::size_t left = out.inputs.empty() ? data.inputs : out.inputs.size();
  const std::size_t walkers =
      walkers_for(config, Architecture(left, out.widths).parameter_count(), data.rows);
  out.noise = fit_noise(config, config.chains * walkers, folds, *lambda.nearest, threads, stop);
  return out;
}

double priors_in_search(const FitInfo& info) {
  if (info.lambda_curve.empty()) return 1.0;
  double priors = most_sizes;
  if (info.config.inputs == InputRule::automatic) priors *= 2.0;
  const auto p = static_cast<double>(info.input_names.size());
  if (info.network_inputs.empty()) return priors;
  priors *= p;
  for (std::size_t k = 0; k < info.network_inputs.size(); ++k)
    priors *= (p - static_cast<double>(k)) / static_cast<double>(k + 1);
  return priors;
}

}  // namespace lacuna
