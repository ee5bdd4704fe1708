#include "mcmc/jump_weights.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "support/planted_bug.hpp"

namespace lacuna {

namespace {

// Weights are taken relative to the largest: exp(-|v|) itself underflows past 745.
double smallest_magnitude(const SparseTheta& theta) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double v : theta.value) smallest = std::min(smallest, std::abs(v));
  return smallest;
}

double total_removal_weight(const SparseTheta& theta, double smallest) {
  double total = 0.0;
  for (const double v : theta.value) total += std::exp(smallest - std::abs(v));
  return total;
}

}  // namespace

double log_removal_weight(const SparseTheta& theta, std::size_t position) {
  const double smallest = smallest_magnitude(theta);
  return smallest - std::abs(theta.value[position]) -
         std::log(total_removal_weight(theta, smallest));
}

std::size_t draw_removal(const SparseTheta& theta, RandomStream& stream) {
  const double smallest = smallest_magnitude(theta);
  double left = stream.uniform() * total_removal_weight(theta, smallest);
  for (std::size_t k = 0; k + 1 < theta.size(); ++k) {
    left -= std::exp(smallest - std::abs(theta.value[k]));
    if (left < 0.0) return k;
  }
  return theta.size() - 1;
}

void AdditionWeights::build(const SparseTheta& theta, const Evaluation& evaluation,
                            std::uint64_t parameter_count) {
  ranked_.clear();
  excluded_.clear();
  for (const InactiveDerivative& d : evaluation.inactive) {
    if (d.gradient == 0.0) continue;
    // A gradient that overflowed ranks last, so that the order stays strict; its proposal is
    // rejected as invalid.
    const double magnitude =
        std::isnan(d.gradient) ? std::numeric_limits<double>::infinity() : std::abs(d.gradient);
    ranked_.push_back({magnitude, d.index, 0.0});
    excluded_.push_back(d.index);
  }
  excluded_.insert(excluded_.end(), theta.index.begin(), theta.index.end());
  std::sort(excluded_.begin(),
            excluded_.end());  // unlike a merge in place, a sort allocates nothing
  zero_count_ = parameter_count - excluded_.size();
  zeros_ = static_cast<double>(zero_count_);

  std::sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) {
    return a.magnitude != b.magnitude ? a.magnitude < b.magnitude : a.index < b.index;
  });
  const bool below = has_bug(PlantedBug::ties_counted_below);
  total_ = below ? 0.0 : zeros_ * zeros_ * zeros_;
  for (std::size_t first = 0; first < ranked_.size();) {
    std::size_t last = first;
    while (last < ranked_.size() && ranked_[last].magnitude == ranked_[first].magnitude) ++last;
    const double count = zeros_ + static_cast<double>(below ? first : last);
    for (; first < last; ++first) {
      ranked_[first].weight = count * count;
      total_ += ranked_[first].weight;
    }
  }
}

std::uint64_t AdditionWeights::zero_coordinate(std::uint64_t k) const {
  // The k-th index that is in no exclusion: every excluded index at or below shifts it by one.
  for (const std::uint64_t index : excluded_) {
    if (index > k) break;
    ++k;
  }
  return k;
}

std::uint64_t AdditionWeights::draw(RandomStream& stream) const {
  double left = stream.uniform() * total_;
  if (!has_bug(PlantedBug::ties_counted_below)) left -= zeros_ * zeros_ * zeros_;
  if (left < 0.0 || ranked_.empty()) return zero_coordinate(stream.below(zero_count_));
  for (std::size_t k = ranked_.size() - 1; k > 0; --k) {
    left -= ranked_[k].weight;
    if (left < 0.0) return ranked_[k].index;
  }
  return ranked_.front().index;
}

double AdditionWeights::log_weight(std::uint64_t index) const {
  for (const Ranked& r : ranked_) {
    if (r.index == index) return std::log(r.weight) - std::log(total_);
  }
  if (has_bug(PlantedBug::ties_counted_below)) return -std::numeric_limits<double>::infinity();
  return 2.0 * std::log(zeros_) - std::log(total_);
}

}  // namespace lacuna
