// Standardisation: exact moments on hard columns, and values that cannot be scaled.
#include <cmath>

#include "support/random.hpp"
#include "unit/data/files.hpp"

namespace lacuna::testing {
namespace {

using Values = std::vector<double>;

Dataset one_column(const Values& x) {
  Dataset data{x.size(), 1, x, Values(x.size(), 0.0), {"a"}, "y"};
  data.y[0] = 1.0;
  return data;
}

TEST(Scaling, IdentityChangesNothing) {
  const Dataset data = one_column({1, 2, 4});
  const Dataset same = scaled(data, identity_scaling(1));
  EXPECT_EQ(same.x, data.x);
  EXPECT_EQ(same.y, data.y);
}

TEST(Scaling, GivesMeanZeroAndVarianceOne) {
  const Dataset data = one_column({1, 2, 3, 6});
  const Scaling scaling = standardisation(data);
  EXPECT_EQ(scaling.input_shift, Values{3.0});
  EXPECT_DOUBLE_EQ(scaling.input_scale[0], std::sqrt(3.5));
  EXPECT_EQ(scaling.target_shift, 0.25);
  EXPECT_DOUBLE_EQ(scaling.target_scale, std::sqrt(0.1875));
  const Dataset result = scaled(data, scaling);
  EXPECT_DOUBLE_EQ(result.x[3], 3.0 / std::sqrt(3.5));
  EXPECT_EQ(result.input_names, data.input_names);
  EXPECT_EQ(scaled_inputs(data.x, data.rows, scaling), result.x);
}

TEST(Scaling, ConstantColumnsGetScaleOne) {
  const Dataset data = one_column({0.1, 0.1, 0.1});
  const Scaling scaling = standardisation(data);
  EXPECT_EQ(scaling.input_shift[0], 0.1);
  EXPECT_EQ(scaling.input_scale[0], 1.0);
  EXPECT_EQ(scaled(data, scaling).x, (Values{0, 0, 0}));
}

// Against sums in long double, for offsets up to 1e12 and magnitudes from 1e-300 to 1e150.
TEST(Scaling, IsAccurateOnHardColumns) {
  RandomStream random(StreamKey{11, 0, 0, 0, Purpose::test});
  for (const double offset : {0.0, 1.0, 1e6, 1e12}) {
    for (const double magnitude : {1e-300, 1e-160, 1.0, 1e130}) {
      Values x(1000);
      for (double& v : x) v = (offset + random.normal()) * magnitude;
      // Distances from a value are exact, where a sum of the values would be off by 1e-6 of their sd.
      long double mean = 0, square = 0;
      for (const double v : x) mean += static_cast<long double>(v) - x[0];
      mean = x[0] + mean / static_cast<long double>(x.size());
      for (const double v : x) square += (v - mean) * (v - mean);
      const long double sd = std::sqrt(square / static_cast<long double>(x.size()));
      const Scaling scaling = standardisation(one_column(x));
      EXPECT_NEAR(scaling.input_scale[0] / static_cast<double>(sd), 1.0, 1e-13) << offset;
      EXPECT_NEAR(scaling.input_shift[0], static_cast<double>(mean),
                  2e-16 * std::abs(static_cast<double>(mean)) + 1e-15 * static_cast<double>(sd));
    }
  }
}

TEST(Scaling, TinyColumnsAreNotTakenForConstant) {
  const Dataset data = one_column({0.0, 5e-324, 0.0, 5e-324});
  for (const double v : scaled(data, standardisation(data)).x) EXPECT_LE(std::abs(v), 1.0);
  const Dataset small = one_column({1e-200, -1e-200});
  EXPECT_EQ(scaled(small, standardisation(small)).x, (Values{1, -1}));
}

TEST(Scaling, OverflowNamesColumnAndValue) {
  const Dataset wide = one_column({1e308, -1e308});
  EXPECT_EQ(error_of([&] { standardisation(wide); }),
            "65 column 'a': value 1e+308 overflows when scaled; rescale it");
  EXPECT_EQ(error_of([&] {
              standardisation(one_column({1, 2, -1.5e300}));
            }),
            "65 column 'a': value -1.5e+300 overflows when scaled; rescale it");
  Dataset target = one_column({1, 2});
  target.y = {1e200, 0};
  EXPECT_EQ(error_of([&] { standardisation(target); }),
            "65 target 'y': value 1e+200 overflows when scaled; rescale it");
  Scaling narrow = identity_scaling(1);
  narrow.input_scale[0] = 1e-10;
  EXPECT_EQ(error_of([&] {
              scaled(one_column({1, 1e305}), narrow);
            }),
            "65 column 'a': value 1e+305 overflows when scaled; rescale it");
  EXPECT_EQ(error_of([&] {
              scaled_inputs({1, -1e305}, 2, narrow);
            }),
            "65 input 1: value -1e+305 overflows when scaled; rescale it");
  EXPECT_EQ(standardisation(one_column({1e308, 1e308})).input_shift[0], 1e308)
      << "constant is fine";
}

}  // namespace
}  // namespace lacuna::testing
