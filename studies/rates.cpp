// `lacuna study rates`: the excess risk against the number of rows, beside the exponents of the
// paper's rates for hierarchical functions (Theorem on rates, Section 3).
#include <fmt/format.h>

#include <cmath>

#include "lacuna/plot.hpp"
#include "lacuna/theory.hpp"
#include "studies/slope.hpp"
#include "studies/study.hpp"

namespace lacuna::studies {
namespace {

constexpr double noise_sd = 0.1;

struct FunctionClass {
  std::string name;
  Simulation simulation;
  HierarchicalClass theory;
  std::string words;
};

// Compositions of functions of two variables, and one of a single variable that is rough
// everywhere.
std::vector<FunctionClass> classes(bool small) {
  const auto composition = [](double beta) {
    return FunctionClass{
        fmt::format("composition {}", beta),
        {.name = "hierarchical", .noise_sd = noise_sd, .smoothness = beta},
        {.components = {2}, .arguments = {2, 2}, .smoothness = {beta, beta}},
        fmt::format("g1(g0(x)), functions of 2 variables with smoothness {}", beta)};
  };
  std::vector<FunctionClass> all = {composition(1.0), composition(2.0)};
  if (small) return all;
  all.insert(all.begin(), composition(0.5));
  all.push_back({"rough 0.8",
                 {.name = "rough", .noise_sd = noise_sd, .smoothness = 0.8},
                 {.components = {}, .arguments = {1}, .smoothness = {0.8}},
                 "a function of 1 variable with smoothness 0.8 everywhere"});
  return all;
}

struct Design {
  std::vector<std::size_t> rows, inputs;
  std::size_t repetitions;
};

Design design(const StudyOptions& options) {
  if (options.small) return {{100, 200, 400}, {5, 20}, 3};
  return {{400, 800, 1600, 3200, 6400, 12800}, {5, 50}, 10};
}

// One configuration for every class, size and dimension: only the noise level is known to it.
Config configuration(bool small, std::uint64_t seed) {
  Config config;
  config.widths = {32, 32};
  config.lambda_rule = LambdaRule::bayes;
  config.noise_sd = noise_sd;
  config.burn_in = small ? 2000 : 4000;
  config.gap = 20;
  config.draws = small ? 100 : 200;
  config.seed = seed;
  return config;
}

std::vector<Task> plan(const StudyOptions& options) {
  const Design d = design(options);
  std::vector<Task> tasks;
  for (const FunctionClass& one : classes(options.small)) {
    for (const std::size_t p : d.inputs) {
      for (const std::size_t n : d.rows) {
        for (std::size_t k = 1; k <= d.repetitions; ++k) {
          Simulation what = one.simulation;
          what.rows = n;
          what.inputs = p;
          what.seed = 1000 * options.seed + k;
          const Config config = configuration(options.small, what.seed);
          tasks.push_back(
              {{one.name, std::to_string(p), std::to_string(n), std::to_string(k)},
               [what, config](Workbench& bench) -> Values {
                 const Fit fit = bench.fit(simulate(what).data, config);
                 const Excess excess = excess_of(fit, test_rows(what));
                 return {excess.of_mean, excess.of_draw, mean_of(fit.summary(), "live weights")};
               },
               static_cast<double>(n)});
        }
      }
    }
  }
  return tasks;
}

// How steep the rate itself is over these n, its logarithms included.
double slope_of_rate(const FunctionClass& one, const Design& d, std::size_t p) {
  std::vector<double> x, y;
  for (const std::size_t n : d.rows) {
    x.push_back(std::log(static_cast<double>(n)));
    y.push_back(std::log(rate_report(one.theory, static_cast<double>(n), p).rate));
  }
  return -fitted_slope(x, y).slope;
}

std::string agree(const Slope& a, const Slope& b) {
  const auto holds = [](const Slope& one, const Slope& other) {
    return one.lower <= other.slope && other.slope <= one.upper;
  };
  if (holds(a, b) && holds(b, a)) return "each lies in the other's interval";
  if (a.lower <= b.upper && b.lower <= a.upper) return "the intervals overlap";
  return "they differ";
}

Page summarise(const Ledger& ledger, const StudyOptions& options) {
  const Design d = design(options);
  Page page;
  page.text = fmt::format(
      "The posterior mean's squared distance from the truth, against the number of rows n "
      "({} to {}, {} repetitions each),\nfor functions of different smoothness and intrinsic "
      "dimension, among {} and {} inputs. One configuration for all of\nthem (2 layers of 32 "
      "units, "
      "lambda = n / (2 sigma^2), noise sd {}): it knows neither smoothness nor which inputs "
      "matter.\n\n"
      "- *exponent*: of the paper's rate (log(max(p, n)) log^2 n / n)^exponent, which holds for "
      "the "
      "worst function of a class;\n  functions with few kinks, like the compositions, are easier "
      "and may fall faster.\n"
      "- *with logs*: how steep the rate itself is over these n, its logarithms included.\n"
      "- *measured*: minus the slope of log excess risk over log n, with its 95% interval.\n\n"
      "| class | p | exponent | with logs | measured | at least as steep | excess risk, n = {} | n "
      "= {} | "
      "live weights |\n|---|---|---|---|---|---|---|---|---|\n",
      d.rows.front(), d.rows.back(), d.repetitions, d.inputs.front(), d.inputs.back(), noise_sd,
      d.rows.front(), d.rows.back());
  std::string agreement;
  for (const FunctionClass& one : classes(options.small)) {
    Plot plot;
    plot.title = fmt::format("Excess risk falls with n: {}", one.name);
    plot.note = one.words;
    plot.x_label = "rows n";
    plot.y_label = "excess risk of the posterior mean";
    plot.log_x = plot.log_y = true;
    std::vector<Slope> slopes;
    for (std::size_t k = 0; k < d.inputs.size(); ++k) {
      const std::size_t p = d.inputs[k];
      std::vector<double> x, y;
      PlotCurve points{.label = fmt::format("p = {}", p), .colour = k};
      for (const std::size_t n : d.rows) {
        const std::vector<double> excess =
            ledger.column("excess", {one.name, std::to_string(p), std::to_string(n)});
        for (const double e : excess) {
          x.push_back(std::log(static_cast<double>(n)));
          y.push_back(std::log(e));
        }
        const Centre centre = geometric_mean(excess);
        points.x.push_back(static_cast<double>(n));
        points.y.push_back(centre.value);
        points.lower.push_back(centre.lower);
        points.upper.push_back(centre.upper);
      }
      const Slope line = fitted_slope(x, y);
      const RateReport rate = rate_report(one.theory, static_cast<double>(d.rows.back()), p);
      PlotCurve fitted{.x = points.x, .style = CurveStyle::line, .colour = k};
      PlotCurve paper{
          .label = k == 0 ? fmt::format("slope {:.2f} of the paper", rate.exponent) : "",
          .x = points.x,
          .style = CurveStyle::dashes,
          .colour = 2};
      for (const double n : points.x) {
        fitted.y.push_back(std::exp(line.intercept + line.slope * std::log(n)));
        paper.y.push_back(points.y.front() * std::pow(n / points.x.front(), -rate.exponent));
      }
      page.text += fmt::format(
          "| {} | {} | {:.3f} | {:.3f} | {:.3f} ({:.3f} to {:.3f}) | {} | {:.3g} | {:.3g} | {:.0f} "
          "|\n",
          one.name, p, rate.exponent, slope_of_rate(one, d, p), -line.slope, -line.upper,
          -line.lower, -line.slope >= rate.exponent ? "yes" : "no", points.y.front(),
          points.y.back(),
          arithmetic_mean(
              ledger.column("live", {one.name, std::to_string(p), std::to_string(d.rows.back())}))
              .value);
      slopes.push_back(line);
      if (k == 0) plot.curves.push_back(paper);
      plot.curves.push_back(fitted);
      plot.curves.push_back(points);
    }
    agreement += fmt::format("- {}: {}\n", one.name, agree(slopes.front(), slopes.back()));
    plot.description = fmt::format("Excess risk against n for {}, on logarithmic axes.", one.words);
    std::string file = one.name;
    for (char& c : file) c = c == ' ' ? '-' : c;
    page.pictures.emplace_back(file + ".svg", picture_of_plot(plot));
  }
  page.text += fmt::format(
      "\nInputs that do not matter should cost next to nothing. Slopes at p = {} and p = {}:\n\n{}",
      d.inputs.front(), d.inputs.back(), agreement);
  return page;
}

}  // namespace

Study rates_study() {
  return {"rates",
          "Rates: the excess risk against the number of rows",
          "excess risk against n beside the paper's exponents",
          {"class", "inputs", "rows", "repetition"},
          {"excess", "excess_draw", "live"},
          plan,
          summarise};
}

}  // namespace lacuna::studies
