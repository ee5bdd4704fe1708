#include "network/samples.hpp"

#include <algorithm>

namespace lacuna {

Samples::Samples(std::size_t rows, std::size_t inputs, std::span<const double> x,
                 std::span<const double> y)
    : rows_(rows),
      padded_((rows + lanes - 1) / lanes * lanes),
      inputs_(inputs),
      x_(padded_ * inputs, 0.0),
      y_(padded_, 0.0),
      weight_(padded_, 0.0) {
  for (std::size_t j = 0; j < inputs; ++j) {
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(j * rows), rows,
                x_.begin() + static_cast<std::ptrdiff_t>(j * padded_));
  }
  std::copy_n(y.begin(), std::min(rows, y.size()), y_.begin());
  std::fill_n(weight_.begin(), rows, 1.0);
}

std::shared_ptr<const Samples> evenly_spaced(const std::shared_ptr<const Samples>& samples,
                                             std::size_t most) {
  const std::size_t rows = samples->rows();
  if (rows <= most) return samples;
  std::vector<double> x(most * samples->inputs()), y(most);
  for (std::size_t k = 0; k < most; ++k) {
    const std::size_t row = k * rows / most;
    for (std::size_t j = 0; j < samples->inputs(); ++j) x[j * most + k] = samples->column(j)[row];
    y[k] = samples->target()[row];
  }
  return std::make_shared<const Samples>(most, samples->inputs(), x, y);
}

}  // namespace lacuna
