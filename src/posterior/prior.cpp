#include "posterior/prior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "support/check.hpp"
#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
// Sizes up to this one have their binomial summed exactly; at P = 10^9 log-gamma loses five digits
// to cancellation.
constexpr std::uint64_t tabulated_sizes = std::uint64_t{1} << 16;

}  // namespace

Prior::Prior(PriorKind kind, std::uint64_t parameter_count, double base, double bound)
    : kind_(kind), parameter_count_(parameter_count), base_(base), bound_(bound) {
  check_above("base a", base, 1.0);
  check_at_least("bound B", bound, 1.0);
  log_base_ = std::log(base);
  log_box_ = std::log(2.0 * bound);
  // sum_{j=1}^P a^-j = (1 - a^-P) / (a - 1)
  log_normaliser_ = std::log(-std::expm1(-static_cast<double>(parameter_count) * log_base_)) -
                    std::log(base - 1.0);
  if (kind == PriorKind::dense) return;
  const std::uint64_t last = std::min(parameter_count, tabulated_sizes);
  log_binomials_.resize(last + 1, 0.0);
  long double sum = 0.0L;
  for (std::uint64_t k = 1; k <= last; ++k) {
    sum +=
        std::log(static_cast<long double>(parameter_count - k + 1) / static_cast<long double>(k));
    log_binomials_[k] = static_cast<double>(sum);
  }
}

double Prior::log_binomial(std::uint64_t k) const {
  if (k < log_binomials_.size()) return log_binomials_[k];
  const auto total = static_cast<long double>(parameter_count_);
  const auto size = static_cast<long double>(k);
  return static_cast<double>(std::lgamma(total + 1) - std::lgamma(size + 1) -
                             std::lgamma(total - size + 1));
}

double Prior::log_density_of_size(std::uint64_t k) const {
  const double log_box =
      has_bug(PlantedBug::prior_without_box_volume) ? 0.0 : static_cast<double>(k) * log_box_;
  if (kind_ == PriorKind::dense) return k == parameter_count_ ? -log_box : minus_infinity;
  if (k < 1 || k > parameter_count_) return minus_infinity;
  const double log_sets = has_bug(PlantedBug::prior_without_binomial) ? 0.0 : log_binomial(k);
  return -static_cast<double>(k) * log_base_ - log_sets - log_box - log_normaliser_;
}

double Prior::log_mass_of_size(std::uint64_t k) const {
  if (kind_ == PriorKind::dense) return k == parameter_count_ ? 0.0 : minus_infinity;
  if (k < 1 || k > parameter_count_) return minus_infinity;
  return -static_cast<double>(k) * log_base_ - log_normaliser_;
}

bool Prior::inside_box(const SparseTheta& theta) const {
  if (has_bug(PlantedBug::box_forgotten)) return true;
  return std::ranges::all_of(theta.value, [this](double v) { return std::abs(v) <= bound_; });
}

double Prior::log_density(const SparseTheta& theta) const {
  return inside_box(theta) ? log_density_of_size(theta.size()) : minus_infinity;
}

SparseTheta Prior::draw(RandomStream& stream) const {
  std::uint64_t size = parameter_count_;
  if (kind_ == PriorKind::sparse) {
    // Inverse of the distribution function F(k) = (1 - a^-k) / (1 - a^-P) of the truncated
    // geometric law.
    const double total = -std::expm1(-static_cast<double>(parameter_count_) * log_base_);
    const double k = std::ceil(-std::log1p(-stream.uniform() * total) / log_base_);
    size = static_cast<std::uint64_t>(std::clamp(k, 1.0, static_cast<double>(parameter_count_)));
  }
  SparseTheta theta;
  theta.index.reserve(size);
  if (kind_ == PriorKind::dense) {
    for (std::uint64_t i = 0; i < size; ++i) theta.index.push_back(i);
  } else {
    // Floyd's way to draw a uniform subset: `size` draws, no list of all P coordinates.
    std::unordered_set<std::uint64_t> chosen;
    for (std::uint64_t top = parameter_count_ - size; top < parameter_count_; ++top) {
      if (const std::uint64_t candidate = stream.below(top + 1); !chosen.insert(candidate).second) {
        chosen.insert(top);
      }
    }
    theta.index.assign(chosen.begin(), chosen.end());
    std::ranges::sort(theta.index);
  }
  for (std::uint64_t i = 0; i < size; ++i) theta.value.push_back(stream.uniform(-bound_, bound_));
  return theta;
}

}  // namespace lacuna
