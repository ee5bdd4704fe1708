// `lacuna study lambda`: what lambda does: excess risk, size of the network and acceptance along
// it.
#include <fmt/format.h>

#include <cmath>

#include "lacuna/plot.hpp"
#include "lacuna/theory.hpp"
#include "studies/slope.hpp"
#include "studies/study.hpp"

namespace lacuna::studies {
namespace {

constexpr double noise_sd = 0.1;
constexpr std::size_t inputs = 10, width = 16;

std::size_t row_count(const StudyOptions& options) { return options.small ? 200 : 500; }
std::size_t repetitions(const StudyOptions& options) { return options.small ? 1 : 5; }

Config configuration(const StudyOptions& options) {
  Config config;
  config.standardise = false;  // so that lambda means the same for every data set
  config.widths = {width, width};
  config.clip = 1.5;  // |f| <= 1.1
  config.lambda_rule = LambdaRule::number;
  config.burn_in = options.small ? 2000 : 8000;
  config.gap = 20;
  config.draws = options.small ? 100 : 250;
  return config;
}

double theory_lambda(const StudyOptions& options) {
  TheorySetting setting;
  setting.n = static_cast<double>(row_count(options));
  setting.inputs = inputs;
  setting.depth = 2;
  setting.width = width;
  setting.clip = configuration(options).clip;
  setting.sigma = noise_sd;
  return theory_report(setting).theory_lambda;
}
double bayes_lambda(const StudyOptions& options) {
  return static_cast<double>(row_count(options)) / (2.0 * noise_sd * noise_sd);
}

// Evenly on the logarithmic scale, from the theorem's to ten times Bayes'.
std::vector<double> values_of_lambda(const StudyOptions& options) {
  const std::size_t count = options.small ? 5 : 17;
  const double first = std::log(theory_lambda(options)),
               last = std::log(10.0 * bayes_lambda(options));
  std::vector<double> values;
  for (std::size_t k = 0; k < count; ++k) {
    values.push_back(
        std::exp(first + (last - first) * static_cast<double>(k) / static_cast<double>(count - 1)));
  }
  return values;
}

Values measured(const Fit& fit, const SimulatedData& test) {
  const Summary summary = fit.summary();
  double least = 1.0, most = 0.0;
  for (std::size_t j = 0; j < inputs; ++j) {
    const double share = summary.inclusion[j].probability;
    (j < 5 ? least : most) = j < 5 ? std::min(least, share) : std::max(most, share);
  }
  double trajectories = 0.0;
  for (const MoveSummary& move : summary.moves) {
    if (move.name == "trajectory") trajectories = acceptance(move);
  }
  const Excess excess = excess_of(fit, test);
  return {excess.of_mean,
          excess.of_draw,
          mean_of(summary, "live weights"),
          mean_of(summary, "active weights"),
          trajectories,
          jumps_per_step(summary),
          least,
          most};
}

std::string key_of(double lambda) { return fmt::format("{:.4g}", lambda); }

std::vector<Task> plan(const StudyOptions& options) {
  std::vector<Task> tasks;
  for (const double lambda : values_of_lambda(options)) {
    for (std::size_t k = 1; k <= repetitions(options); ++k) {
      const Simulation what{.name = "friedman",
                            .rows = row_count(options),
                            .inputs = inputs,
                            .noise_sd = noise_sd,
                            .seed = 1000 * options.seed + k};
      Config config = configuration(options);
      config.lambda = lambda;
      config.seed = what.seed;
      tasks.push_back({{key_of(lambda), std::to_string(k)}, [what, config](Workbench& bench) {
                         return measured(bench.fit(simulate(what).data, config), test_rows(what));
                       }});
    }
  }
  return tasks;
}

Page summarise(const Ledger& ledger, const StudyOptions& options) {
  Page page;
  page.text = fmt::format(
      "Friedman's function, {} inputs of which 5 matter, n = {}, noise sd {}, data as given, 2 "
      "layers "
      "of {} units, {} data sets.\nTheory: lambda = n / Xi_0 = {:.4g}. Bayes: n / (2 sigma^2) = "
      "{:.4g}. *Jumps*: changes of the active set accepted, per step.\n*Real*: the least share of "
      "draws that use one of the five real inputs, *noise*: the largest that use one of the "
      "others.\n\n"
      "| lambda | excess, mean | excess, a draw | live weights | active | trajectories accepted | "
      "jumps | real | noise |\n|---|---|---|---|---|---|---|---|---|\n",
      inputs, row_count(options), noise_sd, width, repetitions(options), theory_lambda(options),
      bayes_lambda(options));
  PlotCurve mean{.label = "posterior mean", .colour = 0}, draw{.label = "a draw", .colour = 1},
      live{.label = "live", .colour = 0}, active{.label = "active", .colour = 1},
      jumps{.label = "jumps accepted, per step", .colour = 0},
      trajectories{.label = "trajectories accepted, share", .colour = 1};
  const auto add = [](PlotCurve& curve, double x, const Centre& y) {
    curve.x.push_back(x);
    curve.y.push_back(y.value);
    curve.lower.push_back(y.lower);
    curve.upper.push_back(y.upper);
  };
  double best = std::numeric_limits<double>::infinity(), best_lambda = 0.0;
  for (const double lambda : values_of_lambda(options)) {
    const Key key = {key_of(lambda)};
    const auto average = [&](const char* column) {
      return arithmetic_mean(ledger.column(column, key));
    };
    const Centre excess = geometric_mean(ledger.column("excess", key));
    if (excess.value < best) {
      best = excess.value;
      best_lambda = lambda;
    }
    add(mean, lambda, excess);
    add(draw, lambda, geometric_mean(ledger.column("excess_draw", key)));
    add(live, lambda, average("live"));
    add(active, lambda, average("active"));
    add(jumps, lambda, average("jumps"));
    add(trajectories, lambda, average("trajectories"));
    page.text += fmt::format(
        "| {} | {:.3g} | {:.3g} | {:.0f} | {:.0f} | {:.0f}% | {:.3f} | {:.0f}% | {:.0f}% |\n",
        key_of(lambda), excess.value, draw.y.back(), live.y.back(), active.y.back(),
        100.0 * trajectories.y.back(), jumps.y.back(), 100.0 * average("real").value,
        100.0 * average("noise").value);
  }
  page.text += fmt::format(
      "\nThe excess risk of the mean is least at lambda = {:.4g}, {:.2g} times Bayes'.\n",
      best_lambda, best_lambda / bayes_lambda(options));
  Plot plot;
  plot.x_label = "lambda";
  plot.log_x = true;
  plot.marks = {{theory_lambda(options), "theory"}, {bayes_lambda(options), "Bayes"}};
  const auto picture = [&](const char* file, const char* title, const char* label, bool log_y,
                           std::vector<PlotCurve> curves) {
    Plot one = plot;
    one.title = title;
    one.description = title;
    one.y_label = label;
    one.log_y = log_y;
    one.curves = std::move(curves);
    page.pictures.emplace_back(file, picture_of_plot(one));
  };
  picture("excess.svg", "Excess risk along lambda", "excess risk", true, {mean, draw});
  picture("weights.svg", "Weights along lambda", "weights", false, {live, active});
  picture("acceptance.svg", "Acceptance along lambda", "accepted", false, {jumps, trajectories});
  return page;
}

}  // namespace

Study lambda_study() {
  return {"lambda",
          "What lambda does",
          "excess risk, active weights and acceptance along lambda",
          {"lambda", "repetition"},
          {"excess", "excess_draw", "live", "active", "trajectories", "jumps", "real", "noise"},
          plan,
          summarise};
}

}  // namespace lacuna::studies
