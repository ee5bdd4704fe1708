// `lacuna predict` and `lacuna draws`: from a fit file to tables.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/fit_options.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"

namespace lacuna::cli {
namespace {

struct PredictArguments {
  std::string fit, data, out, estimator = "mean", interval = "0.9", missing = "error",
                              threads = "0";
};

PointEstimator estimator_from(const std::string& text) {
  if (text == "mean") return PointEstimator::mean;
  if (text == "draw") return PointEstimator::draw;
  if (text == "map") return PointEstimator::map;
  throw Error(ErrorKind::usage, fmt::format("estimator={}: must be mean, draw or map", text));
}

int predict(const PredictArguments& a) {
  PredictOptions options;
  options.estimator = estimator_from(a.estimator);
  options.level = number_from("interval", a.interval);
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
  const Inputs inputs =
      read_inputs(a.data, fit.info().input_names,
                  a.missing == "drop" ? MissingValues::drop : MissingValues::error);
  if (inputs.dropped_rows > 0) {
    fmt::print(stderr, "warning: rows left out because of missing values: {}; {} has {}\n",
               inputs.dropped_rows, a.out, inputs.rows);
  }
  write_prediction_csv(fit.predict(inputs.x, inputs.rows, options), a.out);
  return 0;
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("predict", "Predict new rows with a fit");
  command->footer(
      "Writes one line per row: mean,sd,f_lower,f_upper,y_lower,y_upper\n"
      "  mean, sd          posterior mean and standard deviation of the function f\n"
      "  f_lower, f_upper  credible interval of f: where the curve is (noise not included)\n"
      "  y_lower, y_upper  predictive interval: where an observation falls (noise included)");
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
