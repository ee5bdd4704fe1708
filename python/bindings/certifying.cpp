// Certificates of a fit from arrays, as the JSON text of the command.
#include <nanobind/stl/pair.h>

#include "lacuna/certificate.hpp"
#include "lacuna/report.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/observer.hpp"

namespace lacuna::python {
namespace {

std::string certify_arrays(const Fit& fit, const Matrix& x, const Column& y,
                           const std::optional<Column>& weights,
                           const std::optional<Matrix>& test_x, const std::optional<Column>& test_y,
                           const CertifyOptions& options) {
  const FitInfo& info = fit.info();
  const Dataset training = dataset_of(x, y, info.input_names, info.target_name, weights);
  std::optional<Dataset> test;
  if (test_x && test_y)
    test = dataset_of(*test_x, *test_y, info.input_names, info.target_name, std::nullopt);
  PythonObserver observer(nb::none());
  const nb::gil_scoped_release unlocked;
  return certificates_as_json(certify(fit, training, options, test ? &*test : nullptr, &observer));
}

}  // namespace

void add_certifying(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<CertifyOptions>(module, "CertifyOptions")
      .def(nb::init<>())
      .def_rw("delta", &CertifyOptions::delta)
      .def_rw("noise_sd", &CertifyOptions::noise_sd, nb::arg().none())
      .def_rw("noise_tail", &CertifyOptions::noise_tail, nb::arg().none())
      .def_rw("target_range", &CertifyOptions::target_range, nb::arg().none())
      .def_rw("runs", &CertifyOptions::runs)
      .def_rw("rungs", &CertifyOptions::rungs)
      .def_rw("steps_per_rung", &CertifyOptions::steps_per_rung)
      .def_rw("seed", &CertifyOptions::seed)
      .def_rw("threads", &CertifyOptions::threads);
  module.def("certify", &certify_arrays, "fit"_a, "x"_a, "y"_a, "weights"_a.none(),
             "test_x"_a.none(), "test_y"_a.none(), "options"_a);
}

}  // namespace lacuna::python
