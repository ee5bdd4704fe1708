// All bounds for one setting, and the divergence of a cube around a given point.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/theory.hpp"

#include "posterior/lambda.hpp"
#include "support/check.hpp"
#include "theory/bounds.hpp"
#include "theory/constants.hpp"

namespace lacuna {
namespace {

constexpr double most_rows = 1e15;
constexpr double largest_level = 1e100;  // squares must stay inside a double

void check_setting(const TheorySetting& s) {
  check_between("n", s.n, 2.0, most_rows);
  check_at_least<std::uint64_t>("p", s.inputs, 1);
  check_at_least<std::uint64_t>("depth L", s.depth, 1);
  check_at_least<std::uint64_t>("width r", s.width, 1);
  check_between("bound B", s.bound, 1.0, largest_level);
  check_between("clip C", s.clip, 1.0, largest_level);
  check_above("base a", s.base, 1.0);
  check_above("sigma", s.sigma, 0.0);
  check_between("sigma", s.sigma, 0.0, largest_level);
  if (s.tail) check_above("Gamma", *s.tail, 0.0);
  if (s.tail) check_between("Gamma", *s.tail, 0.0, largest_level);
  check_between("K", s.second_moment, 1.0, largest_level);
  if (!(s.delta > 0.0 && s.delta < 1.0)) refuse("delta", s.delta, "must lie between 0 and 1");
  if (s.lambda) check_above("lambda", *s.lambda, 0.0);
  if (s.eta) check_above("eta", *s.eta, 0.0);
  if (s.eta && *s.eta > 1.0) refuse("eta", *s.eta, "must be <= 1");
  check_at_least("approximation", s.approximation, 0.0);
}

std::vector<std::uint64_t> usual_sizes(std::uint64_t parameters) {
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t k : {1, 10, 100, 1000})
    if (k <= parameters) sizes.push_back(k);
  return sizes;
}

// The oracle right-hand side at n rows and lambda = n / Xi_0.
double oracle_at(const TheorySetting& s, const Prior& prior, std::uint64_t k, double n) {
  const NetworkSize size{static_cast<double>(s.inputs), static_cast<double>(s.depth),
                         static_cast<double>(s.width), s.bound, s.second_moment};
  const BoundLevel level{theory_lambda(n, s.clip, s.sigma, *s.tail), 0.5, s.delta};
  return oracle_bound(prior, k, log_proof_radius(size, n), s.approximation, n, level);
}

// It falls in n, so bisection on a logarithmic scale finds where it leaves vacuity.
double rows_needed(const TheorySetting& s, const Prior& prior, std::uint64_t k, double trivial) {
  double low = std::log(2.0), high = std::log(most_rows);
  if (oracle_at(s, prior, k, most_rows) >= trivial) return std::numeric_limits<double>::infinity();
  if (oracle_at(s, prior, k, 2.0) < trivial) return 2.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (oracle_at(s, prior, k, std::exp(middle)) < trivial ? high : low) = middle;
  }
  return std::ceil(std::exp(high));
}

}  // namespace

double kl_of_cube(std::span<const double> theta, double log_eta, std::uint64_t parameters,
                  double base, double bound) {
  const Prior prior(PriorKind::sparse, parameters, base, bound);
  check_at_least<std::size_t>("active", theta.size(), 1);
  if (theta.size() > parameters) refuse("active", theta.size(), "must be <= P");
  double kl = -prior.log_density_of_size(theta.size());
  for (const double value : theta) {
    if (!(std::abs(value) <= bound)) refuse("theta", value, "must lie in [-B, B]");
    // The length is min(eta, B - theta) + min(eta, B + theta); in logs, as eta may underflow.
    const double above = std::min(log_eta, std::log(bound - value));
    const double below = std::min(log_eta, std::log(bound + value));
    kl -= std::max(above, below) + std::log1p(std::exp(-std::abs(above - below)));
  }
  return kl;
}

TheoryReport theory_report(const TheorySetting& setting) {
  check_setting(setting);
  TheoryReport report;
  TheorySetting& s = report.setting = setting;
  s.tail = s.tail.value_or(s.sigma);
  const BernsteinAssumption assumption{s.clip, s.sigma, *s.tail};
  report.parameters = parameters_of(s.inputs, s.depth, s.width);
  report.xi_0 = theory_constant(s.clip, s.sigma, *s.tail);
  report.w = bernstein_w(assumption);
  report.theory_lambda = theory_lambda(s.n, s.clip, s.sigma, *s.tail);
  report.lambda_limit = s.n / report.w;
  report.lambda_largest = largest_lambda(assumption, s.n);
  s.lambda = s.lambda.value_or(report.theory_lambda);
  report.factor = bernstein_factor(assumption, s.n, *s.lambda);
  if (!(report.factor < 1.0)) {
    refuse("lambda", *s.lambda,
           fmt::format("must be below {:.6g}, where C_(n,lambda) = 1 and the bound ends; the "
                       "theorem takes n / Xi_0 = {:.6g}",
                       report.lambda_largest, report.theory_lambda));
  }
  report.n_0 = std::max({2.0, static_cast<double>(s.width), s.bound, s.second_moment});
  const NetworkSize size{static_cast<double>(s.inputs), static_cast<double>(s.depth),
                         static_cast<double>(s.width), s.bound, s.second_moment};
  report.log_lipschitz = log_lipschitz(size);
  const double log_eta = log_proof_radius(size, s.n);
  report.log_eta = s.eta ? std::log(*s.eta) : log_eta;
  report.trivial = 4.0 * s.clip * s.clip;

  const Prior prior(PriorKind::sparse, report.parameters, s.base, s.bound);
  const BoundLevel level{*s.lambda, report.factor, s.delta};
  if (s.active.empty()) s.active = usual_sizes(report.parameters);
  for (const std::uint64_t k : s.active) {
    check_at_least<std::uint64_t>("active", k, 1);
    if (k > report.parameters)
      refuse("active", k, fmt::format("must be <= P = {}", report.parameters));
    OracleRow row;
    row.active = k;
    row.kl_inside = kl_inside(prior, k, report.log_eta);
    row.kl_corner = kl_corner(prior, k, report.log_eta);
    row.kl_lemma = kl_lemma(prior, k, report.log_eta);
    row.kl_simple = kl_simple(prior, k, report.log_eta);
    row.pac_bayes = pac_bayes_bound(mean_excess_of_cube(s.approximation, s.n),
                                    kl_corner(prior, k, log_eta), level);
    row.oracle = oracle_bound(prior, k, log_eta, s.approximation, s.n, level);
    // The proof of the corollary on the posterior mean: Xi_1 / n is added, that is the factor of
    // log(2 / delta).
    row.oracle_mean = row.oracle + 2.0 / (*s.lambda * (1.0 - report.factor));
    row.vacuous = row.oracle >= report.trivial;
    row.rows_needed = rows_needed(s, prior, k, report.trivial);
    report.oracle.push_back(row);
  }
  return report;
}

}  // namespace lacuna
