// A network with two units in each of two hidden layers, and what is compared of its posterior.
//
// With several units and layers there is something to choose: which unit, which destination, which
// layer. The 8191 active sets are too many to compare one by one, so functionals are compared.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "statistical/model.hpp"

namespace lacuna::statistical {

// theta = (W1 2x1, v1 2, W2 2x2, v2 2, W3 1x2, v3 1).
inline Problem thirteen_weights() {
  return {{2, 2},
          {{-1.3}, {-0.9}, {-0.5}, {-0.1}, {0.3}, {0.7}, {1.0}, {1.4}},
          {1.3, 0.9, 0.4, 0.1, 0.0, 0.4, 0.9, 1.3},
          1.25,
          1.1,
          2.0};
}
// The data matter (the mean risk is .26, that of the prior 1.17) and yet the prior is visible:
// every size and every number of live units has its share.
inline constexpr double thirteen_lambda = 14.0;
inline constexpr double first_probe = 0.1, second_probe = -1.1;

// What is looked at besides the active set: the risk, f at the two probes, and the sums of squares
// of live weights in W1, v1, W2, v2, W3. The squares see what f cannot: how size is shared between
// what goes into a unit and what comes out of it. (v3 has no part in that, and births and deaths
// alone hardly move it.)
struct ThirteenValues {
  double risk = 0.0, first = 0.0, second = 0.0;
  std::array<double, 5> squares{};
};

class ThirteenFunctionals {
 public:
  ThirteenFunctionals();

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t k) const { return names_[k]; }
  // Those of the active set alone come first.
  const std::vector<double>& of_set(std::size_t set) const { return of_set_[set]; }
  std::size_t live_part_of(std::size_t set) const { return live_[set]; }

  static ThirteenValues values_at(const Model& model, const std::vector<double>& theta,
                                  std::size_t live, double risk);
  static constexpr std::size_t value_size = 10;
  static std::array<double, value_size> of_values(const ThirteenValues& values);

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> of_set_;  // by set_of()
  std::vector<std::size_t> live_;            // beside it
};

}  // namespace lacuna::statistical
