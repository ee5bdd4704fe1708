// Student's t with whole degrees of freedom; none stands for the normal law.
#pragma once

#include <optional>

namespace lacuna {

class StudentT {
 public:
  explicit StudentT(std::optional<unsigned> degrees);

  bool is_normal() const { return !degrees_; }
  double log_density(double t) const;
  double distribution(double t) const;
  double quantile(double q) const;  // 0 < q < 1

 private:
  std::optional<unsigned> degrees_;
  double log_peak_;  // log density at zero
};

}  // namespace lacuna
