#include "theory/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

double log_box(const Prior& prior) { return std::log(2.0 * prior.bound()); }

double times(std::uint64_t k, double value) { return static_cast<double>(k) * value; }

}  // namespace

double log_lipschitz(const NetworkSize& size) {
  return std::log(4.0) + size.depth * std::log(2.0 * size.width * size.bound);
}

double log_proof_radius(const NetworkSize& size, double n) {
  return -std::log(2.0) - log_lipschitz(size) - std::log(size.inputs * size.second_moment * n);
}

// The density of the prior at a point with k active weights is 1 / (C_I (2B)^k).
double log_set_cost(const Prior& prior, std::uint64_t k) {
  return -prior.log_density_of_size(k) - times(k, log_box(prior));
}

double kl_inside(const Prior& prior, std::uint64_t k, double log_eta) {
  const double log_length = std::min(log_eta + std::log(2.0), log_box(prior));
  return times(k, log_box(prior) - log_length) + log_set_cost(prior, k);
}

double kl_corner(const Prior& prior, std::uint64_t k, double log_eta) {
  const double log_length = std::min(log_eta, log_box(prior));
  return times(k, log_box(prior) - log_length) + log_set_cost(prior, k);
}

double kl_lemma(const Prior& prior, std::uint64_t k, double log_eta) {
  return times(k, log_box(prior) - log_eta) + log_set_cost(prior, k);
}

double kl_simple(const Prior& prior, std::uint64_t k, double log_eta) {
  const double log_sets = 1.0 + std::log(static_cast<double>(prior.parameter_count()));
  const double log_sum = -prior.log_mass_of_size(1) - std::log(prior.base());
  return times(k, log_box(prior) + std::log(prior.base()) + log_sets - log_eta) + log_sum;
}

double pac_bayes_bound(double mean_excess, double kl, const BoundLevel& level) {
  const double c = level.factor;
  return ((1.0 + c) * mean_excess + 2.0 / level.lambda * (kl + std::log(2.0 / level.delta))) /
         (1.0 - c);
}

double mean_excess_of_cube(double approximation, double n) {
  return 4.0 / 3.0 * approximation + 2.0 / (n * n);
}

double oracle_bound(const Prior& prior, std::uint64_t k, double log_eta, double approximation,
                    double n, const BoundLevel& level) {
  const double log_sum = -prior.log_mass_of_size(1) - std::log(prior.base());
  const double kl = kl_simple(prior, k, log_eta) - std::min(log_sum, 0.0);
  return pac_bayes_bound(mean_excess_of_cube(approximation, n), kl, level);
}

}  // namespace lacuna
