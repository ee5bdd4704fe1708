#include "report/material.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/picture_support.hpp"
#include "report/svg.hpp"
#include "run/setup.hpp"

namespace lacuna::report {
namespace {

// Weights this close to the bound count as being at it.
constexpr double nearly = 0.99;

// About 130 characters: a page has many mentions of a name.
std::string displayed(const std::string& name) { return shortened(name, 10.0, 800.0); }

FitInfo displayed(FitInfo info) {
  for (std::string& name : info.input_names) name = displayed(name);
  info.target_name = displayed(info.target_name);
  return info;
}

Summary displayed(Summary summary) {
  for (InputInclusion& input : summary.inclusion) input.name = displayed(input.name);
  return summary;
}

// Rows with weight zero were not fitted.
std::vector<std::size_t> rows_fitted(const Dataset& data) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < data.rows; ++i) {
    if (data.weight.empty() || data.weight[i] > 0.0) rows.push_back(i);
  }
  return rows;
}

Dataset chosen(const Dataset& data, const std::vector<std::size_t>& rows) {
  Dataset some = data;
  some.rows = rows.size();
  some.x.clear();
  some.y.clear();
  some.weight.clear();
  for (std::size_t j = 0; j < data.inputs; ++j)
    for (const std::size_t i : rows) some.x.push_back(data.x[j * data.rows + i]);
  for (const std::size_t i : rows) some.y.push_back(data.y[i]);
  return some;
}

FittedRows fitted_rows(const Fit& fit, const ReportOptions& options) {
  check_same_data(*options.data, fit.info(), options.file);
  const std::vector<std::size_t> fitted = rows_fitted(*options.data);
  FittedRows rows;
  rows.all = fitted.size();
  for (const std::size_t k : evenly_chosen(fitted.size(), FittedRows::most_rows))
    rows.row.push_back(fitted[k]);
  rows.data = chosen(*options.data, rows.row);
  for (std::string& name : rows.data.input_names) name = displayed(name);
  rows.data.target_name = displayed(rows.data.target_name);
  PredictOptions how;
  how.level = shown_level;
  how.observed = rows.data.y;
  how.threads = options.threads;
  rows.prediction = fit.predict(rows.data.x, rows.data.rows, how);
  rows.scores = mean_scores(rows.prediction, rows.data.y);
  return rows;
}

// Of the probe points, which are in order of their targets.
std::vector<std::size_t> probes_shown(std::size_t count) {
  if (count >= 3) return {0, count / 2, count - 1};
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void gather_series(const Fit& fit, Material& out) {
  const std::size_t walkers = out.info.config.walkers.value_or(1);
  out.walkers = walkers_in_all(out.info.config);
  out.risk = {"risk", "risk, in scaled units", {}};
  out.active = {"active weights", "active weights |I|", {}};
  for (WalkerSeries* series : {&out.risk, &out.active}) series->of_walker.resize(out.walkers);
  const std::size_t count = out.info.probes.rows.size();
  const std::vector<std::size_t> shown = probes_shown(count);
  for (const std::size_t i : shown) {
    WalkerSeries series;
    series.name = fmt::format("f at row {}", out.info.probes.rows[i]);
    series.label = fmt::format("f, in units of {}", out.target());
    series.of_walker.resize(out.walkers);
    out.probes.push_back(std::move(series));
  }
  const DrawSeries series = fit.series();
  std::size_t k = 0;
  fit.for_each_draw([&](const DrawView& draw) {
    const std::size_t w = draw.chain * walkers + draw.draw % walkers;
    out.risk.of_walker[w].push_back(draw.risk);
    out.active.of_walker[w].push_back(static_cast<double>(draw.index.size()));
    for (std::size_t i = 0; i < shown.size(); ++i)
      out.probes[i].of_walker[w].push_back(series.f[k * count + shown[i]]);
    const auto at_bound = std::ranges::count_if(draw.value, [&](double value) {
      return std::abs(value) >= nearly * out.info.config.bound;
    });
    out.at_bound.push_back(static_cast<double>(at_bound) /
                           static_cast<double>(std::max<std::size_t>(draw.value.size(), 1)));
    ++k;
  });
}

}  // namespace

Material gather(const Fit& fit, const ReportOptions& options) {
  Material out{fit,    displayed(fit.info()), displayed(fit.summary()), 0, {}, {}, {}, {}, {},
               options};
  gather_series(fit, out);
  if (options.data != nullptr && fit.draws() > 0) out.rows = fitted_rows(fit, options);
  return out;
}

}  // namespace lacuna::report
