#include "estimation/traces.hpp"

#include <algorithm>

#include "network/evaluator.hpp"

namespace lacuna {
namespace {

bool same_point(const DrawView& a, const DrawView& b) {
  return std::ranges::equal(a.index, b.index) && std::ranges::equal(a.value, b.value);
}

}  // namespace

Traces traces_of(const FitInfo& info, const Architecture& architecture, const DrawStore& draws) {
  const std::size_t chains = walkers_in_all(info.config), probes = info.probes.rows.size();
  Traces traces;
  for (auto* series :
       {&traces.risk, &traces.active, &traces.live, &traces.dead, &traces.log_posterior})
    series->resize(chains);
  traces.f.assign(probes, ChainDraws(chains));
  traces.connected.resize(info.input_names.size());
  traces.changed.resize(chains);

  const Samples samples(probes, info.input_names.size(), info.probes.x, {});
  Evaluator evaluator(architecture, info.config.clip);
  std::vector<double> f(probes);
  std::vector<bool> connected(info.input_names.size());
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const DrawView draw = draws[k];
    const std::size_t c = draw.chain;
    evaluator.predict(draws.theta(k), samples, f);
    for (std::size_t i = 0; i < probes; ++i) {
      traces.f[i][c].push_back(info.scaling.target_shift + info.scaling.target_scale * f[i]);
    }
    const auto active = static_cast<double>(draw.index.size());
    const auto live = static_cast<double>(evaluator.network().live_count());
    traces.risk[c].push_back(draw.risk);
    traces.active[c].push_back(active);
    traces.live[c].push_back(live);
    traces.dead[c].push_back(active - live);
    traces.log_posterior[c].push_back(draw.log_prior - info.lambda * draw.risk);
    ++traces.sizes[draw.index.size()];
    evaluator.network().mark_connected_inputs(connected);
    for (std::size_t j = 0; j < connected.size(); ++j) {
      if (connected[j]) traces.connected[j].push_back(k);
    }
    // Draws are in order of their chains, so the one before is the neighbour in the store.
    if (traces.risk[c].size() > 1) traces.changed[c].push_back(!same_point(draw, draws[k - 1]));
  }
  return traces;
}

ChainDraws inclusion_series(const Traces& traces, std::size_t input) {
  ChainDraws series;
  std::size_t first = 0;
  auto next = traces.connected[input].begin();
  const auto end = traces.connected[input].end();
  for (const std::vector<double>& chain : traces.risk) {
    std::vector<double>& values = series.emplace_back(chain.size(), 0.0);
    for (; next != end && *next < first + chain.size(); ++next) values[*next - first] = 1.0;
    first += chain.size();
  }
  return series;
}

}  // namespace lacuna
