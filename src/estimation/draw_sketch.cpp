#include "estimation/draw_sketch.hpp"

#include <algorithm>
#include <cmath>

#include "support/dispatch.hpp"

namespace lacuna {
namespace {

constexpr std::size_t lanes = 8;  // sums that do not wait for one another

struct Moments {
  double sum = 0.0, square = 0.0, low = 0.0, high = 0.0;
};

// Around one of the draws, so that little cancels.
LACUNA_INLINE Moments add_moments(double centre, const double* draws, std::size_t count) {
  std::array<double, lanes> sum{}, square{}, low{}, high{};
  const auto take = [&](std::size_t l, double f) __attribute__((always_inline)) {
    const double d = f - centre;
    sum[l] += d;
    square[l] += d * d;
    low[l] = d < low[l] ? d : low[l];
    high[l] = d > high[l] ? d : high[l];
  };
  const std::size_t whole = count / lanes * lanes;
  for (std::size_t k = 0; k < whole; k += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) take(l, draws[k + l]);
  }
  for (std::size_t k = whole; k < count; ++k) take(k - whole, draws[k]);
  Moments all;
  for (std::size_t l = 0; l < lanes; ++l) {
    all.sum += sum[l];
    all.square += square[l];
    all.low = std::min(all.low, low[l]);
    all.high = std::max(all.high, high[l]);
  }
  return all;
}

LACUNA_KERNEL(Moments, moments_around, (double centre, const double* draws, std::size_t count),
              (centre, draws, count), add_moments(centre, draws, count))

LACUNA_INLINE void fill_cells(double lowest, double per_width, const double* draws,
                              std::size_t count, std::uint8_t* cell) {
  constexpr int last = DrawSketch::cells - 1;
  for (std::size_t k = 0; k < count; ++k) {
    const int c = static_cast<int>((draws[k] - lowest) * per_width);
    cell[k] = static_cast<std::uint8_t>(c < last ? c : last);
  }
}

LACUNA_KERNEL(void, find_cells,
              (double lowest, double per_width, const double* draws, std::size_t count,
               std::uint8_t* cell),
              (lowest, per_width, draws, count, cell),
              fill_cells(lowest, per_width, draws, count, cell))

// Copies the draws in cells `a` and `b` to `picked` and says how many there are. Most stretches of
// cells have none, which is seen at a glance.
LACUNA_INLINE std::size_t pick_two(const std::uint8_t* cell, const double* draws, std::size_t count,
                                   std::uint8_t a, std::uint8_t b, double* picked) {
  constexpr std::size_t glance = 32;
  std::size_t found = 0;
  const auto take = [&](std::size_t begin, std::size_t end) __attribute__((always_inline)) {
    for (std::size_t k = begin; k < end; ++k) {
      picked[found] = draws[k];
      found += (cell[k] == a) | (cell[k] == b);
    }
  };
  const std::size_t whole = count / glance * glance;
  for (std::size_t begin = 0; begin < whole; begin += glance) {
    std::uint8_t hits = 0;
    for (std::size_t k = 0; k < glance; ++k)
      hits |= static_cast<std::uint8_t>((cell[begin + k] == a) | (cell[begin + k] == b));
    if (hits != 0) take(begin, begin + glance);
  }
  take(whole, count);
  return found;
}

LACUNA_KERNEL(std::size_t, pick,
              (const std::uint8_t* cell, const double* draws, std::size_t count, std::uint8_t a,
               std::uint8_t b, double* picked),
              (cell, draws, count, a, b, picked), pick_two(cell, draws, count, a, b, picked))

}  // namespace

void DrawSketch::assign(std::span<const double> draws) {
  draws_ = draws;
  const double centre = draws.front(), count = static_cast<double>(draws.size());
  const Moments moments = moments_around(centre, draws.data(), draws.size());
  const double shift = moments.sum / count;
  mean_ = centre + shift;
  variance_ = std::max(0.0, moments.square / count - shift * shift);
  lowest_ = centre + moments.low;
  width_ = (moments.high - moments.low) / static_cast<double>(cells);
  cells_.fill({});
  cell_of_.resize(draws.size());
  const double per_width = 1.0 / width_;
  if (!std::isfinite(per_width)) width_ = 0.0;
  find_cells(lowest_, width_ > 0.0 ? per_width : 0.0, draws.data(), draws.size(), cell_of_.data());
  for (std::size_t k = 0; k < draws.size(); ++k) {
    Cell& cell = cells_[cell_of_[k]];
    cell.count += 1.0;
    cell.sum += draws[k] - lowest_;
  }
}

double DrawSketch::quantile(double q) {
  const double at = q * static_cast<double>(draws_.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), draws_.size() - 1);
  const std::size_t above = std::min(below + 1, draws_.size() - 1);
  // The cells of order statistics `below` and `above`, and how many draws lie before them.
  const auto count = [&](std::size_t c) { return static_cast<std::size_t>(cells_[c].count); };
  std::size_t first = 0, before = 0;
  while (before + count(first) <= below) before += count(first++);
  std::size_t last = first, until = before;
  while (until + count(last) <= above) until += count(last++);
  picked_.resize(draws_.size());
  const auto end = picked_.begin() + static_cast<std::ptrdiff_t>(
                                         pick(cell_of_.data(), draws_.data(), draws_.size(),
                                              static_cast<std::uint8_t>(first),
                                              static_cast<std::uint8_t>(last), picked_.data()));
  const auto lower = picked_.begin() + static_cast<std::ptrdiff_t>(below - before);
  std::nth_element(picked_.begin(), lower, end);
  if (above == below) return *lower;
  const double share = at - static_cast<double>(below);
  return *lower + share * (*std::min_element(lower + 1, end) - *lower);
}

}  // namespace lacuna
