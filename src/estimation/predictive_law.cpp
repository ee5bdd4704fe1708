#include "estimation/predictive_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "estimation/intervals.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_representatives = 200;
constexpr double integration_tolerance = 1e-7;  // relative to the length integrated over
constexpr int deepest_halving = 24;

// A piece of an integral with the values at its ends and its middle.
struct Piece {
  double from, to, at_from, at_middle, at_to;

  double simpson() const { return (to - from) / 6.0 * (at_from + 4.0 * at_middle + at_to); }
};

// Simpson's rule, halving a piece until both halves together agree with the whole, and then with
// Richardson's correction.
template <class Function>
double integral(const Function& f, const Piece& piece, double tolerance, int halvings) {
  const double middle = 0.5 * (piece.from + piece.to);
  const Piece left{piece.from, middle, piece.at_from, f(0.5 * (piece.from + middle)),
                   piece.at_middle};
  const Piece right{middle, piece.to, piece.at_middle, f(0.5 * (middle + piece.to)), piece.at_to};
  const double halves = left.simpson() + right.simpson(), gain = halves - piece.simpson();
  if (halvings == 0 || std::abs(gain) <= 15.0 * tolerance) return halves + gain / 15.0;
  return integral(f, left, 0.5 * tolerance, halvings - 1) +
         integral(f, right, 0.5 * tolerance, halvings - 1);
}

template <class Function>
double integral(const Function& f, double from, double to) {
  const Piece whole{from, to, f(from), f(0.5 * (from + to)), f(to)};
  return integral(f, whole, integration_tolerance * (to - from), deepest_halving);
}

// The draws, or quantiles of them at equal steps of probability where there are too many.
std::vector<double> representatives(std::span<const double> sorted) {
  if (sorted.size() <= most_representatives) return {sorted.begin(), sorted.end()};
  std::vector<double> chosen;
  for (std::size_t k = 0; k < most_representatives; ++k) {
    const double q = (static_cast<double>(k) + 0.5) / most_representatives;
    chosen.push_back(sorted_quantile(sorted, q));
  }
  return chosen;
}

}  // namespace

double PredictiveLaw::distribution(double y) const {
  double sum = 0.0;
  for (const double f : centres_) sum += noise_.distribution(y - f);
  return sum / static_cast<double>(centres_.size());
}

double PredictiveLaw::log_density(double y) const {
  // Relative to the largest term, because far from all draws every one of them underflows.
  double largest = -std::numeric_limits<double>::infinity();
  for (const double f : centres_) largest = std::max(largest, noise_.log_density(y - f));
  if (std::isinf(largest)) return largest;
  double sum = 0.0;
  for (const double f : centres_) sum += std::exp(noise_.log_density(y - f) - largest);
  return largest + std::log(sum / static_cast<double>(centres_.size()));
}

double PredictiveLaw::quantile(double q) const {
  // No part of the mixture has its quantile below that of the lowest draw or above the highest.
  double low = centres_.front() + noise_.quantile(q), high = centres_.back() + noise_.quantile(q);
  if (!std::isfinite(low) || !std::isfinite(high)) return low;
  const double tolerance = 1e-10 * (high - low);
  double y = 0.5 * (low + high), last_excess = 1.0;
  if (centres_.size() > most_representatives) {  // a cheap first guess saves passes over all draws
    const std::vector<double> few = representatives(centres_);
    y = std::clamp(PredictiveLaw(few, noise_).quantile(q), low, high);
  }
  while (high - low > tolerance) {
    const double excess = distribution(y) - q;
    (excess < 0.0 ? low : high) = y;
    const double step = excess * std::exp(-log_density(y));
    if (std::abs(step) < 0.5 * tolerance) return std::clamp(y - step, low, high);
    // Newton's step only while it stays inside and at least halves what is left to do.
    const bool trusted = std::abs(excess) <= 0.5 * std::abs(last_excess);
    last_excess = excess;
    y -= step;
    if (!(trusted && y > low && y < high)) y = 0.5 * (low + high);
    if (y <= low || y >= high) break;  // the bracket is down to neighbouring doubles
  }
  return 0.5 * (low + high);
}

double PredictiveLaw::crps(double y) const {
  const std::vector<double> centres = representatives(centres_);
  const PredictiveLaw law(centres, noise_);
  // The ends of the pieces: both tails, the bulk of the draws, and the jump at y.
  std::vector<double> ends = {y};
  for (const double q : {1e-9, 1e-6, 1e-3, 0.1, 0.5}) {
    ends.push_back(centres.front() + noise_.quantile(q));
    ends.push_back(centres.back() + noise_.quantile(1.0 - q));
    ends.push_back(sorted_quantile(centres, q));
    ends.push_back(sorted_quantile(centres, 1.0 - q));
  }
  std::ranges::sort(ends);
  const double length = ends.back() - ends.front();
  if (!std::isfinite(length)) return std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    if (ends[k] == ends[k + 1]) continue;
    const double step = ends[k] >= y ? 1.0 : 0.0;
    const auto squared_gap = [&](double z) {
      const double gap = law.distribution(z) - step;
      return gap * gap;
    };
    sum += integral(squared_gap, ends[k], ends[k + 1]);
  }
  return sum;
}

}  // namespace lacuna
