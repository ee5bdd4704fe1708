// A problem read as a model: parameters from the prior, targets given parameters.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "statistical/problem.hpp"

namespace lacuna::statistical {

inline SparseTheta sparse(const std::vector<double>& theta) {
  SparseTheta active;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    if (theta[i] != 0.0) active.insert(i, theta[i]);
  }
  return active;
}

class Model {
 public:
  explicit Model(Problem problem)
      : problem_(std::move(problem)),
        network_(problem_.naive()),
        total_(network_.parameter_count()) {}

  const Problem& problem() const { return problem_; }

  double f(const std::vector<double>& theta, const std::vector<double>& x) const {
    return clipped(network_.output(theta, x.data()), problem_.clip);
  }

  std::vector<double> all_weights(const SparseTheta& active) const {
    std::vector<double> theta(total_, 0.0);
    for (std::size_t k = 0; k < active.size(); ++k) theta[active.index[k]] = active.value[k];
    return theta;
  }

  // The sparse prior in the words of the paper: a size, a set of that size, values on the box.
  std::vector<double> draw_prior(RandomStream& stream) const {
    const auto weight = [this](std::size_t k) {
      return std::pow(problem_.base, -static_cast<double>(k));
    };
    double sum = 0.0;
    for (std::size_t k = 1; k <= total_; ++k) sum += weight(k);
    double left = stream.uniform() * sum;
    std::size_t size = 0;
    while (left > 0.0 && size < total_) left -= weight(++size);
    std::vector<double> theta(total_, 0.0);
    for (std::size_t chosen = 0; chosen < size;) {
      const std::size_t i = stream.below(total_);
      if (theta[i] != 0.0) continue;
      theta[i] = stream.uniform(-problem_.bound, problem_.bound);
      ++chosen;
    }
    return theta;
  }

  // exp(-lambda R_n) is the likelihood of noise N(0, n / (2 lambda)).
  std::vector<double> draw_targets(const std::vector<double>& theta, double lambda,
                                   RandomStream& stream) const {
    const double sd = std::sqrt(static_cast<double>(problem_.x.size()) / (2.0 * lambda));
    std::vector<double> y;
    for (const auto& x : problem_.x) y.push_back(f(theta, x) + sd * stream.normal());
    return y;
  }

 private:
  Problem problem_;
  NaiveNetwork network_;
  std::size_t total_;
};

}  // namespace lacuna::statistical
