#include "network/samples.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {

Samples::Samples(std::size_t rows, std::size_t inputs, std::span<const double> x,
                 std::span<const double> y, Precision precision, std::span<const double> weights)
    : rows_(rows),
      padded_((rows + row_unit - 1) / row_unit * row_unit),
      inputs_(inputs),
      precision_(precision) {
  full_.x.resize(padded_ * inputs);
  full_.y.resize(padded_);
  full_.weight.resize(padded_);
  for (std::size_t j = 0; j < inputs; ++j) {
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(j * rows), rows,
                full_.x.begin() + static_cast<std::ptrdiff_t>(j * padded_));
  }
  std::copy_n(y.begin(), std::min(rows, y.size()), full_.y.begin());
  full_.root_weight.resize(padded_);
  weight_before_.assign(1, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    full_.weight[i] = weights.empty() ? 1.0 : weights[i];
    full_.root_weight[i] = std::sqrt(full_.weight[i]);
    weight_before_.push_back(weight_before_.back() + full_.weight[i]);
  }
  if (precision == Precision::full) return;
  single_.x.assign(full_.x.begin(), full_.x.end());
  single_.y.assign(full_.y.begin(), full_.y.end());
  single_.weight.assign(full_.weight.begin(), full_.weight.end());
  single_.root_weight.assign(full_.root_weight.begin(), full_.root_weight.end());
}

Samples Samples::with_inputs(std::span<const std::size_t> inputs) const {
  std::vector<double> x(rows_ * inputs.size()), weights(rows_);
  for (std::size_t j = 0; j < inputs.size(); ++j)
    std::copy_n(column(inputs[j]), rows_, &x[j * rows_]);
  std::copy_n(full_.weight.begin(), rows_, weights.begin());
  return Samples(rows_, inputs.size(), x, {target(), rows_}, precision_, weights);
}

Samples Samples::subset(std::span<const std::size_t> rows, Precision precision) const {
  std::vector<double> x(rows.size() * inputs_), y(rows.size()), weights(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < inputs_; ++j) x[j * rows.size() + i] = column(j)[rows[i]];
    y[i] = target()[rows[i]];
    weights[i] = weight(rows[i]);
  }
  return Samples(rows.size(), inputs_, x, y, precision, weights);
}

std::shared_ptr<const Samples> evenly_spaced(const std::shared_ptr<const Samples>& samples,
                                             std::size_t most) {
  const std::size_t rows = samples->rows();
  if (rows <= most) return samples;
  std::vector<std::size_t> chosen(most);
  for (std::size_t k = 0; k < most; ++k) chosen[k] = k * rows / most;
  return std::make_shared<const Samples>(samples->subset(chosen, samples->precision()));
}

}  // namespace lacuna
