// What can be said draw by draw: f and observations at given rows, densities, series of quantities.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimation/fit_content.hpp"
#include "estimation/noise_law.hpp"
#include "estimation/traces.hpp"
#include "lacuna/errors.hpp"
#include "network/evaluator.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"

namespace lacuna {
namespace {

// Fills values[k * rows + i] with f at row i for draw k, in scaled units, and hands each draw's
// rows to `finish(k, f)`.
template <class Finish>
std::vector<double> values_by_draw(const FitInfo& info, const Architecture& architecture,
                                   const DrawStore& draws, const std::vector<std::size_t>& order,
                                   const Samples& samples, std::size_t threads,
                                   const Finish& finish) {
  const std::size_t rows = samples.rows();
  std::vector<double> values(order.size() * rows);
  const std::size_t parts = std::min<std::size_t>(order.size(), 4 * thread_count(threads));
  parallel_for(parts, thread_count(threads), [&](std::size_t part) {
    Evaluator evaluator(architecture, info.config.clip);
    for (std::size_t k = part; k < order.size(); k += parts) {
      const std::span<double> f = std::span(values).subspan(k * rows, rows);
      evaluator.predict(draws.theta(order[k]), samples, f);
      finish(k, f);
    }
  });
  return values;
}

}  // namespace

void check_inputs(const std::vector<double>& x, std::size_t rows, const FitInfo& info) {
  const std::size_t inputs = info.input_names.size();
  if (x.size() == rows * inputs) return;
  throw Error(ErrorKind::bad_data, fmt::format("{} values given, expected {} rows of {} inputs",
                                               x.size(), rows, inputs));
}

std::vector<double> Fit::predict_draws(const std::vector<double>& x, std::size_t rows,
                                       std::optional<std::uint64_t> noise_seed,
                                       std::size_t threads) const {
  const FitInfo& info = content_->info;
  check_inputs(x, rows, info);
  const Samples samples(rows, info.input_names.size(), scaled_inputs(x, rows, info.scaling), {});
  const std::vector<Noise> noise = noise_seed ? NoiseLaw(info).at(samples) : std::vector<Noise>{};
  return values_by_draw(
      info, content_->architecture(), content_->draws, content_->draws_in_turn(), samples, threads,
      [&](std::size_t k, std::span<double> f) {
        RandomStream stream({noise_seed.value_or(0), 0, 0, k, Purpose::prediction});
        for (std::size_t i = 0; i < rows; ++i) {
          if (noise_seed) f[i] += noise[i].quantile(stream.uniform());
          f[i] = info.scaling.target_shift + info.scaling.target_scale * f[i];
        }
      });
}

std::vector<double> Fit::log_density_draws(const std::vector<double>& x,
                                           const std::vector<double>& observed,
                                           std::size_t threads) const {
  const FitInfo& info = content_->info;
  const Scaling& scaling = info.scaling;
  const std::size_t rows = observed.size();
  check_inputs(x, rows, info);
  const Samples samples(rows, info.input_names.size(), scaled_inputs(x, rows, scaling), {});
  const std::vector<Noise> noise = NoiseLaw(info).at(samples);
  return values_by_draw(info, content_->architecture(), content_->draws, content_->draws_in_turn(),
                        samples, threads, [&](std::size_t, std::span<double> f) {
                          for (std::size_t i = 0; i < rows; ++i) {
                            const double y =
                                (observed[i] - scaling.target_shift) / scaling.target_scale;
                            f[i] = noise[i].log_density(y - f[i]) - std::log(scaling.target_scale);
                          }
                        });
}

DrawSeries Fit::series() const {
  const FitInfo& info = content_->info;
  const Traces traces = traces_of(info, content_->architecture(), content_->draws);
  const auto flat = [](const ChainDraws& chains) {
    std::vector<double> values;
    for (const auto& chain : chains) values.insert(values.end(), chain.begin(), chain.end());
    return values;
  };
  const std::vector<std::size_t> order = content_->draws_in_turn();
  const std::vector<double> live = flat(traces.live), log_posterior = flat(traces.log_posterior);
  const std::size_t probes = traces.f.size(), inputs = info.input_names.size();
  DrawSeries series;
  for (const std::size_t k : order) {
    series.live.push_back(live[k]);
    series.log_posterior.push_back(log_posterior[k]);
  }
  series.f.resize(order.size() * probes);
  for (std::size_t i = 0; i < probes; ++i) {
    const std::vector<double> f = flat(traces.f[i]);
    for (std::size_t k = 0; k < order.size(); ++k) series.f[k * probes + i] = f[order[k]];
  }
  std::vector<std::size_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  series.included.assign(order.size() * inputs, 0);
  for (std::size_t j = 0; j < inputs; ++j)
    for (const std::size_t k : traces.connected[j]) series.included[place[k] * inputs + j] = 1;
  return series;
}

}  // namespace lacuna
