// A fit read from its file: predictions, draws and the summary as arrays and text.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "lacuna/fit.hpp"
#include "lacuna/options.hpp"
#include "lacuna/report.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/observer.hpp"

namespace lacuna::python {
namespace {

nb::dict info_of(const Fit& fit) {
  const FitInfo& info = fit.info();
  nb::dict d;
  d["version"] = info.version;
  d["command"] = info.command;
  d["rows"] = info.rows;
  d["inputs"] = info.input_names;
  d["target"] = info.target_name;
  d["seed"] = info.config.seed;
  d["chains"] = info.config.chains;
  d["walkers"] = info.config.walkers.value_or(1);
  d["widths"] = info.config.widths;
  d["network_inputs"] = info.network_input_names();
  d["bound"] = info.config.bound;
  d["clip"] = info.config.clip;
  d["base"] = info.config.base;
  d["parameters"] = info.parameter_count;
  d["lambda"] = info.lambda;
  d["lambda_origin"] = info.lambda_origin;
  d["noise_sd"] = info.noise.sd() * info.scaling.target_scale;
  d["input_shift"] = info.scaling.input_shift;
  d["input_scale"] = info.scaling.input_scale;
  d["target_shift"] = info.scaling.target_shift;
  d["target_scale"] = info.scaling.target_scale;
  return d;
}

nb::dict predict(const Fit& fit, const Matrix& x, const std::string& estimator, double level,
                 const std::vector<double>& quantiles, const std::optional<Column>& observed,
                 std::size_t threads) {
  PredictOptions options;
  options.estimator =
      static_cast<PointEstimator>(choice_from("estimator", estimator, {"mean", "draw", "map"}));
  options.level = level;
  options.quantiles = quantiles;
  if (observed) options.observed = values_of(*observed);
  options.threads = threads;
  const std::vector<double> columns = columns_of(x);
  const std::size_t rows = x.shape(0);
  Prediction p;
  {
    const nb::gil_scoped_release unlocked;
    p = fit.predict(columns, rows, options);
  }
  nb::dict d;
  d["mean"] = array_of(std::move(p.mean));
  d["sd"] = array_of(std::move(p.sd));
  d["f_lower"] = array_of(std::move(p.f_lower));
  d["f_upper"] = array_of(std::move(p.f_upper));
  d["y_lower"] = array_of(std::move(p.y_lower));
  d["y_upper"] = array_of(std::move(p.y_upper));
  std::vector<double> all;
  for (const std::vector<double>& column : p.quantiles)
    all.insert(all.end(), column.begin(), column.end());
  d["quantiles"] = array_of(std::move(all), {quantiles.size(), rows});
  d["log_score"] = array_of(std::move(p.log_score));
  d["crps"] = array_of(std::move(p.crps));
  d["pit"] = array_of(std::move(p.pit));
  return d;
}

nb::ndarray<nb::numpy, double> predict_draws(const Fit& fit, const Matrix& x,
                                             std::optional<std::uint64_t> noise_seed,
                                             std::size_t threads) {
  const std::vector<double> columns = columns_of(x);
  const std::size_t rows = x.shape(0);
  std::vector<double> values;
  {
    const nb::gil_scoped_release unlocked;
    values = fit.predict_draws(columns, rows, noise_seed, threads);
  }
  return array_of(std::move(values), {static_cast<std::size_t>(fit.draws()), rows});
}

nb::ndarray<nb::numpy, double> log_density_draws(const Fit& fit, const Matrix& x,
                                                 const Column& observed, std::size_t threads) {
  const std::vector<double> columns = columns_of(x), y = values_of(observed);
  std::vector<double> values;
  {
    const nb::gil_scoped_release unlocked;
    values = fit.log_density_draws(columns, y, threads);
  }
  return array_of(std::move(values), {static_cast<std::size_t>(fit.draws()), y.size()});
}

nb::dict series_of(const Fit& fit) {
  DrawSeries series;
  {
    const nb::gil_scoped_release unlocked;
    series = fit.series();
  }
  const auto draws = static_cast<std::size_t>(fit.draws());
  const std::size_t inputs = fit.info().input_names.size(), probes = fit.info().probes.rows.size();
  nb::dict d;
  d["n_live"] = array_of(std::move(series.live));
  d["log_posterior"] = array_of(std::move(series.log_posterior));
  d["f"] = array_of(std::move(series.f), {draws, probes});
  d["inclusion"] = array_of(std::move(series.included), {draws, inputs});
  d["probe_rows"] = fit.info().probes.rows;
  return d;
}

nb::dict draws_of(const Fit& fit) {
  std::vector<std::int64_t> chain, draw, active;
  std::vector<double> log_prior, risk;
  fit.for_each_draw([&](const DrawView& d) {
    chain.push_back(static_cast<std::int64_t>(d.chain));
    draw.push_back(static_cast<std::int64_t>(d.draw));
    log_prior.push_back(d.log_prior);
    risk.push_back(d.risk);
    active.push_back(static_cast<std::int64_t>(d.index.size()));
  });
  nb::dict d;
  d["chain"] = array_of(std::move(chain));
  d["draw"] = array_of(std::move(draw));
  d["log_prior"] = array_of(std::move(log_prior));
  d["risk"] = array_of(std::move(risk));
  d["n_active"] = array_of(std::move(active));
  return d;
}

using Weight = std::tuple<std::size_t, std::size_t, std::size_t, bool, double, bool>;

std::vector<Weight> best_network(const Fit& fit) {
  std::vector<Weight> weights;
  for (const WeightView& w : fit.best_network().weights)
    weights.emplace_back(w.layer, w.destination, w.source, w.shift, w.value, w.live);
  return weights;
}

void write_report_of(const Fit& fit, const std::string& path, const std::optional<Matrix>& x,
                     const std::optional<Column>& y, const std::optional<Column>& weights,
                     bool with_certificates, std::size_t threads) {
  Dataset data;
  CertificateReport certificates;
  ReportOptions options;
  options.file = "the model";
  options.threads = threads;
  if (x && y) {
    data = dataset_of(*x, *y, fit.info().input_names, fit.info().target_name, weights);
    options.data = &data;
  } else {
    options.without_data =
        "What shows single rows (fit, residuals, partial dependence, calibration) is left out: a "
        "model that was loaded does not have its training rows. Give them: report(path, X, y).";
  }
  PythonObserver observer(nb::none());
  const nb::gil_scoped_release unlocked;
  if (with_certificates) {
    CertifyOptions how;
    how.threads = threads;
    certificates = certify(fit, data, how, nullptr, &observer);
    options.certificates = &certificates;
  }
  write_report(fit, options, path);
}

}  // namespace

void add_reading(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Fit>(module, "Fit")
      .def_static(
          "open", [](const std::string& path) { return Fit::open(path); }, "path"_a)
      .def("info", &info_of)
      .def("predict", &predict, "x"_a, "estimator"_a, "level"_a, "quantiles"_a, "observed"_a.none(),
           "threads"_a)
      .def("predict_draws", &predict_draws, "x"_a, "noise_seed"_a.none(), "threads"_a)
      .def("log_density_draws", &log_density_draws, "x"_a, "observed"_a, "threads"_a)
      .def("series", &series_of)
      .def("draws", &draws_of)
      .def("best_network", &best_network)
      .def("report", &write_report_of, "path"_a, "x"_a.none(), "y"_a.none(), "weights"_a.none(),
           "certify"_a, "threads"_a)
      .def("summary", [](const Fit& fit) { return summary_as_json(fit, fit.summary()); });
}

}  // namespace lacuna::python
