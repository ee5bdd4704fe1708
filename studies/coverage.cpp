// `lacuna study coverage`: how wide the credible bands of f are and how much of the truth they
// hold, at the theorem's lambda, at Bayes' and at the one chosen from the data.
#include <fmt/format.h>

#include <cmath>

#include "lacuna/plot.hpp"
#include "studies/slope.hpp"
#include "studies/study.hpp"

namespace lacuna::studies {
namespace {

constexpr double level = 0.9, noise_sd = 0.1;
constexpr const char* rules[] = {"theory", "bayes", "auto"};

struct Example {
  const char* name;
  std::size_t inputs;
};

std::vector<Example> examples(const StudyOptions& options) {
  if (options.small) return {{"authors", 1}};
  return {{"authors", 1}, {"hierarchical", 5}, {"friedman", 10}};
}
std::vector<std::size_t> sizes(const StudyOptions& options) {
  return options.small ? std::vector<std::size_t>{200} : std::vector<std::size_t>{250, 1000};
}
std::size_t repetitions(const StudyOptions& options) { return options.small ? 3 : 10; }

Config configuration(const std::string& rule, bool small, std::uint64_t seed) {
  Config config;
  config.lambda_rule = rule == "theory"  ? LambdaRule::theory
                       : rule == "bayes" ? LambdaRule::bayes
                                         : LambdaRule::automatic;
  if (rule != "auto") config.noise_sd = noise_sd;
  config.widths = {16, 16};
  config.burn_in = small ? 2000 : 5000;
  config.gap = 20;
  config.draws = small ? 100 : 250;
  config.seed = seed;
  return config;
}

Values measured(const Fit& fit, const SimulatedData& test) {
  const Prediction p = fit.predict(test.data.x, test.data.rows, {.level = level, .threads = 1});
  const auto rows = static_cast<double>(test.data.rows);
  double inside = 0.0, width = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < test.data.rows; ++i) {
    inside += (p.f_lower[i] <= test.truth[i] && test.truth[i] <= p.f_upper[i]) / rows;
    width += (p.f_upper[i] - p.f_lower[i]) / rows;
    squares += (p.mean[i] - test.truth[i]) * (p.mean[i] - test.truth[i]) / rows;
  }
  return {fit.info().lambda, inside, width, squares, mean_of(fit.summary(), "live weights")};
}

std::vector<Task> plan(const StudyOptions& options) {
  std::vector<Task> tasks;
  for (const Example& example : examples(options)) {
    for (const std::size_t n : sizes(options)) {
      for (const std::string rule : rules) {
        for (std::size_t k = 1; k <= repetitions(options); ++k) {
          const Simulation what{.name = example.name,
                                .rows = n,
                                .inputs = example.inputs,
                                .noise_sd = noise_sd,
                                .seed = 1000 * options.seed + k};
          const Config config = configuration(rule, options.small, what.seed);
          tasks.push_back({{example.name, std::to_string(n), rule, std::to_string(k)},
                           [what, config](Workbench& bench) {
                             return measured(bench.fit(simulate(what).data, config),
                                             test_rows(what, 2000));
                           },
                           static_cast<double>(n) * (rule == "auto" ? 5.0 : 1.0)});
        }
      }
    }
  }
  return tasks;
}

Page summarise(const Ledger& ledger, const StudyOptions& options) {
  Page page;
  page.text = fmt::format(
      "90% credible bands of f (noise not included), at {} fresh inputs of {} data sets each, "
      "noise "
      "sd {}, 2 layers of 16 units.\n*theory* is lambda = n / Xi_0 of the theorem, *bayes* "
      "n / (2 sigma^2), *auto* the lambda chosen on held-out rows. *Inside* is the\nshare of the "
      "truth that the bands hold, *width* their mean width in standard deviations of the noise.\n\n"
      "| example | n | lambda | its value | inside | width / noise | error of the mean / noise | "
      "live "
      "weights |\n|---|---|---|---|---|---|---|---|\n",
      2000, repetitions(options), noise_sd);
  Plot plot;
  plot.title = "Bands of f: how much of the truth they hold";
  plot.note = "each point the mean over data sets of one example and n";
  plot.description = "Coverage of the truth by 90% credible bands against their width.";
  plot.x_label = "mean width of the band, in standard deviations of the noise";
  plot.y_label = "share of the truth inside";
  for (std::size_t k = 0; k < std::size(rules); ++k) {
    PlotCurve points{.label = fmt::format("lambda {}", rules[k]), .colour = k};
    for (const Example& example : examples(options)) {
      for (const std::size_t n : sizes(options)) {
        const Key key = {example.name, std::to_string(n), rules[k]};
        const Centre inside = arithmetic_mean(ledger.column("inside", key));
        const double width = arithmetic_mean(ledger.column("width", key)).value / noise_sd;
        page.text += fmt::format(
            "| {} | {} | {} | {:.4g} | {:.0f}% ({:.0f} to {:.0f}) | {:.2f} | {:.2f} | {:.0f} |\n",
            example.name, n, rules[k], geometric_mean(ledger.column("lambda", key)).value,
            100.0 * inside.value, 100.0 * std::max(inside.lower, 0.0),
            100.0 * std::min(inside.upper, 1.0), width,
            std::sqrt(arithmetic_mean(ledger.column("excess", key)).value) / noise_sd,
            arithmetic_mean(ledger.column("live", key)).value);
        points.x.push_back(width);
        points.y.push_back(inside.value);
        points.lower.push_back(std::max(inside.lower, 0.0));
        points.upper.push_back(std::min(inside.upper, 1.0));
      }
    }
    plot.curves.push_back(points);
  }
  double widest = 0.0;
  for (const PlotCurve& curve : plot.curves)
    for (const double width : curve.x) widest = std::max(widest, width);
  plot.curves.push_back({.label = "90%",
                         .x = {0.0, widest},
                         .y = {level, level},
                         .style = CurveStyle::dashes,
                         .colour = 4});
  page.pictures.emplace_back("coverage.svg", picture_of_plot(plot));
  return page;
}

}  // namespace

Study coverage_study() {
  return {"coverage",
          "Coverage: do the bands of f hold the truth?",
          "credible bands of f at theory, Bayes and chosen lambda",
          {"example", "rows", "rule", "repetition"},
          {"lambda", "inside", "width", "excess", "live"},
          plan,
          summarise};
}

}  // namespace lacuna::studies
