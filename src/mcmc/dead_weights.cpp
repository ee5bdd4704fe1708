#include "mcmc/dead_weights.hpp"

#include <cmath>

#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

// The k-th coordinate that is not active.
std::uint64_t inactive_coordinate(const SparseTheta& theta, std::uint64_t k) {
  for (const std::uint64_t index : theta.index) {
    if (index > k) break;
    ++k;
  }
  return k;
}

std::ptrdiff_t offset(std::size_t position) { return static_cast<std::ptrdiff_t>(position); }

// Keeps the derivatives beside theta.index; those of a dead coordinate are zero.
void insert_dead(Point& point, std::uint64_t index, double value) {
  const std::size_t k = point.theta.position(index);
  Evaluation& at = point.evaluation;
  point.theta.insert(index, value);
  if (at.have.gradient) at.gradient.insert(at.gradient.begin() + offset(k), 0.0);
  if (at.have.curvature) at.curvature.insert(at.curvature.begin() + offset(k), 0.0);
}

void erase_dead(Point& point, std::size_t k) {
  Evaluation& at = point.evaluation;
  point.theta.erase_position(k);
  if (at.have.gradient) at.gradient.erase(at.gradient.begin() + offset(k));
  if (at.have.curvature) at.curvature.erase(at.curvature.begin() + offset(k));
}

void mark_dead(const SparseTheta& theta, DeadWeightsScratch& scratch) {
  scratch.paths->build(theta.index);
  scratch.dead.resize(theta.size());
  scratch.dead_count = 0;
  for (std::size_t k = 0; k < theta.size(); ++k) {
    scratch.dead[k] = !scratch.paths->is_live(theta.index[k]);
    scratch.dead_count += scratch.dead[k];
  }
}

std::size_t dead_position(const DeadWeightsScratch& scratch, std::uint64_t wanted) {
  std::size_t k = 0;
  while (!scratch.dead[k] || wanted-- > 0) ++k;
  return k;
}

bool try_birth(const Prior& prior, Point& point, const DeadWeightsScratch& scratch,
               RandomStream& stream) {
  const std::uint64_t inactive = prior.parameter_count() - point.theta.size();
  if (inactive == 0) return false;
  const std::uint64_t index = inactive_coordinate(point.theta, stream.below(inactive));
  if (scratch.paths->is_live(index)) return false;
  const double log_ratio = log_dead_birth_ratio(prior, point.theta.size(), scratch.dead_count);
  if (accept_or_reject(log_ratio, stream) != Verdict::accepted) return false;
  insert_dead(point, index, stream.uniform(-prior.bound(), prior.bound()));
  return true;
}

bool try_death(const Prior& prior, Point& point, const DeadWeightsScratch& scratch,
               RandomStream& stream) {
  if (scratch.dead_count == 0) return false;
  const std::size_t k = dead_position(scratch, stream.below(scratch.dead_count));
  const double log_ratio =
      -log_dead_birth_ratio(prior, point.theta.size() - 1, scratch.dead_count - 1);
  if (accept_or_reject(log_ratio, stream) != Verdict::accepted) return false;
  erase_dead(point, k);
  return true;
}

}  // namespace

double log_dead_birth_ratio(const Prior& prior, std::uint64_t size, std::uint64_t dead) {
  const auto inactive = static_cast<double>(prior.parameter_count() - size);
  const auto dead_after = static_cast<double>(
      has_bug(PlantedBug::dead_counted_before_birth) && dead > 0 ? dead : dead + 1);
  return prior.log_density_of_size(size + 1) - prior.log_density_of_size(size) +
         std::log(2.0 * prior.bound() * inactive / dead_after);
}

bool move_dead_weights(const DeadWeightsKernel& kernel, const Prior& prior, Point& point,
                       DeadWeightsScratch& scratch, RandomStream& stream) {
  mark_dead(point.theta, scratch);
  bool changed = false;
  for (int t = 0; t < kernel.tries; ++t) {
    const bool moved = stream.uniform() < 0.5 ? try_birth(prior, point, scratch, stream)
                                              : try_death(prior, point, scratch, stream);
    if (!moved) continue;
    mark_dead(point.theta, scratch);
    changed = true;
  }
  if (changed || scratch.dead_count > 0) {
    point.evaluation.have.inactive = false;
    point.evaluation.inactive.clear();
  }
  for (std::size_t k = 0; k < point.theta.size(); ++k) {
    if (scratch.dead[k]) point.theta.value[k] = stream.uniform(-prior.bound(), prior.bound());
  }
  if (changed) point.log_prior = prior.log_density(point.theta);
  return changed;
}

}  // namespace lacuna
