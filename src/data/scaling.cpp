// Standardisation of inputs and target, careful about rounding and overflow.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "data/wording.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/errors.hpp"

namespace lacuna {
namespace {

struct Affine {
  double shift = 0.0;
  double scale = 1.0;
};

[[noreturn]] void refuse(const std::string& what, double value) {
  throw Error(ErrorKind::bad_data,
              fmt::format("{}: value {} overflows when scaled; rescale it", what, value));
}

std::string column(const std::string& name) { return fmt::format("column '{}'", shown(name)); }
std::string target(const std::string& name) { return fmt::format("target '{}'", shown(name)); }

// Mean and standard deviation in two passes. The column is first brought to order one by a power of
// two, which is exact, so that neither sums nor squares can overflow or vanish on the way. The
// variance in raw units must still be a double, because noise variances are given in raw units.
// Weights, where there are any, count copies.
Affine mean_and_sd(std::span<const double> values, std::span<const double> weights, double count,
                   const std::string& what) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low == *high) return {*low, 1.0};
  const double largest = std::abs(*low) > std::abs(*high) ? *low : *high;
  const int exponent = std::ilogb(largest);
  const auto share = [&](std::size_t i) { return (weights.empty() ? 1.0 : weights[i]) / count; };

  double first_mean = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i)
    first_mean += std::ldexp(values[i], -exponent) * share(i);
  double rest = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double deviation = std::ldexp(values[i], -exponent) - first_mean;
    rest += deviation * share(i);
    squares += deviation * deviation * share(i);
  }
  // `rest` would be zero but for rounding: it corrects both moments.
  const double mean = first_mean + rest;
  const double variance = squares - rest * rest;
  if (!std::isfinite(std::ldexp(variance, 2 * exponent))) refuse(what, largest);
  const double sd = std::ldexp(std::sqrt(variance), exponent);
  return {std::ldexp(mean, exponent), std::max(sd, std::numeric_limits<double>::denorm_min())};
}

void apply(std::span<double> values, const Affine& map, const std::string& what) {
  for (double& v : values) {
    const double result = (v - map.shift) / map.scale;
    if (!std::isfinite(result)) refuse(what, v);
    v = result;
  }
}

}  // namespace

Scaling identity_scaling(std::size_t inputs) {
  Scaling scaling;
  scaling.input_shift.assign(inputs, 0.0);
  scaling.input_scale.assign(inputs, 1.0);
  return scaling;
}

Scaling standardisation(const Dataset& data) {
  Scaling scaling;
  const std::span<const double> x(data.x);
  const double count = total_weight(data);
  for (std::size_t j = 0; j < data.inputs; ++j) {
    const Affine map = mean_and_sd(x.subspan(j * data.rows, data.rows), data.weight, count,
                                   column(data.input_names[j]));
    scaling.input_shift.push_back(map.shift);
    scaling.input_scale.push_back(map.scale);
  }
  const Affine map = mean_and_sd(data.y, data.weight, count, target(data.target_name));
  scaling.target_shift = map.shift;
  scaling.target_scale = map.scale;
  return scaling;
}

Dataset scaled(const Dataset& data, const Scaling& scaling) {
  Dataset result = data;
  const std::span<double> x(result.x);
  for (std::size_t j = 0; j < data.inputs; ++j) {
    apply(x.subspan(j * data.rows, data.rows), {scaling.input_shift[j], scaling.input_scale[j]},
          column(data.input_names[j]));
  }
  apply(result.y, {scaling.target_shift, scaling.target_scale}, target(data.target_name));
  return result;
}

std::vector<double> scaled_inputs(const std::vector<double>& x, std::size_t rows,
                                  const Scaling& scaling) {
  std::vector<double> result = x;
  for (std::size_t j = 0; j < scaling.input_shift.size(); ++j) {
    apply(std::span(result).subspan(j * rows, rows),
          {scaling.input_shift[j], scaling.input_scale[j]}, fmt::format("input {}", j + 1));
  }
  return result;
}

}  // namespace lacuna
