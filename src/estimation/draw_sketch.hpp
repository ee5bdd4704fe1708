// What predictions need of the draws of f at one x, found without sorting them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lacuna {

// Moments, and number and mean of the draws in each of 128 cells of the same width from the lowest
// to the highest. Keeps its memory from one x to the next.
class DrawSketch {
 public:
  static constexpr std::size_t cells = 128;
  struct Cell {
    double count = 0.0, sum = 0.0;  // of distances from the lowest draw
  };

  // `draws` must outlive the questions below.
  void assign(std::span<const double> draws);

  std::span<const double> draws() const { return draws_; }
  double mean() const { return mean_; }
  double variance() const { return variance_; }
  double lowest() const { return lowest_; }
  double width() const { return width_; }  // of a cell; 0 if all draws are equal
  const Cell& operator[](std::size_t cell) const { return cells_[cell]; }

  // Exactly that of the draws, as sorted_quantile defines it: cells tell where to look.
  double quantile(double q);

 private:
  std::span<const double> draws_;
  double mean_ = 0.0, variance_ = 0.0, lowest_ = 0.0, width_ = 0.0;
  std::array<Cell, cells> cells_{};
  std::vector<std::uint8_t> cell_of_;  // each draw
  std::vector<double> picked_;
};

}  // namespace lacuna
