#include "run/info_json.hpp"

#include <stdexcept>

#include "support/bounded_json.hpp"

namespace lacuna {

NLOHMANN_JSON_SERIALIZE_ENUM(PriorKind,
                             {{PriorKind::sparse, "sparse"}, {PriorKind::dense, "dense"}})
NLOHMANN_JSON_SERIALIZE_ENUM(LambdaRule, {{LambdaRule::automatic, "auto"},
                                          {LambdaRule::bayes, "bayes"},
                                          {LambdaRule::theory, "theory"},
                                          {LambdaRule::number, "number"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SamplerKind,
                             {{SamplerKind::automatic, "auto"}, {SamplerKind::paper, "paper"}})
NLOHMANN_JSON_SERIALIZE_ENUM(NoiseKind, {{NoiseKind::automatic, "auto"},
                                         {NoiseKind::constant, "constant"},
                                         {NoiseKind::varying, "varying"}})
NLOHMANN_JSON_SERIALIZE_ENUM(InputRule, {{InputRule::automatic, "auto"}, {InputRule::all, "all"}})
NLOHMANN_JSON_SERIALIZE_ENUM(StartKind, {{StartKind::automatic, "auto"},
                                         {StartKind::prior, "prior"},
                                         {StartKind::file, "file"}})

namespace {

using nlohmann::json;

template <class T>
json optional_json(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <class T>
std::optional<T> optional_from(const json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<T>();
}

json config_json(const Config& c) {
  return {{"scale", c.standardise ? "auto" : "none"},
          {"prior", c.prior},
          {"base", c.base},
          {"widths", c.widths},
          {"inputs", c.inputs},
          {"bound", c.bound},
          {"clip", c.clip},
          {"lambda-rule", c.lambda_rule},
          {"lambda", c.lambda},
          {"noise", c.noise},
          {"noise-sd", optional_json(c.noise_sd)},
          {"noise-tail", optional_json(c.noise_tail)},
          {"sampler", c.sampler},
          {"learning-rate", optional_json(c.learning_rate)},
          {"proposal-sd", optional_json(c.proposal_sd)},
          {"rungs", c.rungs},
          {"start", c.start},
          {"start-file", c.start_file},
          {"chains", c.chains},
          {"walkers", optional_json(c.walkers)},
          {"burn-in", optional_json(c.burn_in)},
          {"gap", optional_json(c.gap)},
          {"draws", optional_json(c.draws)},
          {"time-limit", optional_json(c.time_limit)},
          {"checkpoint-every", c.checkpoint_every},
          {"seed", c.seed}};
}

Config config_from(const json& j) {
  Config c;
  c.standardise = j.at("scale") == "auto";
  c.prior = j.at("prior");
  c.base = j.at("base");
  c.widths = j.at("widths").get<std::vector<std::size_t>>();
  c.inputs = j.value("inputs", InputRule::all);  // files of the first versions do not say
  c.bound = j.at("bound");
  c.clip = j.at("clip");
  c.lambda_rule = j.at("lambda-rule");
  c.lambda = j.at("lambda");
  c.noise = j.at("noise");
  c.noise_sd = optional_from<double>(j.at("noise-sd"));
  c.noise_tail = optional_from<double>(j.at("noise-tail"));
  c.sampler = j.at("sampler");
  c.learning_rate = optional_from<double>(j.at("learning-rate"));
  c.proposal_sd = optional_from<double>(j.at("proposal-sd"));
  c.rungs = j.at("rungs");
  c.start = j.at("start");
  c.start_file = j.at("start-file");
  c.chains = j.at("chains");
  // Files of versions that knew one walker only do not say.
  c.walkers = 1;
  if (j.contains("walkers") && !j.at("walkers").is_null()) c.walkers = j.at("walkers");
  c.burn_in = optional_from<std::uint64_t>(j.at("burn-in"));
  c.gap = optional_from<std::uint64_t>(j.at("gap"));
  c.draws = optional_from<std::uint64_t>(j.at("draws"));
  c.time_limit = optional_from<double>(j.at("time-limit"));
  c.checkpoint_every = j.at("checkpoint-every");
  c.seed = j.at("seed");
  return c;
}

// JSON has no infinity: at lambda = 0 the implied noise is written as null.
json noise_json(const NoiseModel& noise) {
  return {{"scale", noise.scale},
          {"mean-level", noise.mean_level},
          {"degrees", optional_json(noise.degrees)},
          {"widths", noise.widths},
          {"index", noise.index},
          {"value", noise.value}};
}

NoiseModel noise_from(const json& j, std::size_t inputs) {
  const auto level = [](const json& value) {
    return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
  };
  NoiseModel noise;
  noise.scale = level(j.at("scale"));
  noise.mean_level = level(j.at("mean-level"));
  noise.degrees = optional_from<unsigned>(j.at("degrees"));
  noise.widths = j.at("widths").get<std::vector<std::size_t>>();
  noise.index = j.at("index").get<std::vector<std::uint64_t>>();
  noise.value = j.at("value").get<std::vector<double>>();
  const bool ordered =
      std::ranges::adjacent_find(noise.index, std::greater_equal<>()) == noise.index.end();
  const std::uint64_t count =
      noise.varies() ? Architecture(inputs, noise.widths).parameter_count() : 0;
  if (!(noise.scale >= 0.0) || noise.degrees == 0u || noise.index.size() != noise.value.size() ||
      !ordered || (!noise.index.empty() && noise.index.back() >= count)) {
    throw std::runtime_error("impossible noise");
  }
  return noise;
}

}  // namespace

Architecture network_of(const FitInfo& info) {
  const std::size_t chosen = info.network_inputs.size();
  return {chosen == 0 ? info.input_names.size() : chosen, info.config.widths};
}

std::vector<std::string> FitInfo::network_input_names() const {
  if (network_inputs.empty()) return input_names;
  std::vector<std::string> names;
  for (const std::size_t j : network_inputs) names.push_back(input_names[j]);
  return names;
}

InputChoice input_choice(const FitInfo& info) {
  return {info.input_names.size(), info.network_inputs, network_of(info).size(1)};
}

std::string info_to_json(const FitInfo& info) {
  json curve = json::array();
  for (const LambdaScore& at : info.lambda_curve) {
    curve.push_back(
        {{"lambda", at.lambda}, {"log-score", at.log_score}, {"noise-sd", at.noise_sd}});
  }
  const Scaling& s = info.scaling;
  json j = {{"version", info.version},
            {"command", info.command},
            {"config", config_json(info.config)},
            {"data",
             {{"rows", info.rows},
              {"inputs", info.input_names},
              {"target", info.target_name},
              {"hash", info.data_hash},
              {"path", info.data_path},
              {"ignore", info.ignored},
              {"na", info.missing == MissingValues::drop ? "drop" : "error"},
              {"clipped-share", info.clipped_share}}},
            {"scaling",
             {{"input-shift", s.input_shift},
              {"input-scale", s.input_scale},
              {"target-shift", s.target_shift},
              {"target-scale", s.target_scale}}},
            {"network-inputs", info.network_inputs},
            {"parameters", info.parameter_count},
            {"lambda", info.lambda},
            {"lambda-origin", info.lambda_origin},
            {"lambda-curve", curve},
            {"noise", noise_json(info.noise)},
            {"noise-origin", info.noise_origin},
            {"probes", {{"rows", info.probes.rows}, {"x", info.probes.x}}}};
  if (info.distinct_rows) {
    j["data"]["distinct-rows"] = *info.distinct_rows;
    j["data"]["total-weight"] = info.total_weight;
    j["data"]["weights"] = info.weight_name;
  }
  // Arguments and file names come as any bytes; what is not UTF-8 is replaced.
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

FitInfo info_from_json(std::string_view text) {
  const json j = parse_bounded_json(text);
  FitInfo info;
  info.version = j.at("version");
  info.command = j.at("command");
  info.config = config_from(j.at("config"));
  const json& data = j.at("data");
  info.rows = data.at("rows");
  info.input_names = data.at("inputs").get<std::vector<std::string>>();
  info.target_name = data.at("target");
  info.data_hash = data.at("hash");
  info.clipped_share = data.at("clipped-share");
  if (data.contains("path")) {  // not in files of the first versions
    info.data_path = data.at("path");
    info.ignored = data.at("ignore").get<std::vector<std::string>>();
    info.missing = data.at("na") == "drop" ? MissingValues::drop : MissingValues::error;
  }
  info.total_weight = static_cast<double>(info.rows);
  if (data.contains("distinct-rows")) {
    info.distinct_rows = data.at("distinct-rows").get<std::size_t>();
    info.total_weight = data.at("total-weight");
    info.weight_name = data.at("weights");
    if (*info.distinct_rows > info.rows || !(info.total_weight > 0.0)) {
      throw std::runtime_error("the rows and their weights do not fit each other");
    }
  }
  const json& s = j.at("scaling");
  info.scaling.input_shift = s.at("input-shift").get<std::vector<double>>();
  info.scaling.input_scale = s.at("input-scale").get<std::vector<double>>();
  info.scaling.target_shift = s.at("target-shift");
  info.scaling.target_scale = s.at("target-scale");
  if (j.contains("network-inputs"))  // not in files of the first versions
    info.network_inputs = j.at("network-inputs").get<std::vector<std::size_t>>();
  info.parameter_count = j.at("parameters");
  info.lambda = j.at("lambda");
  info.lambda_origin = j.at("lambda-origin");
  for (const json& at : j.at("lambda-curve")) {
    info.lambda_curve.push_back({at.at("lambda"), at.at("log-score"), at.at("noise-sd")});
  }
  info.noise = noise_from(j.at("noise"), info.input_names.size());
  info.noise_origin = j.at("noise-origin");
  if (j.contains("probes")) {  // not in files of the first versions
    info.probes.rows = j.at("probes").at("rows").get<std::vector<std::size_t>>();
    info.probes.x = j.at("probes").at("x").get<std::vector<double>>();
  }

  check_config(info.config);
  const std::size_t p = info.input_names.size();
  if (p == 0 || info.scaling.input_shift.size() != p || info.scaling.input_scale.size() != p) {
    throw std::runtime_error("inputs and scaling differ in length");
  }
  const std::size_t probes = info.probes.rows.size();
  if (probes > info.rows || info.probes.x.size() / p != probes || info.probes.x.size() % p != 0) {
    throw std::runtime_error("the probe points do not fit the data");
  }
  const std::vector<std::size_t>& chosen = info.network_inputs;
  if (std::ranges::adjacent_find(chosen, std::greater_equal<>()) != chosen.end() ||
      (!chosen.empty() && chosen.back() >= p)) {
    throw std::runtime_error("the network has inputs that the data have not");
  }
  if (network_of(info).parameter_count() != info.parameter_count) {
    throw std::runtime_error("the parameter count does not fit the network");
  }
  return info;
}

}  // namespace lacuna
