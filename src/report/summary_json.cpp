// `lacuna summary --json`. Keys are a contract: they may be added, never renamed.
#include <fmt/format.h>

#include <algorithm>

#include "lacuna/report.hpp"

#include "support/bounded_json.hpp"

namespace lacuna {
namespace {

using nlohmann::ordered_json;

const char* words_for(Trust trust) {
  switch (trust) {
    case Trust::converged:
      return "converged";
    case Trust::mixed_over_modes:
      return "mixed over modes";
    case Trust::not_usable:
      break;
  }
  return "not usable";
}

ordered_json quantity(const QuantitySummary& q) {
  return {{"mean", q.mean},
          {"sd", q.sd},
          {"q05", q.q05},
          {"median", q.median},
          {"q95", q.q95},
          {"rhat", q.rhat},
          {"ess_bulk", q.ess_bulk},
          {"ess_tail", q.ess_tail},
          {"mcse", q.mcse},
          {"separation", q.separation},
          {"ess_within", q.ess_within},
          {"constant", q.constant}};
}

void add_run(ordered_json& j, const FitInfo& info, const Summary& s) {
  j["finished"] = s.finished;
  j["draws"] = s.draws;
  j["burn_in"] = s.burn_in;
  j["gap"] = s.gap;
  j["walkers"] = s.walkers;
  if (s.seconds) j["seconds"] = *s.seconds;
  j["seed"] = info.config.seed;
  j["data"] = {{"rows", info.rows},
               {"total_weight", info.total_weight},
               {"inputs", info.input_names.size()},
               {"target", info.target_name},
               {"hash", fmt::format("{:016x}", info.data_hash)}};
  j["network"] = {{"widths", info.config.widths}, {"inputs", info.network_input_names()}};
  j["parameters"] = info.parameter_count;
  j["lambda"] = {{"value", info.lambda}, {"origin", info.lambda_origin}};
  for (const LambdaScore& at : info.lambda_curve) {
    j["lambda"]["curve"].push_back(
        {{"lambda", at.lambda}, {"log_score", at.log_score}, {"noise_sd_scaled", at.noise_sd}});
  }
  j["noise"] = {{"sd", info.noise.sd() * info.scaling.target_scale},
                {"sd_scaled", info.noise.sd()},
                {"kind", info.noise.varies() ? "varying" : "constant"},
                {"degrees_of_freedom", nullptr},
                {"weights", info.noise.index.size()},
                {"origin", info.noise_origin}};
  if (info.noise.degrees) j["noise"]["degrees_of_freedom"] = *info.noise.degrees;
}

void add_series(ordered_json& j, const Summary& s) {
  for (const QuantitySummary& q : s.quantities) {
    std::string key = q.name;
    std::ranges::replace(key, ' ', '_');
    j["quantities"][key] = quantity(q);
  }
  j["probes"] = ordered_json::array();
  for (const ProbeSummary& p : s.probes) {
    ordered_json probe = {{"row", p.row}};
    probe.update(quantity(p.f));
    probe["between_chains_share"] = p.between_share;
    j["probes"].push_back(probe);
  }
}

void add_moves(ordered_json& j, const Summary& s) {
  for (const MoveSummary& m : s.moves) {
    ordered_json move = {{"proposed", m.proposed}, {"accepted", m.accepted},
                         {"invalid", m.invalid},   {"acceptance", acceptance(m)},
                         {"passes", nullptr},      {"passes_share", passes_share(s, m)},
                         {"work", nullptr},        {"work_share", work_share(s, m)}};
    if (m.passes) move["passes"] = *m.passes;
    if (m.work) move["work"] = *m.work;
    j["moves"][m.name] = move;
  }
}

void add_inclusion(ordered_json& j, const Summary& s) {
  for (const InputInclusion& i : s.inclusion) j["inclusion"][i.name] = i.probability;
  for (const InputInclusion& i : s.inclusion) {
    j["inclusion_diagnostics"][i.name] = {{"chains", i.chains},     {"rhat", i.rhat},
                                          {"ess_bulk", i.ess_bulk}, {"ess_tail", i.ess_tail},
                                          {"mcse", i.mcse},         {"constant", i.constant}};
  }
  for (const auto& [size, share] : s.size_posterior) {
    j["n_active"][std::to_string(size)] = {{"posterior", share}, {"prior", s.size_prior.at(size)}};
  }
}

void add_chains(ordered_json& j, const Summary& s) {
  for (std::size_t k = 0; k < s.chains.size(); ++k) {
    const ChainSummary& c = s.chains[k];
    j["chains"].push_back({{"chain", k / s.walkers},
                           {"walker", k % s.walkers},
                           {"draws", c.draws},
                           {"steps", c.steps},
                           {"kernel", c.kernel},
                           {"tuned", c.tuned},
                           {"mean_log_posterior", c.mean_log_posterior},
                           {"sd_log_posterior", c.sd_log_posterior},
                           {"log_posterior_shift", c.log_posterior_shift},
                           {"f_shift", c.f_shift},
                           {"changed_share", c.changed_share},
                           {"stuck", c.stuck}});
  }
  j["disagreement"] = {{"log_posterior_range", s.disagreement.log_posterior_range},
                       {"log_posterior_range_in_sd", s.disagreement.log_posterior_range_in_sd},
                       {"f_between_chains_share", s.disagreement.f_between_share}};
}

ordered_json tempering_as_json(const Config& config, const std::vector<ChainSummary>& chains) {
  ordered_json j = {{"rungs", config.rungs}, {"chains", ordered_json::array()}};
  for (const ChainSummary& c : chains) {
    const TemperingSummary& t = c.tempering;
    ordered_json rungs = ordered_json::array(), rates = ordered_json::array();
    for (const RungSummary& r : t.rungs) {
      rungs.push_back({{"lambda", r.lambda}, {"mean_risk", r.mean_risk}, {"mcse", r.mcse_risk}});
    }
    for (const ExchangeSummary& e : t.exchanges) rates.push_back(exchange_rate(e));
    j["chains"].push_back({{"ladder", rungs},
                           {"exchange_rate", rates},
                           {"barrier", t.barrier},
                           {"round_trips", round_trips(t)},
                           {"round_trips_of_replicas", t.round_trips}});
  }
  return j;
}

}  // namespace

std::string summary_as_json(const Fit& fit, const Summary& s) {
  const FitInfo& info = fit.info();
  ordered_json j;
  j["verdict"] = s.verdict.sentence;
  j["verdict_kind"] = words_for(s.verdict.trust);
  j["verdict_meaning"] = s.verdict.meaning;
  j["verdict_advice"] = s.verdict.advice;
  add_run(j, info, s);
  add_series(j, s);
  add_moves(j, s);
  add_inclusion(j, s);
  add_chains(j, s);
  if (info.config.rungs > 1) j["tempering"] = tempering_as_json(info.config, s.chains);
  j["notes"] = s.notes;
  j["version"] = info.version;
  j["command"] = info.command;
  return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace lacuna
