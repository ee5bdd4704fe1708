// `lacuna study mixing`: how the default sampler explores, beside the paper's, on the same
// posterior and with the same number of passes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/plot.hpp"
#include "studies/slope.hpp"
#include "studies/study.hpp"

namespace lacuna::studies {
namespace {

constexpr std::size_t rows = 500, inputs = 5, width = 16, probes = 8;
constexpr double noise_sd = 0.1;

struct Plan {
  std::string name;
  SamplerKind sampler;
  std::size_t walkers;
  std::uint64_t burn_in, gap;
  std::uint64_t first_seed;
};

// A step of the paper's kernel is one pass, one of the mixture about 2.5. The long chains say what
// is to be found.
std::vector<Plan> plans() {
  return {{"long", SamplerKind::automatic, 1, 100'000, 1200, 1000},
          {"paper", SamplerKind::paper, 1, 100'000, 400, 1},
          {"one walker", SamplerKind::automatic, 1, 40'000, 160, 1},
          {"default", SamplerKind::automatic, 4, 40'000, 160, 1}};
}

std::size_t chains(const StudyOptions& options) { return options.small ? 4 : 16; }

std::string probe(const char* what, std::size_t k) { return fmt::format("{}_{}", what, k + 1); }

std::vector<std::string> columns() {
  std::vector<std::string> names = {"passes", "jumps", "risk"};
  for (const char* what : {"mean", "variance"}) {
    for (std::size_t k = 0; k < probes; ++k) names.push_back(probe(what, k));
  }
  return names;
}

std::vector<Task> plan(const StudyOptions& options) {
  const Simulation what{.name = "friedman",
                        .rows = rows,
                        .inputs = inputs,
                        .noise_sd = noise_sd,
                        .seed = options.seed};
  const std::uint64_t shorter = options.small ? 20 : 1;
  std::vector<Task> tasks;
  for (const Plan& one : plans()) {
    for (std::size_t k = 0; k < chains(options); ++k) {
      Config config;
      config.standardise = false;
      config.widths = {width, width};
      config.bound = 10.0;
      config.lambda_rule = LambdaRule::number;
      config.lambda = static_cast<double>(rows) / (2.0 * noise_sd * noise_sd);
      config.sampler = one.sampler;
      config.chains = 1;
      config.walkers = one.walkers;
      config.burn_in = one.burn_in / shorter;
      config.gap = one.gap / shorter;
      config.draws = 1000;
      config.seed = one.first_seed + k;
      tasks.push_back(
          {{one.name, std::to_string(k + 1)},
           [what, config](Workbench& bench) {
             const Fit fit = bench.fit(simulate(what).data, config);
             const Summary summary = fit.summary();
             Values values = {passes(summary), jumps_per_step(summary), mean_of(summary, "risk")};
             for (const ProbeSummary& p : summary.probes) values.push_back(p.f.mean);
             for (const ProbeSummary& p : summary.probes) {
               values.push_back(p.f.sd * p.f.sd);
             }
             return values;
           },
           static_cast<double>(one.burn_in + 1000 * one.gap) * (one.name == "paper" ? 0.4 : 1.0)});
    }
  }
  return tasks;
}

// A chain that stays in one mode looks well mixed to its own autocorrelation, so effective draws
// are counted between chains: the posterior variance of f at a probe over the mean squared distance
// of a chain's mean of f from the posterior's. Both come from the long chains; what those are
// themselves uncertain about is taken off the distance. The harmonic mean over the probes.
double effective_draws(const Ledger& ledger, const std::string& name) {
  double shares = 0.0;
  for (std::size_t k = 0; k < probes; ++k) {
    const std::vector<double> reference = ledger.column(probe("mean", k), {"long"});
    const auto count = static_cast<double>(reference.size());
    const double centre = arithmetic_mean(reference).value;
    double between = 0.0, distance = 0.0;
    for (const double mean : reference)
      between += (mean - centre) * (mean - centre) / (count - 1.0);
    const double posterior =
        arithmetic_mean(ledger.column(probe("variance", k), {"long"})).value + between;
    const std::vector<double> means = ledger.column(probe("mean", k), {name});
    for (const double mean : means) {
      distance += (mean - centre) * (mean - centre) / static_cast<double>(means.size());
    }
    shares += std::max(distance - between / count, 1e-3 * posterior) / posterior;
  }
  return static_cast<double>(probes) / shares;
}

Page summarise(const Ledger& ledger, const StudyOptions& options) {
  Page page;
  page.text = fmt::format(
      "Friedman's function of {} inputs, n = {}, noise sd {}, data as given, 2 layers of {} units, "
      "B = 10, lambda = n / (2 sigma^2);\n{} chains of each sampler, all from trained and pruned "
      "networks. The default sampler moves one network or, as a default\nfit does, four side by "
      "side, with the same number of passes over the rows. *Effective draws* of f are counted "
      "between\nchains: a chain that stays in one mode has few, however well it mixes there. The "
      "truth is taken from {} chains of the default\nsampler that are several times as long.\n\n"
      "| sampler | passes | jumps accepted per step | risk | effective draws of a chain | per 10^6 "
      "passes |\n|---|---|---|---|---|---|\n",
      inputs, rows, noise_sd, width, chains(options), chains(options));
  double jumps[2] = {}, rate[2] = {};
  Plot plot;
  plot.title = "Where the chains of each sampler end up";
  plot.note = "mean of f at one probe row, chain by chain";
  plot.description = "Means of f at the first probe row for each chain of each sampler.";
  plot.x_label = "chain";
  plot.y_label = "mean of f at the first probe";
  std::size_t colour = 0;
  for (const std::string name : {"paper", "one walker", "default"}) {
    const double all = arithmetic_mean(ledger.column("passes", {name})).value;
    const double accepted = arithmetic_mean(ledger.column("jumps", {name})).value;
    const double draws = effective_draws(ledger, name);
    page.text +=
        fmt::format("| {} | {:.0f} | {:.5f} | {:.5f} | {:.2f} | {:.2f} |\n", name, all, accepted,
                    arithmetic_mean(ledger.column("risk", {name})).value, draws, 1e6 * draws / all);
    if (name != "one walker") {
      jumps[name == "default"] = accepted;
      rate[name == "default"] = draws / all;
    }
    PlotCurve points{.label = name, .colour = colour++};
    points.y = ledger.column(probe("mean", 0), {name});
    std::ranges::sort(points.y);
    for (std::size_t k = 1; k <= points.y.size(); ++k) points.x.push_back(static_cast<double>(k));
    plot.curves.push_back(points);
  }
  page.text += fmt::format(
      "\nThe default sampler accepts {:.0f} times as many jumps per step as the paper's, and has "
      "{:.1f} "
      "times as many effective draws per pass.\n",
      jumps[1] / jumps[0], rate[1] / rate[0]);
  page.pictures.emplace_back("mixing.svg", picture_of_plot(plot));
  return page;
}

}  // namespace

Study mixing_study() {
  return {"mixing",
          "Mixing: the paper's sampler beside the default one",
          "accepted jumps and effective draws per pass on one posterior",
          {"sampler", "chain"},
          columns(),
          plan,
          summarise};
}

}  // namespace lacuna::studies
