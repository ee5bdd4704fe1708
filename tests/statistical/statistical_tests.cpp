// Every statistical experiment once, at a fixed seed, with the fast budget; and the p-values they
// rest on.
#include <gtest/gtest.h>

#include <iostream>

#include "statistical/experiment.hpp"
#include "statistical/inference.hpp"

namespace lacuna::statistical {

void PrintTo(const Experiment& experiment, std::ostream* out) { *out << experiment.name; }

namespace {

// Tables of the chi-square and of Kolmogorov's law.
TEST(Inference, PValuesAgreeWithTables) {
  EXPECT_NEAR(chi_square_p(3.841458820694124, 1), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_p(29.58829844507442, 10), 0.001, 1e-12);
  EXPECT_NEAR(chi_square_p(118.4980, 100), 0.1, 1e-5);
  EXPECT_DOUBLE_EQ(chi_square_p(0.0, 3), 1.0);
  std::vector<double> values;
  for (int i = 0; i < 10000; ++i) values.push_back((i + 0.5) / 10000 * (1.0 - 0.01358));
  EXPECT_NEAR(uniform_test(values), 0.05, 0.002);
}

class Experiments : public testing::TestWithParam<Experiment> {};

TEST_P(Experiments, RaiseNoAlarm) {
  const Result result = GetParam().run(20240229, Budget::fast);
  RecordProperty("details", result.details);
  std::cout << result.details << '\n';
  EXPECT_FALSE(result.alarm) << "statistic " << result.statistic << " over " << result.threshold
                             << ": " << result.details;
}

INSTANTIATE_TEST_SUITE_P(, Experiments,
                         testing::ValuesIn(all_experiments().begin(), all_experiments().end()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace lacuna::statistical
