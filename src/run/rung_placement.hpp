// Where the rungs of a tempered chain stand: lambda = lambda_0 > lambda_1 > ... >= 0.
#pragma once

#include <cstddef>
#include <vector>

namespace lacuna {

// Exchange between neighbours is useful up to this rate of rejection. Round trips are most frequent
// for a given number of steps at 1/2 (Syed et al. 2022, Section 5).
inline constexpr double most_rejection = 0.6;

// Rungs are placed on the scale
//   u(lambda) = 1 + log(lambda / reach) above `reach`, lambda / reach below,
// which is smooth and ends at u(0) = 0. In a regular model the rejection between two rungs depends
// on the ratio of their lambdas, hence the logarithm; below reach = 1 / R_n(0), R_n(0) the risk of
// f = 0, the data hardly matter and the rejection is proportional to the difference.
double rung_scale(double lambda, double reach);
double lambda_of_scale(double u, double reach);

// Equal steps on that scale, not longer than a half, from lambda towards 0: geometric but for the
// end. Hot rungs forget a trained start for good, so the ladder begins short where it must grow.
std::vector<double> first_rungs(double lambda, double reach, std::size_t rungs);

// The same number of rungs such that the rejection between neighbours should be equal, given the
// rates measured between the present ones. The sum of the rates up to a rung estimates the
// communication barrier between it and rung 0 (Syed et al. 2022, Section 4), a function of lambda
// that does not depend on the ladder; it is interpolated linearly on the scale above and cut into
// equal parts. Where the barrier down to lambda = 0 would mean more than `most_rejection` per pair,
// the hottest rung stands at the smallest lambda that is within reach at that rate; where less, the
// barrier beyond the hottest rung is extrapolated, by no more than a quarter of the ladder at once.
std::vector<double> placed_rungs(const std::vector<double>& lambda,
                                 const std::vector<double>& rejection, double reach);

}  // namespace lacuna
