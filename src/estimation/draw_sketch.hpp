// What predictions need of the draws of f at one x, found without sorting them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lacuna {

// Moments, and the number of draws in each of 128 to 512 cells of the same width from the lowest to
// the highest. Keeps its memory from one x to the next.
class DrawSketch {
 public:
  static constexpr std::size_t fewest_cells = 128, most_cells = 512;

  // `draws` must outlive the questions below. Cells are made as narrow as `width`, where that takes
  // no more than there may be.
  void assign(std::span<const double> draws, double width = 0.0);

  std::span<const double> draws() const { return draws_; }
  double mean() const { return mean_; }
  double variance() const { return variance_; }
  double lowest() const { return lowest_; }
  double width() const { return width_; }  // of a cell; 0 if all draws are equal
  std::size_t cells() const { return cells_; }
  std::uint32_t count(std::size_t cell) const { return counts_[cell]; }

  // Exactly that of the draws, as sorted_quantile defines it: cells tell where to look.
  double quantile(double q);

 private:
  std::span<const double> draws_;
  double mean_ = 0.0, variance_ = 0.0, lowest_ = 0.0, width_ = 0.0;
  std::size_t cells_ = fewest_cells;
  std::array<std::uint32_t, most_cells> counts_{};
  std::vector<std::uint16_t> cell_of_;  // each draw
  std::vector<double> picked_;
};

}  // namespace lacuna
