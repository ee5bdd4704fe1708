#include "estimation/draw_sketch.hpp"

#include <algorithm>
#include <cmath>

#include "support/dispatch.hpp"

namespace lacuna {
namespace {

constexpr std::size_t lanes = 8;  // sums that do not wait for one another
typedef double Lanes __attribute__((vector_size(lanes * sizeof(double)), aligned(8), may_alias));

struct Moments {
  double sum = 0.0, square = 0.0, low = 0.0, high = 0.0;

  void take(double d) {
    sum += d;
    square += d * d;
    low = std::min(low, d);
    high = std::max(high, d);
  }
};

// Around one of the draws, so that little cancels.
LACUNA_INLINE Moments add_moments(double centre, const double* draws, std::size_t count) {
  Lanes sum{}, square{}, low{}, high{};
  const std::size_t whole = count / lanes * lanes;
  for (std::size_t k = 0; k < whole; k += lanes) {
    const Lanes d = *reinterpret_cast<const Lanes*>(draws + k) - centre;
    sum += d;
    square += d * d;
    low = d < low ? d : low;
    high = d > high ? d : high;
  }
  Moments all;
  for (std::size_t l = 0; l < lanes; ++l) {
    all.sum += sum[l];
    all.square += square[l];
    all.low = std::min(all.low, low[l]);
    all.high = std::max(all.high, high[l]);
  }
  for (std::size_t k = whole; k < count; ++k) all.take(draws[k] - centre);
  return all;
}

LACUNA_KERNEL(Moments, moments_around, (double centre, const double* draws, std::size_t count),
              (centre, draws, count), add_moments(centre, draws, count))

LACUNA_INLINE void fill_cells(double lowest, double per_width, int last, const double* draws,
                              std::size_t count, std::uint16_t* cell) {
  for (std::size_t k = 0; k < count; ++k) {
    const int c = static_cast<int>((draws[k] - lowest) * per_width);
    cell[k] = static_cast<std::uint16_t>(c < last ? c : last);
  }
}

LACUNA_KERNEL(void, find_cells,
              (double lowest, double per_width, int last, const double* draws, std::size_t count,
               std::uint16_t* cell),
              (lowest, per_width, last, draws, count, cell),
              fill_cells(lowest, per_width, last, draws, count, cell))

// Copies the draws in cells `a` and `b` to `picked` and says how many there are. Most stretches of
// cells have none, which is seen at a glance.
LACUNA_INLINE std::size_t pick_two(const std::uint16_t* cell, const double* draws,
                                   std::size_t count, std::uint16_t a, std::uint16_t b,
                                   double* picked) {
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
    std::uint16_t hits = 0;
    for (std::size_t k = 0; k < glance; ++k)
      hits |= static_cast<std::uint16_t>((cell[begin + k] == a) | (cell[begin + k] == b));
    if (hits != 0) take(begin, begin + glance);
  }
  take(whole, count);
  return found;
}

LACUNA_KERNEL(std::size_t, pick,
              (const std::uint16_t* cell, const double* draws, std::size_t count, std::uint16_t a,
               std::uint16_t b, double* picked),
              (cell, draws, count, a, b, picked), pick_two(cell, draws, count, a, b, picked))

}  // namespace

void DrawSketch::assign(std::span<const double> draws, double width) {
  draws_ = draws;
  const double centre = draws.front(), count = static_cast<double>(draws.size());
  const Moments moments = moments_around(centre, draws.data(), draws.size());
  const double shift = moments.sum / count;
  mean_ = centre + shift;
  variance_ = std::max(0.0, moments.square / count - shift * shift);
  lowest_ = centre + moments.low;
  const double range = moments.high - moments.low;
  const double wanted = range > 0.0 ? std::ceil(range / width) : 0.0;
  cells_ = static_cast<std::size_t>(std::clamp(wanted, double{fewest_cells}, double{most_cells}));
  width_ = range / static_cast<double>(cells_);
  cell_of_.resize(draws.size());
  const double per_width = 1.0 / width_;
  if (!std::isfinite(per_width)) width_ = 0.0;
  find_cells(lowest_, width_ > 0.0 ? per_width : 0.0, static_cast<int>(cells_) - 1, draws.data(),
             draws.size(), cell_of_.data());
  // Draws of one walker follow one another and often share a cell, whose count would have to wait
  // for itself: distant places in turn, each with a table of its own, do not.
  constexpr std::size_t places = 4;
  std::array<std::array<std::uint32_t, most_cells>, places> tables;
  for (auto& table : tables) std::fill_n(table.begin(), cells_, 0);
  const std::size_t stretch = draws.size() / places;
  for (std::size_t k = 0; k < stretch; ++k) {
    for (std::size_t place = 0; place < places; ++place)
      ++tables[place][cell_of_[place * stretch + k]];
  }
  for (std::size_t k = places * stretch; k < draws.size(); ++k) ++tables[0][cell_of_[k]];
  for (std::size_t c = 0; c < cells_; ++c)
    counts_[c] = tables[0][c] + tables[1][c] + tables[2][c] + tables[3][c];
}

double DrawSketch::quantile(double q) {
  const double at = q * static_cast<double>(draws_.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), draws_.size() - 1);
  const std::size_t above = std::min(below + 1, draws_.size() - 1);
  // The cells of order statistics `below` and `above`, and how many draws lie before them.
  std::size_t first = 0, before = 0;
  while (before + counts_[first] <= below) before += counts_[first++];
  std::size_t last = first, until = before;
  while (until + counts_[last] <= above) until += counts_[last++];
  picked_.resize(draws_.size());
  const auto end = picked_.begin() + static_cast<std::ptrdiff_t>(
                                         pick(cell_of_.data(), draws_.data(), draws_.size(),
                                              static_cast<std::uint16_t>(first),
                                              static_cast<std::uint16_t>(last), picked_.data()));
  const auto lower = picked_.begin() + static_cast<std::ptrdiff_t>(below - before);
  std::nth_element(picked_.begin(), lower, end);
  if (above == below) return *lower;
  const double share = at - static_cast<double>(below);
  return *lower + share * (*std::min_element(lower + 1, end) - *lower);
}

}  // namespace lacuna
