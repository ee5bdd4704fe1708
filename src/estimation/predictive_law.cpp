#include "estimation/predictive_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "estimation/intervals.hpp"

namespace lacuna {
namespace {

// In scales of the noise: of cells put together, and of a cell in which nothing is known.
constexpr double widest = 0.25, widest_single = 1.0 / 32.0;
constexpr double fewest_for_cells = 500.0;       // draws
constexpr double variance_in_cell = 1.0 / 12.0;  // of draws that lie anywhere in it, in widths
constexpr std::size_t most_points_for_crps = 400, points_for_crps = 200;
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

}  // namespace

PredictiveLaw::PredictiveLaw(std::span<const double> draws, const Noise& noise)
    : PredictiveLaw(noise.shape()) {
  DrawSketch sketch;
  sketch.assign(draws, width_for(noise));
  assign(sketch, noise);
}

double PredictiveLaw::width_for(const Noise& noise) { return widest_single * noise.scale(); }

void PredictiveLaw::assign(const DrawSketch& draws, const Noise& noise) {
  noise_ = noise;
  draws_ = draws.draws();
  mean_ = draws.mean(), variance_ = draws.variance();
  points_.clear();
  in_cells_ = false;
  const double count = static_cast<double>(draws_.size()), width = draws.width();
  if (width == 0.0) {
    points_.push_back({mean_, 1.0});
  } else if (width <= width_for(noise) && count >= fewest_for_cells) {
    in_cells_ = true;
    const auto together = static_cast<std::size_t>(
        std::min(widest * noise.scale() / width, static_cast<double>(draws.cells())));
    for (std::size_t first = 0; first < draws.cells(); first += together) {
      const std::size_t end = std::min(first + together, draws.cells());
      const double middle = 0.5 * static_cast<double>(first + end);
      Powers powers;  // in widths of a cell, from the middle
      for (std::size_t k = first; k < end; ++k) {
        const double in_cell = draws.count(k), d = static_cast<double>(k) + 0.5 - middle;
        powers.count += in_cell;
        powers.first += in_cell * d;
        powers.second += in_cell * (d * d + variance_in_cell);
        powers.third += in_cell * (d * d + 3.0 * variance_in_cell) * d;
      }
      if (powers.count > 0.0) add_points_of(powers, draws.lowest() + middle * width, width);
    }
    for (Point& point : points_) point.mass /= count;
    match_moments(mean_, variance_);
  } else {
    for (const double f : draws_) points_.push_back({f, 1.0 / count});
  }
  const auto [lowest, highest] = std::ranges::minmax(points_, {}, &Point::centre);
  lowest_ = std::min(lowest.centre, draws.lowest());
  highest_ = std::max(highest.centre, draws.lowest() + static_cast<double>(draws.cells()) * width);
  // Noise that vanishes beside the numbers themselves is left to the formulas.
  table_serves_ = noise.scale() > 1e-9 * std::max(std::abs(lowest_), std::abs(highest_));
}

// Two points at mean + sd z, with z the roots of z^2 - skewness z - 1.
void PredictiveLaw::add_points_of(const Powers& powers, double centre, double width) {
  const double mean = powers.first / powers.count, square = powers.second / powers.count;
  const double variance = square - mean * mean, sd = std::sqrt(variance);
  if (!(variance > 1e-12)) {  // one draw, or equal ones
    points_.push_back({centre + width * mean, powers.count});
    return;
  }
  const double skewness =
      (powers.third / powers.count - 3.0 * mean * square + 2.0 * mean * mean * mean) /
      (sd * variance);
  const double root = std::sqrt(0.25 * skewness * skewness + 1.0);
  const double left = 0.5 * skewness - root, right = 0.5 * skewness + root;
  points_.push_back({centre + width * (mean + sd * left), powers.count * right / (2.0 * root)});
  points_.push_back({centre + width * (mean + sd * right), -powers.count * left / (2.0 * root)});
}

void PredictiveLaw::match_moments(double mean, double variance) {
  double sum = 0.0, square = 0.0;
  for (const Point& point : points_) {
    const double d = point.centre - mean;
    sum += point.mass * d;
    square += point.mass * d * d;
  }
  const double stretch = std::sqrt(variance / (square - sum * sum));
  if (!std::isfinite(stretch)) return;  // squares too small for a double
  for (Point& point : points_) point.centre = mean + stretch * (point.centre - mean - sum);
}

DistributionTable::Value PredictiveLaw::at(double y) const {
  double distribution = 0.0, density = 0.0;
  const double per_scale = 1.0 / noise_.scale();
  for (const Point& point : points_) {
    const DistributionTable::Value value = table_.at((y - point.centre) * per_scale);
    distribution += point.mass * value.distribution;
    density += point.mass * value.density;
  }
  return {distribution, density * per_scale};
}

DistributionTable::Value PredictiveLaw::exactly_at(double y) const {
  return {distribution(y), std::exp(log_density(y))};
}

double PredictiveLaw::distribution(double y) const {
  double sum = 0.0;
  for (const double f : draws_) sum += noise_.distribution(y - f);
  return sum / static_cast<double>(draws_.size());
}

double PredictiveLaw::log_density(double y) const {
  // Relative to the largest term, because far from all draws every one of them underflows.
  double largest = -std::numeric_limits<double>::infinity();
  for (const double f : draws_) largest = std::max(largest, noise_.log_density(y - f));
  if (std::isinf(largest)) return largest;
  double sum = 0.0;
  for (const double f : draws_) sum += std::exp(noise_.log_density(y - f) - largest);
  return largest + std::log(sum / static_cast<double>(draws_.size()));
}

double PredictiveLaw::standard_quantile(double q) {
  for (const auto& [asked, answer] : standard_quantiles_) {
    if (asked == q) return answer;
  }
  return standard_quantiles_.emplace_back(q, noise_.shape().quantile(q)).second;
}

double PredictiveLaw::quantile(double q) {
  // No part of the mixture has its quantile below that of the lowest point or above the highest.
  const double z = standard_quantile(q), of_noise = z == 0.0 ? 0.0 : noise_.scale() * z;
  double low = lowest_ + of_noise, high = highest_ + of_noise;
  if (!std::isfinite(low) || !std::isfinite(high)) return low;
  const bool from_table = table_serves_ && q > 1e-3 && q < 1.0 - 1e-3;
  const double tolerance = 0.5e-10 * (high - low);
  double y = mean_ + z * std::sqrt(noise_.scale() * noise_.scale() + variance_), last_excess = 1.0;
  if (!(y > low && y < high)) y = 0.5 * (low + high);
  while (high - low > 2.0 * tolerance) {
    const auto [distribution, density] = from_table ? at(y) : exactly_at(y);
    const double excess = distribution - q, step = excess / density;
    (excess < 0.0 ? low : high) = y;
    // A step h leaves an error of about z h^2 / (2 scale): 1e-10 of the scale, or with cells, which
    // have larger ones anyway, 1e-5.
    const double good_enough = from_table ? (in_cells_ ? 2e-3 : 1e-5) * noise_.scale() : 0.0;
    if (std::abs(step) < std::max(tolerance, good_enough)) return std::clamp(y - step, low, high);
    // Newton's step only while it stays inside and at least halves what is left to do.
    const bool trusted = std::abs(excess) <= 0.5 * std::abs(last_excess);
    last_excess = excess;
    y -= step;
    if (!(trusted && y > low && y < high)) y = 0.5 * (low + high);
    if (y <= low || y >= high) break;  // the bracket is down to neighbouring doubles
  }
  return 0.5 * (low + high);
}

double PredictiveLaw::crps(double y) {
  if (points_.size() > most_points_for_crps) {
    std::vector<double> sorted, few;
    for (const Point& point : points_) sorted.push_back(point.centre);
    std::ranges::sort(sorted);
    for (std::size_t k = 0; k < points_for_crps; ++k)
      few.push_back(sorted_quantile(sorted, (static_cast<double>(k) + 0.5) / points_for_crps));
    return PredictiveLaw(few, noise_).crps(y);
  }
  // The ends of the pieces: both tails, the bulk of the draws, and the jump at y.
  std::vector<double> ends = {y};
  for (const double q : {1e-9, 1e-6, 1e-3, 0.1, 0.5}) {
    ends.push_back(lowest_ + noise_.quantile(q));
    ends.push_back(highest_ + noise_.quantile(1.0 - q));
  }
  for (const double sds : {-2.0, -1.0, 0.0, 1.0, 2.0})
    ends.push_back(std::clamp(mean_ + sds * std::sqrt(variance_), lowest_, highest_));
  std::ranges::sort(ends);
  const double length = ends.back() - ends.front();
  if (!std::isfinite(length)) return std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    if (ends[k] == ends[k + 1]) continue;
    const double step = ends[k] >= y ? 1.0 : 0.0;
    const auto squared_gap = [&](double z) {
      const double gap = (table_serves_ ? at(z).distribution : distribution(z)) - step;
      return gap * gap;
    };
    sum += integral(squared_gap, ends[k], ends[k + 1]);
  }
  return sum;
}

}  // namespace lacuna
