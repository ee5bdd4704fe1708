// `lacuna predict` and `lacuna draws`: from a fit file to tables.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/fit_options.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"
#include "lacuna/options.hpp"

namespace lacuna::cli {
namespace {

struct PredictArguments {
  std::string fit, data, out, estimator = "mean", interval = "0.9", missing = "error",
                              threads = "0";
  std::vector<std::string> quantiles;
  bool score = false;
};

PointEstimator estimator_from(const std::string& text) {
  if (text == "mean") return PointEstimator::mean;
  if (text == "draw") return PointEstimator::draw;
  if (text == "map") return PointEstimator::map;
  throw Error(ErrorKind::usage, fmt::format("estimator={}: must be mean, draw or map", text));
}

std::vector<double> levels_from(const std::vector<std::string>& texts) {
  std::vector<double> levels;
  for (const std::string& text : texts) {
    const double level = number_from("quantiles", text);
    if (!(level > 0.0 && level < 1.0)) {
      throw Error(ErrorKind::usage, fmt::format("quantiles={}: must lie between 0 and 1", text));
    }
    if (std::ranges::find(levels, level) != levels.end()) {
      throw Error(ErrorKind::usage, fmt::format("quantiles={}: given twice", text));
    }
    levels.push_back(level);
  }
  return levels;
}

// The new rows, with their targets if the predictions are to be scored.
Dataset read_new_rows(const PredictArguments& a, const FitInfo& info) {
  const MissingValues missing = a.missing == "drop" ? MissingValues::drop : MissingValues::error;
  if (a.score) return read_observations(a.data, info.input_names, info.target_name, missing);
  Inputs inputs = read_inputs(a.data, info.input_names, missing);
  Dataset data;
  data.rows = inputs.rows;
  data.dropped_rows = inputs.dropped_rows;
  data.x = std::move(inputs.x);
  return data;
}

int predict(const PredictArguments& a) {
  PredictOptions options;
  options.estimator = estimator_from(a.estimator);
  options.level = number_from("interval", a.interval);
  options.quantiles = levels_from(a.quantiles);
  options.threads = count_from("threads", a.threads);
  if (!(options.level > 0.0 && options.level < 1.0)) {
    throw Error(ErrorKind::usage, fmt::format("interval={}: must lie between 0 and 1", a.interval));
  }
  if (a.missing != "error" && a.missing != "drop") {
    throw Error(ErrorKind::usage, fmt::format("na={}: must be drop or error", a.missing));
  }
  check_not_input(a.out, a.fit);
  check_not_input(a.out, a.data);
  const Fit fit = Fit::open(a.fit);
  const Dataset data = read_new_rows(a, fit.info());
  if (data.dropped_rows > 0) {
    fmt::print(stderr, "warning: rows left out because of missing values: {}; {} has {}\n",
               data.dropped_rows, a.out, data.rows);
  }
  options.observed = data.y;
  const Prediction prediction = fit.predict(data.x, data.rows, options);
  write_prediction_csv(prediction, a.out);
  if (!a.score) return 0;
  const Scores scores = mean_scores(prediction, data.y);
  fmt::print(
      "{} rows: RMSE {:.6g}, mean log score {:.6g}, mean CRPS {:.6g}, {:.1f}% inside the "
      "{:g}% interval\n",
      data.rows, scores.rmse, scores.log_score, scores.crps, 100.0 * scores.coverage,
      100.0 * options.level);
  return 0;
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("predict", "Predict new rows with a fit");
  command->footer(
      "Writes one line per row: mean,sd,f_lower,f_upper,y_lower,y_upper\n"
      "  mean, sd          posterior mean and standard deviation of the function f\n"
      "  f_lower, f_upper  credible interval of f: where the curve is (noise not included)\n"
      "  y_lower, y_upper  predictive interval: where an observation falls (noise included)\n"
      "With --quantiles also q0.05 and the like: quantiles of an observation (noise included).\n"
      "With --score also, for each row's observed target,\n"
      "  log_score         log predictive density, in units of the target (higher is better)\n"
      "  crps              continuous ranked probability score, same units (lower is better)\n"
      "  pit               predictive probability of a smaller observation (uniform if right)");
  auto a = std::make_shared<PredictArguments>();
  command->add_option("FILE", a->fit, "the fit, FILE.lacuna")->required();
  command
      ->add_option("NEW", a->data, "CSV or .npy; columns are matched by name, others are ignored")
      ->required();
  command->add_option("--out", a->out, "where the predictions go")
      ->required()
      ->type_name("PRED.csv");
  command
      ->add_option("--estimator", a->estimator,
                   "what column 'mean' holds: posterior mean, one draw, or MAP [mean]")
      ->type_name("mean|draw|map");
  command->add_option("--interval", a->interval, "probability inside both intervals [0.9]")
      ->type_name("LEVEL");
  command
      ->add_option("--quantiles", a->quantiles,
                   "also these quantiles of an observation, noise included")
      ->delimiter(',')
      ->type_name("Q,Q");
  command->add_flag("--score", a->score,
                    "score the predictions with the target column, which NEW must have");
  command
      ->add_option("--na", a->missing, "rows with missing values: leave them out, or stop [error]")
      ->type_name("drop|error");
  command->add_option("--threads", a->threads, "threads to use [one per core]")->type_name("T");
  command->callback([a, &action] { action = [a] { return predict(*a); }; });
}

void add_draws(CLI::App& app, Action& action) {
  struct Arguments {
    std::string fit, out;
  };
  CLI::App* command = app.add_subcommand("draws", "Export the posterior draws as CSV");
  command->footer(
      "Columns: chain,draw,log_prior,risk,n_active,theta\n"
      "theta lists the active weights as index:value pairs in the flat order W1 (row by row), v1, "
      "W2, v2, ...");
  auto a = std::make_shared<Arguments>();
  command->add_option("FILE", a->fit, "the fit, FILE.lacuna")->required();
  command->add_option("--out", a->out, "where the draws go")->required()->type_name("DRAWS.csv");
  command->callback([a, &action] {
    action = [a] {
      check_not_input(a->out, a->fit);
      write_draws_csv(Fit::open(a->fit), a->out);
      return 0;
    };
  });
}

}  // namespace lacuna::cli
