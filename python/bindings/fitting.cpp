// Fitting from arrays: the same fit() as the command's, with Python looking on.
#include <nanobind/stl/pair.h>

#include "lacuna/fit.hpp"
#include "lacuna/options.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/observer.hpp"

namespace lacuna::python {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

Config config_of(const Options& options) {
  Config config;
  for (const auto& [name, text] : options) option_named(config_options(), name).set(config, text);
  check_config(config);
  return config;
}

// True if the run came to its planned end; the second value says whether Ctrl-C ended it.
template <class Run>
std::pair<bool, bool> watched(nb::object listener, const Run& run) {
  PythonObserver observer(std::move(listener));
  bool whole = false;
  {
    const nb::gil_scoped_release unlocked;
    whole = run(observer);
  }
  observer.rethrow();
  return {whole, observer.interrupted()};
}

std::pair<bool, bool> fit_arrays(const Matrix& x, const Column& y, std::vector<std::string> names,
                                 std::string target, const std::optional<Column>& weights,
                                 const Options& options, const std::string& out,
                                 const std::string& command, nb::object listener) {
  const Config config = config_of(options);
  const Dataset data = dataset_of(x, y, std::move(names), std::move(target), weights);
  return watched(std::move(listener),
                 [&](Observer& observer) { return fit(data, config, out, command, observer); });
}

std::pair<bool, bool> extend_arrays(const Matrix& x, const Column& y,
                                    std::vector<std::string> names, std::string target,
                                    const std::optional<Column>& weights, const std::string& file,
                                    std::uint64_t draws, std::optional<double> time_limit,
                                    std::size_t threads, nb::object listener) {
  const Dataset data = dataset_of(x, y, std::move(names), std::move(target), weights);
  Continuation how;
  how.draws = planned_draws(file, draws);
  how.time_limit = time_limit;
  how.threads = threads;
  return watched(std::move(listener),
                 [&](Observer& observer) { return go_on(data, file, how, observer); });
}

}  // namespace

void add_fitting(nb::module_& module) {
  using namespace nb::literals;
  module.def("check_options", [](const Options& options) { config_of(options); });
  module.def("options", [] {
    std::vector<std::pair<std::string, std::string>> names;
    for (const ConfigOption& option : config_options())
      names.emplace_back(option.name, option.help);
    return names;
  });
  module.def("fit", &fit_arrays, "x"_a, "y"_a, "names"_a, "target"_a, "weights"_a.none(),
             "options"_a, "out"_a, "command"_a, "listener"_a);
  module.def("extend", &extend_arrays, "x"_a, "y"_a, "names"_a, "target"_a, "weights"_a.none(),
             "file"_a, "draws"_a, "time_limit"_a, "threads"_a, "listener"_a);
}

}  // namespace lacuna::python
