// The module lacuna._core: errors of the library as those that Python users know.
#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"
#include "python/bindings/bindings.hpp"

namespace {

PyObject* exception_for(lacuna::ErrorKind kind) {
  switch (kind) {
    case lacuna::ErrorKind::usage:
    case lacuna::ErrorKind::bad_data:
      return PyExc_ValueError;
    case lacuna::ErrorKind::no_input:
      return PyExc_FileNotFoundError;
    case lacuna::ErrorKind::cannot_create:
    case lacuna::ErrorKind::io:
      return PyExc_OSError;
    case lacuna::ErrorKind::interrupted:
      return PyExc_KeyboardInterrupt;
    case lacuna::ErrorKind::internal:
      break;
  }
  return PyExc_RuntimeError;
}

}  // namespace

NB_MODULE(_core, module) {
  nanobind::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const lacuna::Error& error) {
      PyErr_SetString(exception_for(error.kind()), error.what());
    }
  });
  module.doc() = "The compiled half of lacuna; use lacuna.LacunaRegressor.";
  module.def("version", [] { return lacuna::library_version(); });
  lacuna::python::add_fitting(module);
  lacuna::python::add_reading(module);
  lacuna::python::add_certifying(module);
}
