// Rows laid out for the passes: column by column, padded to whole vectors with rows of weight zero.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "support/aligned.hpp"

namespace lacuna {

inline constexpr std::size_t row_unit = 16;  // rows are padded to a multiple of this

// The arithmetic of the passes. Single precision is about twice as fast; the risk is summed in
// double either way, and a chain's posterior is then the one with the rounded risk, exactly.
enum class Precision { single, full };

struct RowRange {
  std::size_t begin = 0;  // a multiple of `row_unit`
  std::size_t end = 0;    // a multiple of `row_unit`, or the number of rows
};

class Samples {
 public:
  // x column by column (x[j * rows + i]); y may be empty when only predictions are wanted, weights
  // where every row counts once.
  Samples(std::size_t rows, std::size_t inputs, std::span<const double> x,
          std::span<const double> y, Precision precision = Precision::full,
          std::span<const double> weights = {});

  std::size_t rows() const { return rows_; }
  std::size_t padded_rows() const { return padded_; }
  std::size_t inputs() const { return inputs_; }
  Precision precision() const { return precision_; }
  const double* column(std::size_t j) const { return full_.x.data() + j * padded_; }
  const double* target() const { return full_.y.data(); }
  RowRange all() const { return {0, rows_}; }
  double weight(std::size_t row) const { return full_.weight[row]; }
  double total_weight() const { return weight_before_.back(); }
  double total_weight(RowRange range) const {
    return weight_before_[range.end] - weight_before_[range.begin];
  }

  // What passes read; float only in samples of single precision.
  template <class Real>
  const Real* column_as(std::size_t j) const {
    return layout<Real>().x.data() + j * padded_;
  }
  template <class Real>
  const Real* target_as() const {
    return layout<Real>().y.data();
  }
  template <class Real>
  const Real* weight_as() const {  // 0 for padding
    return layout<Real>().weight.data();
  }
  // Residual and backward signal each carry one: products of the two then carry the weight.
  template <class Real>
  const Real* root_weight_as() const {
    return layout<Real>().root_weight.data();
  }

  // All rows with these inputs only, in this order.
  Samples with_inputs(std::span<const std::size_t> inputs) const;
  // These rows, in this order.
  Samples subset(std::span<const std::size_t> rows, Precision precision) const;

 private:
  template <class Real>
  struct Layout {
    AlignedVector<Real> x, y, weight, root_weight;
  };
  template <class Real>
  const Layout<Real>& layout() const {
    if constexpr (std::is_same_v<Real, float>) {
      return single_;
    } else {
      return full_;
    }
  }

  std::size_t rows_, padded_, inputs_;
  Precision precision_;
  Layout<double> full_;
  Layout<float> single_;
  std::vector<double> weight_before_;  // of all rows before row i; rows + 1 of them
};

// At most `most` rows, evenly spaced in their order; the same object if there are no more.
std::shared_ptr<const Samples> evenly_spaced(const std::shared_ptr<const Samples>& samples,
                                             std::size_t most);

}  // namespace lacuna
