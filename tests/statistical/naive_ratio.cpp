// Every factor of the acceptance ratio by plain loops.
#include "statistical/naive_ratio.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace lacuna::statistical {
namespace {

std::size_t count_active(const std::vector<Real>& theta) {
  std::size_t count = 0;
  for (const Real v : theta) count += v != 0;
  return count;
}

Real log_binomial(std::size_t n, std::size_t k) {
  Real sum = 0;
  for (std::size_t j = 1; j <= k; ++j) {
    sum += std::log(static_cast<Real>(n - k + j)) - std::log(static_cast<Real>(j));
  }
  return sum;
}

// log q(to | from), each factor added to `ratio` with the given sign.
void add_log_proposal(const NaiveTarget& target, const NaivePoint& from, const NaivePoint& to,
                      Real sign, NaiveRatio& ratio) {
  const auto add = [&](Real term) {
    ratio.value += sign * term;
    ratio.magnitude += std::abs(term);
  };
  const std::size_t total = from.theta.size();
  const std::size_t here = count_active(from.theta), there = count_active(to.theta);

  if (target.sparse) {
    const bool edge = here == 1 || here == total;
    if (there == here) {
      add(std::log(edge ? Real(2) / 3 : Real(1) / 2));
    } else {
      add(std::log(edge ? Real(1) / 3 : Real(1) / 4));
    }
  }
  if (there + 1 == here) {
    Real sum = 0, chosen = 0;
    for (std::size_t i = 0; i < total; ++i) {
      if (from.theta[i] == 0) continue;
      sum += std::exp(-std::abs(from.theta[i]));
      if (to.theta[i] == 0) chosen = std::exp(-std::abs(from.theta[i]));
    }
    add(std::log(chosen / sum));
  }
  if (there == here + 1) {
    Real largest = 0;
    for (const Real g : from.gradient) largest = std::max(largest, std::abs(g));
    Real sum = 0, chosen = 0;
    for (std::size_t i = 0; i < total; ++i) {
      if (from.theta[i] != 0) continue;
      Real count = 0;
      for (std::size_t j = 0; j < total; ++j) {
        if (from.theta[j] != 0) continue;
        const Real gi = std::abs(from.gradient[i]), gj = std::abs(from.gradient[j]);
        if (gj <= gi) count += 1;
        const Real gap = std::abs(gi - gj);
        if (gap != 0 && (gap < 1e-9L * std::max(gi, gj) || gap < 1e-12L * largest)) {
          ratio.rank_in_doubt = true;
        }
      }
      sum += count * count;
      if (to.theta[i] != 0) chosen = count * count;
    }
    add(std::log(chosen / sum));
  }
  for (std::size_t i = 0; i < total; ++i) {
    if (to.theta[i] == 0) continue;
    const Real gap = to.theta[i] - from.theta[i] + target.gamma * from.gradient[i];
    add(-gap * gap / (2 * target.s * target.s));
    add(-std::log(2 * std::numbers::pi_v<Real> * target.s * target.s) / 2);
  }
}

}  // namespace

NaivePoint naive_point(const NaiveTarget& target, std::vector<Real> theta) {
  NaivePoint point;
  point.risk = naive_risk(target.network, theta, target.data, target.clip);
  point.gradient = naive_gradient(target.network, theta, target.data, target.clip);
  point.theta = std::move(theta);
  return point;
}

Real naive_log_prior(const NaiveTarget& target, const std::vector<Real>& theta) {
  const std::size_t total = theta.size();
  const std::size_t k = count_active(theta);
  for (const Real v : theta) {
    if (std::abs(v) > target.bound) return -std::numeric_limits<Real>::infinity();
  }
  Real log_prior = -static_cast<Real>(k) * std::log(2 * target.bound);
  if (target.sparse) {
    Real normaliser = 0;
    for (std::size_t j = 1; j <= total; ++j) {
      normaliser += std::pow(target.base, -static_cast<Real>(j));
    }
    log_prior -= static_cast<Real>(k) * std::log(target.base);
    log_prior -= log_binomial(total, k);
    log_prior -= std::log(normaliser);
  }
  return log_prior;
}

NaiveRatio naive_log_ratio(const NaiveTarget& target, const NaivePoint& theta,
                           const NaivePoint& tau) {
  NaiveRatio ratio;
  const Real prior_tau = naive_log_prior(target, tau.theta);
  const Real prior_theta = naive_log_prior(target, theta.theta);
  ratio.value = -target.lambda * (tau.risk - theta.risk) + prior_tau - prior_theta;
  ratio.magnitude = target.lambda * (tau.risk + theta.risk) + std::abs(prior_tau - prior_theta);
  add_log_proposal(target, tau, theta, 1, ratio);
  add_log_proposal(target, theta, tau, -1, ratio);
  return ratio;
}

}  // namespace lacuna::statistical
