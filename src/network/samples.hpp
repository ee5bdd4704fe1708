// Rows laid out for the passes: column by column, padded to whole vectors with rows of weight zero.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace lacuna {

inline constexpr std::size_t lanes = 8;

struct RowRange {
  std::size_t begin = 0;  // a multiple of `lanes`
  std::size_t end = 0;    // a multiple of `lanes`, or the number of rows
};

class Samples {
 public:
  // x column by column (x[j * rows + i]); y may be empty when only predictions are wanted.
  Samples(std::size_t rows, std::size_t inputs, std::span<const double> x,
          std::span<const double> y);

  std::size_t rows() const { return rows_; }
  std::size_t padded_rows() const { return padded_; }
  std::size_t inputs() const { return inputs_; }
  const double* column(std::size_t j) const { return x_.data() + j * padded_; }
  const double* target() const { return y_.data(); }
  const double* weight() const { return weight_.data(); }  // 1, and 0 for padding
  RowRange all() const { return {0, rows_}; }

 private:
  std::size_t rows_, padded_, inputs_;
  std::vector<double> x_, y_, weight_;
};

// At most `most` rows, evenly spaced in their order; the same object if there are no more.
std::shared_ptr<const Samples> evenly_spaced(const std::shared_ptr<const Samples>& samples,
                                             std::size_t most);

}  // namespace lacuna
