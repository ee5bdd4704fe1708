#include "run/rung_placement.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

// Two rungs between which everything was accepted still differ: it keeps the barrier strictly
// increasing.
constexpr double least_rejection = 0.01;
constexpr double longest_first_step = 0.5, longest_extension = 0.25;

}  // namespace

double rung_scale(double lambda, double reach) {
  const double x = lambda / reach;
  return x > 1.0 ? 1.0 + std::log(x) : x;
}

double lambda_of_scale(double u, double reach) { return reach * (u > 1.0 ? std::exp(u - 1.0) : u); }

std::vector<double> first_rungs(double lambda, double reach, std::size_t rungs) {
  std::vector<double> ladder = {lambda};
  const double top = rung_scale(lambda, reach), pairs = static_cast<double>(rungs) - 1.0;
  const double length = std::min(top, longest_first_step * pairs);
  for (std::size_t r = 1; r < rungs; ++r)
    ladder.push_back(lambda_of_scale(top - length * static_cast<double>(r) / pairs, reach));
  return ladder;
}

std::vector<double> placed_rungs(const std::vector<double>& lambda,
                                 const std::vector<double>& rejection, double reach) {
  std::vector<double> scale = {rung_scale(lambda[0], reach)}, barrier = {0.0};
  for (std::size_t r = 0; r < rejection.size(); ++r) {
    scale.push_back(rung_scale(lambda[r + 1], reach));
    barrier.push_back(barrier.back() + std::max(rejection[r], least_rejection));
  }
  const auto pairs = static_cast<double>(rejection.size());
  const double affordable = most_rejection * pairs;
  if (barrier.back() < affordable && scale.back() > 0.0) {
    const std::size_t last = rejection.size();
    const double slope = (barrier[last] - barrier[last - 1]) / (scale[last - 1] - scale[last]);
    const double extension = std::min((affordable - barrier[last]) / slope,
                                      longest_extension * (scale[0] - scale[last]));
    const double end = std::max(0.0, scale[last] - extension);
    barrier.push_back(barrier[last] + slope * (scale[last] - end));
    scale.push_back(end);
  }
  const double whole = std::min(barrier.back(), affordable);

  std::vector<double> placed = {lambda[0]};
  std::size_t above = 1;  // where the part of the curve ends in which the next rung lies
  for (std::size_t r = 1; r <= rejection.size(); ++r) {
    const double wanted = whole * (static_cast<double>(r) / pairs);
    while (above + 1 < barrier.size() && barrier[above] < wanted) ++above;
    const double share = (wanted - barrier[above - 1]) / (barrier[above] - barrier[above - 1]);
    placed.push_back(lambda_of_scale(std::lerp(scale[above - 1], scale[above], share), reach));
  }
  return placed;
}

}  // namespace lacuna
