// What the files of the Python module share: the parts they register, and arrays without copies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/dataset.hpp"

namespace lacuna::python {

namespace nb = nanobind;

void add_fitting(nb::module_& module);
void add_reading(nb::module_& module);
void add_certifying(nb::module_& module);

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using Column = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;

// Column by column, as the library wants it.
inline std::vector<double> columns_of(const Matrix& x) {
  const std::size_t rows = x.shape(0), inputs = x.shape(1);
  std::vector<double> values(rows * inputs);
  const auto view = x.view();
  for (std::size_t j = 0; j < inputs; ++j)
    for (std::size_t i = 0; i < rows; ++i) values[j * rows + i] = view(i, j);
  return values;
}

inline std::vector<double> values_of(const Column& y) {
  std::vector<double> values(y.shape(0));
  const auto view = y.view();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = view(i);
  return values;
}

inline Dataset dataset_of(const Matrix& x, const Column& y, std::vector<std::string> names,
                          std::string target, const std::optional<Column>& weights) {
  Dataset data;
  data.rows = x.shape(0);
  data.inputs = x.shape(1);
  data.x = columns_of(x);
  data.y = values_of(y);
  data.input_names = std::move(names);
  data.target_name = std::move(target);
  if (weights) data.weight = values_of(*weights);
  return data;
}

// A NumPy array that owns what the vector held.
template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T>&& values,
                                   std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}

template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T>&& values) {
  const std::size_t size = values.size();
  return array_of(std::move(values), {size});
}

}  // namespace lacuna::python
