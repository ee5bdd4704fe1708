// Rates of convergence over hierarchical functions (Proposition on rates, and its proof).
#include <algorithm>
#include <cmath>

#include "lacuna/theory.hpp"

#include "support/check.hpp"

namespace lacuna {
namespace {

void check_class(const HierarchicalClass& c) {
  const std::size_t levels = c.components.size() + 1;
  if (c.arguments.size() != levels || c.smoothness.size() != levels) {
    throw Error(ErrorKind::usage,
                fmt::format("d has {} entries (d_1 .. d_q), so t and beta need {} (from level 0 to "
                            "q); they have {} and {}",
                            c.components.size(), levels, c.arguments.size(), c.smoothness.size()));
  }
  for (const std::uint64_t d : c.components) check_at_least<std::uint64_t>("d", d, 1);
  for (const std::uint64_t t : c.arguments) check_at_least<std::uint64_t>("t", t, 1);
  for (const double beta : c.smoothness) check_above("beta", beta, 0.0);
  check_at_least("C0", c.radius, 1.0);
}

// d_{i+1}: the components of level i; the last level is the one output.
double components_of(const HierarchicalClass& c, std::size_t level) {
  return level < c.components.size() ? static_cast<double>(c.components[level]) : 1.0;
}

// M, L, r and the bound on |J| in the proof of the proposition.
void size_network(const HierarchicalClass& c, double n, double log_pn, RateReport& out) {
  const double log_n = std::log(n), bits = std::ceil(std::log2(n));
  out.m = std::ceil(std::pow(n / (log_n * log_n * log_pn), out.t / (2.0 * out.beta + out.t)));
  out.depth = 3.0 * (static_cast<double>(c.arguments.size()) - 2.0);
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const double t = static_cast<double>(c.arguments[i]), beta = c.smoothness[i];
    const double d = components_of(c, i);
    out.depth += 8.0 + (bits + 5.0) * (1.0 + std::ceil(std::log2(std::max(t, beta))));
    out.width = std::max(out.width, 6.0 * out.m * d * (t + std::ceil(beta)));
    out.active += d * (141.0 * std::pow(t + beta + 1.0, 3.0 + t) * out.m * (bits + 6.0) + 4.0);
    const double lipschitz = c.radius * std::pow(2.0 * c.radius, beta) + 1.0;
    out.smallest_m = std::max({out.smallest_m, std::pow(beta + 1.0, t), lipschitz * std::exp(t)});
  }
}

}  // namespace

RateReport rate_report(const HierarchicalClass& functions, double n, std::uint64_t inputs) {
  check_class(functions);
  check_at_least("n", n, 2.0);
  check_at_least<std::uint64_t>("p", inputs, 1);
  RateReport out;
  const std::vector<double>& beta = functions.smoothness;
  out.effective_smoothness = beta;
  double product = 1.0;  // of min(beta_l, 1) over l > i
  for (std::size_t i = beta.size(); i-- > 0;) {
    out.effective_smoothness[i] = beta[i] * product;
    product *= std::min(beta[i], 1.0);
  }
  out.exponent = 1.0;
  for (std::size_t i = 0; i < beta.size(); ++i) {
    const double smooth = out.effective_smoothness[i];
    const double t = static_cast<double>(functions.arguments[i]);
    const double exponent = 2.0 * smooth / (2.0 * smooth + t);
    if (exponent >= out.exponent) continue;
    out.exponent = exponent;
    out.worst_level = i;
    out.beta = smooth;
    out.t = t;
  }
  const double log_n = std::log(n), log_pn = std::log(std::max(static_cast<double>(inputs), n));
  out.rate = std::pow(log_pn * log_n * log_n / n, out.exponent);
  out.inputs_few_enough = std::log(static_cast<double>(inputs)) <= n / (log_n * log_n);
  size_network(functions, n, log_pn, out);
  return out;
}

}  // namespace lacuna
