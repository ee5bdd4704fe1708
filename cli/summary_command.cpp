// `lacuna summary`: what the draws say, as text for people or as JSON for programs.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "lacuna/fit.hpp"

namespace lacuna::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_inputs_shown = 40, most_sizes_shown = 12;

double rate(const MoveSummary& move) {
  return move.proposed > 0 ? static_cast<double>(move.accepted) / static_cast<double>(move.proposed)
                           : 0.0;
}

// A number for a table; what cannot be computed (R-hat of a constant, say) is a dash.
std::string cell(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

// Hidden layers as 64 -> 32, or as 14 x 10,000 where that is shorter.
std::string layers(const std::vector<std::size_t>& widths) {
  if (widths.size() > 3 && std::ranges::count(widths, widths.front()) == std::ssize(widths)) {
    return fmt::format("{} x {}", widths.size(), grouped(widths.front()));
  }
  return fmt::format("{}", fmt::join(widths, " -> "));
}

double rate(const ExchangeSummary& e) {
  return e.proposed > 0 ? static_cast<double>(e.accepted) / static_cast<double>(e.proposed)
                        : std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t trips(const TemperingSummary& t) {
  return std::accumulate(t.round_trips.begin(), t.round_trips.end(), std::uint64_t{0});
}

ordered_json tempering_json(const Config& config, const std::vector<ChainSummary>& chains) {
  ordered_json j = {{"rungs", config.rungs}, {"chains", ordered_json::array()}};
  for (const ChainSummary& c : chains) {
    const TemperingSummary& t = c.tempering;
    ordered_json rungs = ordered_json::array(), rates = ordered_json::array();
    for (const RungSummary& r : t.rungs) {
      rungs.push_back({{"lambda", r.lambda}, {"mean_risk", r.mean_risk}, {"mcse", r.mcse_risk}});
    }
    for (const ExchangeSummary& e : t.exchanges) rates.push_back(rate(e));
    j["chains"].push_back({{"ladder", rungs},
                           {"exchange_rate", rates},
                           {"barrier", t.barrier},
                           {"round_trips", trips(t)},
                           {"round_trips_of_replicas", t.round_trips}});
  }
  return j;
}

std::string as_json(const Fit& fit, const Summary& s) {
  const FitInfo& info = fit.info();
  ordered_json j;
  j["verdict"] = s.verdict;
  j["finished"] = s.finished;
  j["draws"] = s.draws;
  j["burn_in"] = s.burn_in;
  j["gap"] = s.gap;
  j["seconds"] = s.seconds;
  j["seed"] = info.config.seed;
  j["data"] = {{"rows", info.rows},
               {"inputs", info.input_names.size()},
               {"target", info.target_name},
               {"hash", fmt::format("{:016x}", info.data_hash)}};
  j["parameters"] = info.parameter_count;
  j["lambda"] = {{"value", info.lambda}, {"origin", info.lambda_origin}};
  for (const LambdaScore& at : info.lambda_curve) {
    j["lambda"]["curve"].push_back(
        {{"lambda", at.lambda}, {"log_score", at.log_score}, {"noise_sd_scaled", at.noise_sd}});
  }
  j["noise"] = {{"sd", info.noise_sd * info.scaling.target_scale},
                {"sd_scaled", info.noise_sd},
                {"origin", info.noise_origin}};
  for (const QuantitySummary& q : s.quantities) {
    std::string key = q.name;
    std::ranges::replace(key, ' ', '_');
    j["quantities"][key] = {
        {"mean", q.mean}, {"sd", q.sd},     {"q05", q.q05},           {"median", q.median},
        {"q95", q.q95},   {"rhat", q.rhat}, {"ess_bulk", q.ess_bulk}, {"ess_tail", q.ess_tail},
        {"mcse", q.mcse}};
  }
  for (const MoveSummary& m : s.moves) {
    j["moves"][m.name] = {{"proposed", m.proposed},
                          {"accepted", m.accepted},
                          {"invalid", m.invalid},
                          {"acceptance", rate(m)}};
  }
  for (const InputInclusion& i : s.inclusion) j["inclusion"][i.name] = i.probability;
  for (const auto& [size, share] : s.size_posterior) {
    j["n_active"][std::to_string(size)] = {{"posterior", share}, {"prior", s.size_prior.at(size)}};
  }
  for (const ChainSummary& c : s.chains) {
    j["chains"].push_back({{"draws", c.draws},
                           {"steps", c.steps},
                           {"kernel", c.kernel},
                           {"tuned", c.tuned},
                           {"mean_log_posterior", c.mean_log_posterior}});
  }
  if (info.config.rungs > 1) j["tempering"] = tempering_json(info.config, s.chains);
  j["notes"] = s.notes;
  j["version"] = info.version;
  j["command"] = info.command;
  return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

void print_tempering(const std::vector<ChainSummary>& chains) {
  fmt::print("\n{:<15} {:>6} {:>14} {:>12} {:>9} {:>12}\n", "tempered chain", "rungs",
             "hottest lambda", "exchanged", "barrier", "round trips");
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const TemperingSummary& t = chains[c].tempering;
    if (t.rungs.empty()) continue;
    std::vector<double> rates;
    for (const ExchangeSummary& e : t.exchanges) rates.push_back(100.0 * rate(e));
    const auto [least, most] = std::ranges::minmax(rates);
    const std::string shown =
        std::isnan(least) ? "-" : fmt::format("{:.0f} to {:.0f}%", least, most);
    fmt::print("{:<15} {:>6} {:>14.4g} {:>12} {:>9} {:>12}\n", c, t.rungs.size(),
               t.rungs.back().lambda, shown, cell(t.barrier, "{:.2f}"), grouped(trips(t)));
  }
}

void print_text(const Fit& fit, const Summary& s) {
  const FitInfo& info = fit.info();
  fmt::print("{}\n\n", s.verdict);
  fmt::print("data     {} rows, {} inputs, target '{}'\n", grouped(info.rows),
             info.input_names.size(), info.target_name);
  fmt::print("network  {} -> {} -> 1, P = {} weights, {} prior, B = {}, C = {}\n",
             info.input_names.size(), layers(info.config.widths), grouped(info.parameter_count),
             info.config.prior == PriorKind::sparse ? "sparse" : "dense", info.config.bound,
             info.config.clip);
  fmt::print("lambda   {:.6g} ({})\n", info.lambda, info.lambda_origin);
  fmt::print("noise    sd {:.4g} in units of '{}' ({})\n",
             info.noise_sd * info.scaling.target_scale, info.target_name, info.noise_origin);
  fmt::print("run      {} draws from {} chains, burn-in {}, gap {}, seed {}, {:.1f} s\n",
             grouped(s.draws), info.config.chains, grouped(s.burn_in), s.gap, info.config.seed,
             s.seconds);
  for (const std::string& note : s.notes) fmt::print("note     {}\n", note);

  if (!s.quantities.empty()) {
    fmt::print("\n{:<15} {:>10} {:>9} {:>10} {:>10} {:>7} {:>9} {:>9}\n", "", "mean", "sd", "5%",
               "95%", "R-hat", "ESS bulk", "ESS tail");
    for (const QuantitySummary& q : s.quantities) {
      fmt::print("{:<15} {:>10} {:>9} {:>10} {:>10} {:>7} {:>9} {:>9}\n", q.name,
                 cell(q.mean, "{:.5g}"), cell(q.sd, "{:.3g}"), cell(q.q05, "{:.5g}"),
                 cell(q.q95, "{:.5g}"), cell(q.rhat, "{:.3f}"), cell(q.ess_bulk, "{:.0f}"),
                 cell(q.ess_tail, "{:.0f}"));
    }
  }
  fmt::print("\n{:<15} {:>12} {:>12} {:>9} {:>9}\n", "move", "proposed", "accepted", "share",
             "invalid");
  for (const MoveSummary& m : s.moves) {
    fmt::print("{:<15} {:>12} {:>12} {:>8.2f}% {:>9}\n", m.name, grouped(m.proposed),
               grouped(m.accepted), 100.0 * rate(m), grouped(m.invalid));
  }
  if (info.config.rungs > 1) print_tempering(s.chains);
  if (s.draws == 0) return;

  std::vector<InputInclusion> inputs = s.inclusion;
  std::ranges::stable_sort(inputs, std::greater<>(), &InputInclusion::probability);
  fmt::print("\n{:<24} {:>9}   (probability that the input is connected to the output)\n", "input",
             "included");
  for (std::size_t i = 0; i < std::min(inputs.size(), most_inputs_shown); ++i) {
    fmt::print("{:<24} {:>8.1f}%\n", inputs[i].name, 100.0 * inputs[i].probability);
  }
  if (inputs.size() > most_inputs_shown)
    fmt::print("... and {} more\n", inputs.size() - most_inputs_shown);

  std::vector<std::pair<std::uint64_t, double>> sizes(s.size_posterior.begin(),
                                                      s.size_posterior.end());
  std::ranges::stable_sort(sizes, std::greater<>(), [](const auto& entry) { return entry.second; });
  if (sizes.size() > most_sizes_shown) sizes.resize(most_sizes_shown);
  std::ranges::sort(sizes);
  fmt::print("\n{:<24} {:>9} {:>11}{}\n", "active weights", "posterior", "prior",
             s.size_posterior.size() > sizes.size() ? "   (most frequent sizes)" : "");
  for (const auto& [size, share] : sizes) {
    fmt::print("{:<24} {:>8.1f}% {:>10.3g}%\n", size, 100.0 * share, 100.0 * s.size_prior.at(size));
  }
}

}  // namespace

void add_summary(CLI::App& app, Action& action) {
  struct Arguments {
    std::string fit;
    bool json = false;
  };
  CLI::App* command =
      app.add_subcommand("summary", "Say what a fit found and whether its draws can be trusted");
  auto a = std::make_shared<Arguments>();
  command->add_option("FILE", a->fit, "the fit, FILE.lacuna")->required();
  command->add_flag("--json", a->json, "everything as one JSON object on standard output");
  command->callback([a, &action] {
    action = [a] {
      const Fit fit = Fit::open(a->fit);
      const Summary summary = fit.summary();
      if (a->json) {
        fmt::print("{}\n", as_json(fit, summary));
      } else {
        print_text(fit, summary);
      }
      return 0;
    };
  });
}

}  // namespace lacuna::cli
