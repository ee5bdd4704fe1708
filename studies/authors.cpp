// `lacuna study authors`: the one-dimensional example that the method's authors published, with
// their dense network as they ran it and with the sparse one.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "lacuna/plot.hpp"
#include "studies/slope.hpp"
#include "studies/study.hpp"

namespace lacuna::studies {
namespace {

constexpr double noise_sd = 0.02;

struct Published {
  std::size_t rows;
  double risk;
};
constexpr std::array published = {Published{1000, 0.0064}, Published{2000, 0.0031},
                                  Published{3000, 0.0026}, Published{10000, 0.0011}};

std::vector<std::size_t> sizes(const StudyOptions& options) {
  if (options.small) return {1000};
  std::vector<std::size_t> rows;
  for (const Published& one : published) rows.push_back(one.rows);
  return rows;
}

std::size_t repetitions(const std::string& what, const StudyOptions& options) {
  return what == "sparse" && !options.small ? 3 : 1;
}

Config configuration(const std::string& what, std::size_t rows, const StudyOptions& options,
                     std::uint64_t seed) {
  Config config;
  config.standardise = false;
  config.widths = {100, 100};
  config.seed = seed;
  if (what == "dense") {
    // lambda = n, gamma = 10^-4, s = 0.2 / sqrt(P), 10^5 steps and then 20 draws, 5,000 steps
    // apart.
    constexpr double parameters = 2 * 100 + 101 * 100 + 101;
    config.prior = PriorKind::dense;
    config.sampler = SamplerKind::paper;
    config.lambda_rule = LambdaRule::number;
    config.lambda = static_cast<double>(rows);
    config.learning_rate = 1e-4;
    config.proposal_sd = 0.2 / std::sqrt(parameters);
    config.chains = 1;
    config.burn_in = options.small ? 10'000 : 100'000;
    config.gap = options.small ? 500 : 5000;
    config.draws = 20;
  } else {
    config.lambda_rule = options.small ? LambdaRule::bayes : LambdaRule::automatic;
    if (options.small) config.noise_sd = noise_sd;
    config.burn_in = options.small ? 2000 : 4000;
    config.gap = 20;
    config.draws = 200;
  }
  return config;
}

std::vector<Task> plan(const StudyOptions& options) {
  std::vector<Task> tasks;
  for (const std::string what : {"dense", "sparse"}) {
    for (const std::size_t n : sizes(options)) {
      for (std::size_t k = 1; k <= repetitions(what, options); ++k) {
        const Simulation data{
            .name = "authors", .rows = n, .noise_sd = noise_sd, .seed = 1000 * options.seed + k};
        const Config config = configuration(what, n, options, data.seed);
        tasks.push_back({{what, std::to_string(n), std::to_string(k)},
                         [data, config](Workbench& bench) -> Values {
                           const Fit fit = bench.fit(simulate(data).data, config);
                           const SimulatedData test = test_rows(data);
                           const Summary summary = fit.summary();
                           double proposed = 0.0, accepted = 0.0;
                           for (const MoveSummary& move : summary.moves) {
                             proposed += static_cast<double>(move.proposed);
                             accepted += static_cast<double>(move.accepted);
                           }
                           const double floor = noise_sd * noise_sd;
                           const Excess excess = excess_of(fit, test);
                           return {excess.of_mean + floor, excess.of_draw + floor,
                                   accepted / proposed, mean_of(summary, "live weights")};
                         },
                         static_cast<double>(n) * (what == "dense" ? 1.0 : 0.3)});
      }
    }
  }
  return tasks;
}

Page summarise(const Ledger& ledger, const StudyOptions& options) {
  Page page;
  page.text = fmt::format(
      "One input, noise sd {}, network 1-100-100-1. *Risk* is the expected squared error of a new "
      "observation, so that its floor is\nthe variance of the noise, {:.4f}. *Dense*: all weights "
      "active, the paper's Metropolis-adjusted Langevin kernel with lambda = n,\ngamma = 10^-4, "
      "s = 0.2/sqrt(P), {}, from a trained start. *Sparse*: the sparse prior and the default "
      "sampler,\nlambda {}, mean of {} data sets.\n\n"
      "| n | authors | dense, mean | dense, a draw | accepted | sparse, mean | sparse, a draw | "
      "live "
      "weights |\n|---|---|---|---|---|---|---|---|\n",
      noise_sd, noise_sd * noise_sd,
      options.small ? "10,000 steps and 20 draws 500 apart"
                    : "100,000 steps and 20 draws 5,000 apart",
      options.small ? "from the known noise" : "chosen from the data",
      repetitions("sparse", options));
  Plot plot;
  plot.title = "The authors' example: risk against n";
  plot.note = "network 1-100-100-1; the floor is the variance of the noise";
  plot.description = "Risk of the published runs, of a dense and of the sparse posterior.";
  plot.x_label = "rows n";
  plot.y_label = "risk of a new observation";
  plot.log_x = plot.log_y = true;
  PlotCurve theirs{.label = "published", .colour = 1}, dense{.label = "dense, mean", .colour = 3},
      sparse{.label = "sparse, mean", .colour = 0},
      floor{.label = "noise", .style = CurveStyle::dashes, .colour = 2};
  for (const Published& one : published) {
    const std::string n = std::to_string(one.rows);
    const auto value = [&](const char* column, const char* what) {
      return arithmetic_mean(ledger.column(column, {what, n})).value;
    };
    if (ledger.column("risk", {"sparse", n}).empty()) continue;
    page.text += fmt::format(
        "| {} | {:.4f} | {:.5f} | {:.5f} | {:.0f}% | {:.5f} | {:.5f} | {:.0f} |\n", n, one.risk,
        value("risk", "dense"), value("risk_draw", "dense"), 100.0 * value("accepted", "dense"),
        value("risk", "sparse"), value("risk_draw", "sparse"), value("live", "sparse"));
    const auto rows = static_cast<double>(one.rows);
    for (PlotCurve* curve : {&theirs, &dense, &sparse, &floor}) curve->x.push_back(rows);
    theirs.y.push_back(one.risk);
    dense.y.push_back(value("risk", "dense"));
    sparse.y.push_back(value("risk", "sparse"));
    floor.y.push_back(noise_sd * noise_sd);
  }
  plot.curves = {theirs, dense, sparse, floor};
  page.pictures.emplace_back("authors.svg", picture_of_plot(plot));
  return page;
}

}  // namespace

Study authors_study() {
  return {"authors",
          "The authors' example",
          "their 1-D example: published risks, dense as they ran it, and sparse",
          {"prior", "rows", "repetition"},
          {"risk", "risk_draw", "accepted", "live"},
          plan,
          summarise};
}

}  // namespace lacuna::studies
