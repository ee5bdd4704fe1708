// `lacuna study oracle`: the measured excess risk against the right-hand side of the oracle
// inequality and against the best sparse networks found; and the certificates, which need no truth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/certificate.hpp"
#include "lacuna/plot.hpp"
#include "lacuna/theory.hpp"
#include "studies/slope.hpp"
#include "studies/study.hpp"

namespace lacuna::studies {
namespace {

constexpr double noise_sd = 0.05, clip = 1.0, bound = 3.0, delta = 0.05;
constexpr double trivial = 4.0 * clip * clip;
constexpr std::size_t width = 8;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr const char* rules[] = {"theory", "bayes"};

std::vector<std::size_t> sizes(const StudyOptions& options) {
  if (options.small) return {300, 3000};
  return {100, 300, 1000, 3000, 10'000, 30'000, 100'000};
}
// Certificates at Bayes' lambda take hours beyond.
bool measured(const std::string& rule, std::size_t n) { return rule == "theory" || n <= 30'000; }
std::size_t repetitions(const StudyOptions& options, std::size_t n) {
  return options.small || n > 10'000 ? 1 : 3;
}
std::vector<double> colds(const StudyOptions& options) {
  if (options.small) return {1e3, 1e5};
  return {1e2, 3e2, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6};
}

Simulation example(std::size_t rows, double noise, std::uint64_t seed) {
  return {.name = "authors", .rows = rows, .noise_sd = noise, .seed = seed};
}

Config configuration(const StudyOptions& options, std::uint64_t seed) {
  Config config;
  config.standardise = false;  // the theorem knows the data as they are
  config.widths = {width, width};
  config.clip = clip;
  config.bound = bound;
  config.noise_sd = noise_sd;
  config.burn_in = options.small ? 1000 : 4000;
  config.gap = 20;
  config.draws = options.small ? 50 : 100;
  config.seed = seed;
  return config;
}

// Of the draws of a fit to data without noise, the one closest to the truth.
Values best_network(const Fit& fit, const SimulatedData& test) {
  const std::vector<double> f = fit.predict_draws(test.data.x, test.data.rows, {}, 1);
  const DrawSeries series = fit.series();
  double least = std::numeric_limits<double>::infinity(), live = 0.0;
  for (std::size_t k = 0; k < series.live.size(); ++k) {
    double squares = 0.0;
    for (std::size_t i = 0; i < test.data.rows; ++i) {
      const double off = f[k * test.data.rows + i] - test.truth[i];
      squares += off * off / static_cast<double>(test.data.rows);
    }
    if (squares >= least) continue;
    least = squares;
    live = series.live[k];
  }
  return {least, least, live, nan, nan, nan, nan};
}

Values with_certificates(Workbench& bench, const Fit& fit, const Dataset& data,
                         const SimulatedData& test, const StudyOptions& study) {
  CertifyOptions options;
  options.delta = delta;
  options.noise_sd = noise_sd;
  if (study.small) options.rungs = 100;
  const CertificateReport report = bench.certify(fit, data, options);
  const auto bound_of = [&](const char* key) {
    for (const Certificate& c : report.certificates) {
      if (c.key == key) return c.bound;
    }
    return nan;
  };
  double reference = nan;
  if (!report.certificates.empty()) reference = report.certificates.front().reference;
  const Excess excess = excess_of(fit, test);
  return {excess.of_mean,
          excess.of_draw,
          mean_of(fit.summary(), "live weights"),
          bound_of("theorem"),
          bound_of("pac_bayes_kl"),
          bound_of("pac_bayes_kl_draws"),
          reference};
}

std::vector<Task> plan(const StudyOptions& options) {
  std::vector<Task> tasks;
  for (const double lambda : colds(options)) {
    const Simulation what = example(4000, 0.0, 1000 * options.seed);
    Config config = configuration(options, what.seed);
    config.lambda_rule = LambdaRule::number;
    config.lambda = lambda;
    tasks.push_back({{"network", fmt::format("{:g}", lambda), "1"},
                     [what, config](Workbench& bench) {
                       return best_network(bench.fit(simulate(what).data, config),
                                           test_rows(what, 2000));
                     },
                     4000.0});
  }
  for (const std::string rule : rules) {
    for (const std::size_t n : sizes(options)) {
      if (!measured(rule, n)) continue;
      for (std::size_t k = 1; k <= repetitions(options, n); ++k) {
        const Simulation what = example(n, noise_sd, 1000 * options.seed + k);
        Config config = configuration(options, what.seed);
        config.lambda_rule = rule == "theory" ? LambdaRule::theory : LambdaRule::bayes;
        tasks.push_back({{rule, std::to_string(n), std::to_string(k)},
                         [what, config, options](Workbench& bench) {
                           const SimulatedData data = simulate(what);
                           return with_certificates(bench, bench.fit(data.data, config), data.data,
                                                    test_rows(what), options);
                         },
                         static_cast<double>(n) * (rule == "theory" ? 1.0 : 3.0)});
      }
    }
  }
  return tasks;
}

struct OracleBound {
  double right_side = std::numeric_limits<double>::infinity(), rows_needed = right_side;
  double active = 0.0;
};

// The least right-hand side over the networks found: each is an upper bound of what the theorem
// promises.
OracleBound oracle_bound(const Ledger& ledger, double n) {
  OracleBound best;
  for (const auto& [key, values] : ledger.rows()) {
    if (key[0] != "network") continue;
    TheorySetting setting;
    setting.n = n;
    setting.inputs = 1;
    setting.depth = 2;
    setting.width = width;
    setting.bound = bound;
    setting.clip = clip;
    setting.sigma = noise_sd;
    setting.delta = delta;
    setting.approximation = values[0];
    setting.active = {static_cast<std::uint64_t>(std::max(1.0, values[2]))};
    const OracleRow row = theory_report(setting).oracle.front();
    best.rows_needed = std::min(best.rows_needed, row.rows_needed);
    if (row.oracle < best.right_side) {
      best.right_side = row.oracle;
      best.active = static_cast<double>(row.active);
    }
  }
  return best;
}

// From which of the sizes on every bound was below its limit.
std::string first_below(const std::vector<std::size_t>& rows, const std::vector<double>& bounds,
                        const std::vector<double>& limits) {
  std::size_t first = 0, last = 0;  // 0: at none so far
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (std::isnan(bounds[k])) continue;
    last = rows[k];
    if (!(bounds[k] < limits[k])) {
      first = 0;
    } else if (first == 0) {
      first = rows[k];
    }
  }
  if (first > 0) return fmt::format("from n = {} on", first);
  return fmt::format("at no n up to {}", last);
}

std::string shown(double value, int digits = 3) {
  return std::isnan(value) ? "" : fmt::format("{:.{}g}", value, digits);
}

// Averages and largest values of one column at n rows; NaN where nothing was measured.
struct At {
  const Ledger& ledger;
  std::size_t n;

  double average(const char* rule, const char* column) const {
    return arithmetic_mean(ledger.column(column, {rule, std::to_string(n)})).value;
  }
  double largest(const char* rule, const char* column) const {
    const std::vector<double> found = ledger.column(column, {rule, std::to_string(n)});
    return found.empty() ? nan : std::ranges::max(found);
  }
};

// The closest of the networks found that have at most this many live weights.
double closest_network(const Ledger& ledger, double live) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [key, values] : ledger.rows()) {
    if (key[0] == "network" && !(values[2] > live)) least = std::min(least, values[0]);
  }
  return least;
}

void add_inequality(const Ledger& ledger, const StudyOptions& options, Page& page) {
  page.text += fmt::format(
      "The authors' function, noise sd {}, data as given, network 1-{}-{}-1, B = {}, C = {}: every "
      "assumption of the theorem holds.\n*Oracle*: the explicit right-hand side of the oracle "
      "inequality at delta = {}, the least over the sparse networks found by\nfitting data without "
      "noise (their live weights in brackets). *Best network*: the closest of those with no more "
      "live weights\nthan the posterior at Bayes' lambda has. {:g} = 4 C^2 holds without data. "
      "Mean "
      "of {} data sets (1 beyond n = 10,000).\n\n"
      "| n | oracle | theory: a draw | mean | live | bayes: a draw | mean | live | best network |\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      noise_sd, width, width, bound, clip, delta, trivial, repetitions(options, 1));
  PlotCurve oracle{.label = "oracle inequality", .style = CurveStyle::line, .colour = 1},
      certificate{.label = "certificate of the theorem", .style = CurveStyle::line, .colour = 4},
      vacuous{.label = "trivial", .style = CurveStyle::dashes, .colour = 3},
      theory{.label = "a draw, lambda of the theorem", .colour = 1},
      bayes{.label = "a draw, Bayes' lambda", .colour = 0},
      best{.label = "best network found", .style = CurveStyle::dashes, .colour = 2};
  for (const std::size_t n : sizes(options)) {
    const At at{ledger, n};
    const OracleBound right = oracle_bound(ledger, static_cast<double>(n));
    const double closest = closest_network(ledger, at.average("bayes", "live"));
    page.text += fmt::format("| {} | {:.3g} ({:.0f}) |", n, right.right_side, right.active);
    for (const char* rule : rules) {
      page.text += fmt::format(" {} | {} | {} |", shown(at.average(rule, "excess_draw")),
                               shown(at.average(rule, "excess")), shown(at.average(rule, "live")));
    }
    page.text += fmt::format(" {:.2g} |\n", closest);
    for (PlotCurve* curve : {&oracle, &vacuous, &theory, &bayes, &best, &certificate}) {
      curve->x.push_back(static_cast<double>(n));
    }
    oracle.y.push_back(right.right_side);
    certificate.y.push_back(at.largest("theory", "theorem"));
    vacuous.y.push_back(trivial);
    theory.y.push_back(at.average("theory", "excess_draw"));
    bayes.y.push_back(at.average("bayes", "excess_draw"));
    best.y.push_back(closest);
  }
  page.text += fmt::format("\nThe oracle inequality says more than nothing from n = {:.3g} on.\n",
                           oracle_bound(ledger, 1000.0).rows_needed);
  Plot plot;
  plot.title = "The oracle inequality and what is measured";
  plot.note = "excess risk of one posterior draw";
  plot.description = "Bounds of the theorem and measured excess risk against n.";
  plot.x_label = "rows n";
  plot.y_label = "excess risk";
  plot.log_x = plot.log_y = true;
  plot.curves = {oracle, certificate, vacuous, theory, bayes, best};
  page.pictures.emplace_back("oracle.svg", picture_of_plot(plot));
}

void add_certificates(const Ledger& ledger, const StudyOptions& options, Page& page) {
  struct Bound {
    const char *rule, *column, *words;
    std::vector<double> values;
  } bounds[] = {
      {"theory", "theorem", "The theorem's certificate of the excess risk", {}},
      {"theory", "kl", "PAC-Bayes-kl at the theorem's lambda", {}},
      {"theory", "kl_draws", "The same if the chains have converged", {}},
      {"bayes", "kl", "PAC-Bayes-kl at Bayes' lambda", {}},
      {"bayes", "kl_draws", "The same if the chains have converged", {}},
  };
  page.text += fmt::format(
      "\n## Certificates of the same fits\n\nWith confidence {:.0f}%, the largest over the data "
      "sets. The theorem's bounds the excess risk, the others the risk, noise included\n({:.4f} at "
      "best). They use the data alone.\n\n"
      "| n | theorem | PAC-Bayes-kl, theory | if converged | PAC-Bayes-kl, bayes | if converged | "
      "predicting the mean of y |\n|---|---|---|---|---|---|---|\n",
      100.0 * (1.0 - delta), noise_sd * noise_sd);
  const std::vector<std::size_t> rows = sizes(options);
  std::vector<double> reference;
  for (const std::size_t n : rows) {
    const At at{ledger, n};
    page.text += fmt::format("| {} |", n);
    for (Bound& one : bounds) {
      one.values.push_back(at.largest(one.rule, one.column));
      page.text += fmt::format(" {} |", shown(one.values.back()));
    }
    reference.push_back(at.average("theory", "reference"));
    page.text += fmt::format(" {:.3g} |\n", reference.back());
  }
  page.text += '\n';
  for (const Bound& one : bounds) {
    page.text +=
        fmt::format("- {}: not vacuous {}, better than predicting the mean {}.\n", one.words,
                    first_below(rows, one.values, std::vector<double>(rows.size(), trivial)),
                    first_below(rows, one.values, reference));
  }
}

Page summarise(const Ledger& ledger, const StudyOptions& options) {
  Page page;
  add_inequality(ledger, options, page);
  add_certificates(ledger, options, page);
  return page;
}

}  // namespace

Study oracle_study() {
  return {"oracle",
          "The oracle inequality, and what can be certified",
          "excess risk against the oracle inequality, and certificates, over n",
          {"what", "size", "repetition"},
          {"excess", "excess_draw", "live", "theorem", "kl", "kl_draws", "reference"},
          plan,
          summarise};
}

}  // namespace lacuna::studies
