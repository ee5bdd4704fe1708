#include "run/setup.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "lacuna/errors.hpp"
#include "posterior/lambda.hpp"
#include "run/effort.hpp"
#include "run/fit_file.hpp"
#include "run/info_json.hpp"
#include "run/probes.hpp"
#include "run/search.hpp"
#include "support/check.hpp"
#include "support/parallel.hpp"
#include "warmup/start.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_first_steps = 32'000;
constexpr std::size_t default_depth = 2, default_width = 32;

// Per weight of a dense chain: two points with index, value and gradient, and the partial sums of a
// pass.
constexpr double bytes_per_dense_weight = 2 * 24.0 + 64.0 + 48.0;

void check_memory(const Architecture& architecture, const Config& config, std::size_t rows) {
  if (config.prior != PriorKind::dense) return;
  const std::size_t networks =
      config.chains * config.rungs * walkers_for(config, architecture.parameter_count(), rows);
  const double gib = 1024.0 * 1024.0 * 1024.0;
  const double need = bytes_per_dense_weight * static_cast<double>(architecture.parameter_count()) *
                      static_cast<double>(networks) / gib;
  const double limit = 0.8 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                       static_cast<double>(sysconf(_SC_PAGESIZE)) / gib;
  if (need > limit) {
    throw Error(ErrorKind::usage,
                fmt::format("the dense prior keeps all {} weights: {} chains would need about "
                            "{:.1f} GiB (limit {:.1f} GiB); use --prior sparse, where only the "
                            "live network counts, or a smaller network",
                            architecture.parameter_count(), networks, need, limit));
  }
}

double clipped_share(const Dataset& data, double clip) {
  double beyond = 0.0;
  for (std::size_t i = 0; i < data.rows; ++i)
    if (std::abs(data.y[i]) > clip) beyond += data.weight[i];
  return beyond / total_weight(data);
}

// Size of the network, lambda, and the noise level that predictive intervals use.
void choose_model(const Dataset& scaled_data, const Config& config,
                  const std::function<bool()>& stop, FitInfo& info) {
  if (config.widths.empty()) {
    info.config.widths.assign(config.depth.value_or(default_depth),
                              config.width.value_or(default_width));
  }
  check_memory(Architecture(scaled_data.inputs, info.config.widths), config, scaled_data.rows);
  const double n = info.total_weight;
  const double unit = info.scaling.target_scale;
  const bool given = config.noise_sd.has_value();
  const double sigma = given ? *config.noise_sd / unit : 0.0;
  const auto sigma_or_estimate = [&] { return given ? sigma : estimate_noise_sd(scaled_data); };
  const char* origin = given ? "given" : "estimated from the data";
  double trained_error = std::numeric_limits<double>::infinity();

  switch (config.lambda_rule) {
    case LambdaRule::number:
      info.lambda = config.lambda;
      info.lambda_origin = "given";
      break;
    case LambdaRule::theory: {
      const double noise = sigma_or_estimate();
      const double tail = config.noise_tail ? *config.noise_tail / unit : noise;
      info.lambda = theory_lambda(n, config.clip, noise, tail);
      info.lambda_origin =
          fmt::format("theory: n / Xi_0 with Xi_0 = {:.6g} (noise sd {:.4g}, {})",
                      theory_constant(config.clip, noise, tail), noise * unit, origin);
      break;
    }
    case LambdaRule::automatic:
      if (scaled_data.rows >= fewest_rows_to_search) {
        Config model = config;
        if (uses_paper_kernel(config) || config.prior == PriorKind::dense)
          model.widths = info.config.widths;
        const Search found = search(scaled_data, model, thread_count(config.threads), stop);
        if (!found.curve.empty()) {
          info.config.widths = found.widths;
          info.network_inputs = found.inputs;
          info.lambda = found.lambda;
          info.lambda_curve = found.curve;
          info.lambda_origin =
              fmt::format("auto: of {} values by held-out rows", found.curve.size());
          info.noise = found.noise;
          break;
        }
        trained_error = found.error;
      }
      [[fallthrough]];
    case LambdaRule::bayes: {
      double noise = sigma_or_estimate();
      // Networks that were trained before time was up see through more than a look at the data.
      if (!given && trained_error < noise) {
        noise = trained_error;
        origin = "from networks trained in the time there was";
      }
      info.lambda = bayes_lambda(n, noise);
      info.lambda_origin =
          fmt::format("bayes: n / (2 sigma^2) with noise sd {:.4g}, {}", noise * unit, origin);
      break;
    }
  }
  if (!(std::isfinite(info.lambda) &&
        (info.lambda > 0.0 || config.lambda_rule == LambdaRule::number))) {
    throw Error(
        ErrorKind::usage,
        fmt::format("lambda={}: the noise level is out of proportion ({}); give --lambda or "
                    "another --noise-sd",
                    info.lambda, info.lambda_origin));
  }
  if (config.rungs > 1 && info.lambda == 0.0)
    refuse("rungs", config.rungs, "must be 1 with lambda = 0, which is the prior already");
  if (config.proposal_sd && !config.learning_rate &&
      !std::isfinite(PaperKernel::langevin(info.lambda, *config.proposal_sd).learning_rate)) {
    refuse("proposal-sd s", *config.proposal_sd,
           "lambda s^2 / 2 must be a finite number; give --learning-rate or a smaller s");
  }
  const bool calibrated = !info.lambda_curve.empty();
  if (given || !calibrated) {
    info.noise = {};
    info.noise.scale = info.noise.mean_level = given ? sigma : implied_noise_sd(n, info.lambda);
  }
  info.noise_origin =
      given ? "given"
            : (calibrated ? "calibrated on held-out rows" : "implied by lambda: n / (2 lambda)");
}

SparseTheta last_draw(const Config& config, const Target& target, std::uint32_t walker) {
  const std::string& path = config.start_file;
  const FitReader reader(path);
  // Draws come as points of the network over all inputs, which a run from an earlier fit has.
  const Architecture network(reader.info().input_names.size(), reader.info().config.widths);
  if (network.inputs() != target.architecture.inputs() ||
      network.widths() != target.architecture.widths()) {
    throw Error(ErrorKind::usage,
                fmt::format("start={}: holds another network (P = {}, this run has P = {})", path,
                            network.parameter_count(), target.architecture.parameter_count()));
  }
  // From the same walker of the same chain, as far as the other fit has them.
  const std::size_t here = config.walkers.value_or(1);
  const std::size_t there = reader.info().config.walkers.value_or(1);
  const std::size_t wanted =
      walker / here % reader.info().config.chains * there + walker % here % there;
  const RecordPlace* last = nullptr;
  for (const RecordPlace& place : reader.records()) {
    if (place.type == RecordType::draws && place.chain == wanted) last = &place;
  }
  if (last == nullptr)
    throw Error(ErrorKind::bad_data, fmt::format("start={}: has no draws to start from", path));
  SparseTheta theta;
  reader.for_each_draw(*last, [&](const DrawView& draw) {
    theta.index.assign(draw.index.begin(), draw.index.end());
    theta.value.assign(draw.value.begin(), draw.value.end());
  });
  if (!std::isfinite(target.prior.log_density(theta))) {
    throw Error(
        ErrorKind::usage,
        fmt::format("start={}: its last draw has no mass under this run's prior (bound B={})", path,
                    target.prior.bound()));
  }
  return theta;
}

Precision precision_of(const Config& config) {
  return uses_paper_kernel(config) ? Precision::full : Precision::single;
}

Target target_of(const FitInfo& info, const Dataset& as_seen, Precision precision) {
  const Config& config = info.config;
  const Architecture architecture = network_of(info);
  auto samples = std::make_shared<const Samples>(as_seen.rows, as_seen.inputs, as_seen.x, as_seen.y,
                                                 precision, as_seen.weight);
  if (!info.network_inputs.empty())
    samples = std::make_shared<const Samples>(samples->with_inputs(info.network_inputs));
  return {architecture,
          Prior(config.prior, architecture.parameter_count(), config.base, config.bound),
          std::move(samples),
          config.clip,
          info.lambda,
          config.seed};
}

}  // namespace

void check_same_data(const Dataset& data, const FitInfo& info, const std::string& file) {
  const std::uint64_t hash = hash_dataset(data);
  if (hash == info.data_hash) return;
  throw Error(ErrorKind::bad_data,
              fmt::format("{}: was fitted to other data (hash {:016x}, here {:016x}); it needs the "
                          "same rows and columns",
                          file, info.data_hash, hash));
}

Setup set_up_again(const Dataset& data, const FitInfo& info, const std::string& file,
                   std::optional<Precision> precision) {
  check_same_data(data, info, file);
  // Files of the first versions were fitted to the rows as they came.
  const bool joined = info.distinct_rows.has_value();
  return {info, target_of(info, scaled(joined ? distinct_rows(data).data : data, info.scaling),
                          precision.value_or(precision_of(info.config)))};
}

Setup set_up(const Dataset& data, const Config& config, const std::string& command,
             Observer& observer, const std::function<bool()>& stop) {
  check_config(config);
  for (const std::string& warning : check_dataset(data)) observer.warn(warning);

  FitInfo info;
  info.version = library_version();
  info.command = command;
  info.config = config;
  info.rows = data.rows;
  info.input_names = data.input_names;
  info.target_name = data.target_name;
  info.data_path = data.path;
  info.ignored = data.ignored;
  info.missing = data.missing;
  info.weight_name = data.weight_name;
  info.data_hash = hash_dataset(data);
  const DistinctRows distinct = distinct_rows(data);
  info.distinct_rows = distinct.data.rows;
  info.total_weight = total_weight(distinct.data);
  info.scaling =
      config.standardise ? standardisation(distinct.data) : identity_scaling(data.inputs);

  const Dataset as_seen = scaled(distinct.data, info.scaling);
  choose_model(as_seen, config, stop, info);
  info.parameter_count = network_of(info).parameter_count();
  info.config.walkers = walkers_for(config, info.parameter_count, as_seen.rows);
  info.clipped_share = clipped_share(as_seen, config.clip);
  info.probes = probe_points(as_seen);
  for (std::size_t& row : info.probes.rows) row = distinct.origin[row];
  if (info.clipped_share > 0.0) {
    observer.warn(
        fmt::format("{:.1f}% of the targets lie beyond the clip level C={}{}; no fit can reach "
                    "them: raise --clip{}",
                    100.0 * info.clipped_share, config.clip,
                    config.standardise ? " (in standard deviations)" : "",
                    config.standardise ? "" : " or use --scale auto"));
  }
  Setup setup{info, target_of(info, as_seen, precision_of(config))};
  // A start that cannot be used is told before an older fit at the same place is overwritten.
  if (config.start == StartKind::file) last_draw(config, setup.target, 0);
  return setup;
}

SparseTheta first_point(const Target& target, const Config& config, std::uint32_t walker,
                        int attempts, const std::function<bool()>& stop) {
  if (config.start == StartKind::file) return last_draw(config, target, walker);
  RandomStream stream({target.seed, walker, 0, 0, Purpose::start});
  if (config.start == StartKind::prior) return target.prior.draw(stream);
  // 128 passes over the rows, where they are many.
  PathLength length;
  const std::size_t rows = target.samples->rows();
  length.first_steps = std::clamp(2 * rows, length.first_steps, most_first_steps);
  length = with_effort(effort_for(rows, config), length);
  // Of four training runs on one-dimensional data about one ends in a poor optimum.
  SparseTheta best;
  double best_mass = 0.0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::vector<PathStage> path = trained_path(
        {*target.samples, target.architecture, target.prior, target.clip, target.lambda}, length,
        stream, stop);
    const PathStage& stage = heaviest(path, target.prior, target.lambda);
    const double mass =
        approximate_log_mass(target.prior, target.lambda, stage.theta, stage.risk, stage.curvature);
    if (best.size() > 0 && !(mass > best_mass)) continue;
    best = stage.theta;
    best_mass = mass;
  }
  return best;
}

}  // namespace lacuna
