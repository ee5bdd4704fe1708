// Exchange of two points that live at different lambda (parallel tempering).
#pragma once

#include <utility>

#include "mcmc/accept.hpp"
#include "posterior/gibbs.hpp"
#include "support/planted_bug.hpp"

namespace lacuna {

// Both points share prior and data, so the ratio pi_a(b) pi_b(a) / (pi_a(a) pi_b(b)) loses all but
//   log ratio = (lambda_a - lambda_b) (R_n(a) - R_n(b)).
inline double log_exchange_ratio(double lambda_a, double risk_a, double lambda_b, double risk_b) {
  if (has_bug(PlantedBug::exchange_sign)) return -(lambda_a - lambda_b) * (risk_a - risk_b);
  if (has_bug(PlantedBug::exchange_one_lambda)) return lambda_a * (risk_a - risk_b);
  return (lambda_a - lambda_b) * (risk_a - risk_b);
}

inline Verdict exchange(Point& a, double lambda_a, Point& b, double lambda_b,
                        RandomStream& stream) {
  const double log_ratio =
      log_exchange_ratio(lambda_a, a.evaluation.risk, lambda_b, b.evaluation.risk);
  const Verdict verdict = accept_or_reject(log_ratio, stream);
  if (verdict == Verdict::accepted) std::swap(a, b);
  return verdict;
}

}  // namespace lacuna
