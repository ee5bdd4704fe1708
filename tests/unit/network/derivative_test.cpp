// Gradient and Gauss-Newton diagonal against central differences in long double, away from kinks
// and clips.
//
// While no unit changes side, g is affine in each single coordinate and the risk is quadratic in
// it, so that central differences have no error but rounding. Runs 5,000 random cases, or 100,000
// with LACUNA_SLOW=1.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <set>

#include "network/evaluator.hpp"
#include "unit/network/random_case.hpp"
#include "unit/support/statistics.hpp"

namespace lacuna {
namespace {

constexpr long double kStep = 0x1p-18L;
constexpr double kLargestError = 1e-6;
constexpr double kFloor = 1e-6;  // derivatives below this are compared absolutely, to 1e-12

int side(long double value) { return (value > 0.0L) - (value < 0.0L); }

// f at every row, and on which side of their kinks and clips all units stand there.
struct Snapshot {
  std::vector<long double> f;
  std::vector<int> sides;
};

void look(const testing::NaiveNetwork<long double>& network, const testing::Rows& rows, double clip,
          Snapshot& out) {
  std::vector<long double> z;
  out.f.clear();
  out.sides.clear();
  for (std::size_t i = 0; i < rows.count; ++i) {
    const long double g = network.output(rows.row(i), &z);
    out.f.push_back(testing::clipped(g, clip));
    out.sides.push_back(side(g - clip));
    out.sides.push_back(side(g + clip));
    for (const long double value : z) out.sides.push_back(side(value));
  }
}

struct Differences {
  bool smooth = false;          // no unit changed side over the stencil
  bool without_effect = false;  // f is the same at both ends, to the last bit
  double gradient = 0.0, curvature = 0.0;
};

class CentralDifferences {
 public:
  CentralDifferences(const Architecture& a, const SparseTheta& theta, const testing::Rows& rows,
                     double clip)
      : network_(testing::naive<long double>(a, theta)), rows_(rows), clip_(clip) {
    look(network_, rows_, clip_, here_);
  }

  Differences along(std::uint64_t index) {
    const long double value = network_.theta[index];
    network_.theta[index] = value + kStep;
    look(network_, rows_, clip_, above_);
    network_.theta[index] = value - kStep;
    look(network_, rows_, clip_, below_);
    network_.theta[index] = value;

    Differences result;
    result.smooth = above_.sides == here_.sides && below_.sides == here_.sides;
    result.without_effect = above_.f == here_.f && below_.f == here_.f;
    long double gradient = 0.0L, curvature = 0.0L;
    for (std::size_t i = 0; i < rows_.count; ++i) {
      const long double up = above_.f[i] - rows_.y[i], down = below_.f[i] - rows_.y[i];
      const long double slope = (above_.f[i] - below_.f[i]) / (2.0L * kStep);
      gradient += (up * up - down * down) / (2.0L * kStep);
      curvature += 2.0L * slope * slope;
    }
    result.gradient = static_cast<double>(gradient / static_cast<long double>(rows_.count));
    result.curvature = static_cast<double>(curvature / static_cast<long double>(rows_.count));
    return result;
  }

  // Whether the input of the unit that `place` leads to is zero at every row: at its kink all
  // along.
  bool at_kink_everywhere(const Architecture& a, const Place& place) const {
    std::size_t unit = 2 + place.destination;
    for (std::size_t l = 1; l < place.layer; ++l) unit += a.size(l);
    const std::size_t per_row = here_.sides.size() / rows_.count;
    for (std::size_t i = 0; i < rows_.count; ++i) {
      if (here_.sides[i * per_row + unit] != 0) return false;
    }
    return true;
  }

 private:
  testing::NaiveNetwork<long double> network_;
  const testing::Rows& rows_;
  double clip_;
  Snapshot here_, above_, below_;
};

struct Tally {
  std::uint64_t compared = 0, not_zero = 0, near_a_kink = 0, not_listed = 0;
  double largest_error = 0.0;

  void compare(const Differences& expected, double gradient, double curvature) {
    if (!expected.smooth) {
      ++near_a_kink;
      return;
    }
    ++compared;
    not_zero += expected.gradient != 0.0;
    for (const auto& [got, wanted] :
         {std::pair{gradient, expected.gradient}, {curvature, expected.curvature}}) {
      const double error = std::abs(got - wanted) / std::max(std::abs(wanted), kFloor);
      largest_error = std::max(largest_error, error);
      EXPECT_LT(error, kLargestError) << "got " << got << ", expected " << wanted;
    }
  }
};

void check_case(RandomStream& stream, const Architecture& a, double density, Tally& tally) {
  const SparseTheta theta = testing::random_theta(a, density, stream);
  const testing::Rows rows = testing::random_rows(1 + stream.below(12), a.inputs(), stream);
  const double clip = 1.0 + 9.0 * stream.uniform();
  const Samples samples = rows.samples();
  Evaluator evaluator(a, clip);
  Evaluation out;
  evaluator.evaluate(theta, samples, samples.all(),
                     {.gradient = true, .curvature = true, .inactive = true}, out);

  CentralDifferences differences(a, theta, rows, clip);
  std::set<std::uint64_t> listed(theta.index.begin(), theta.index.end());
  for (std::size_t k = 0; k < theta.size(); ++k) {
    tally.compare(differences.along(theta.index[k]), out.gradient[k], out.curvature[k]);
  }
  for (const InactiveDerivative& d : out.inactive) {
    listed.insert(d.index);
    tally.compare(differences.along(d.index), d.gradient, d.curvature);
  }
  // A coordinate that is not listed cannot move f, or it leads to a hidden unit whose input is zero
  // at every row, where a ReLU is given derivative zero.
  for (std::uint64_t index = 0; index < a.parameter_count(); ++index) {
    if (listed.contains(index)) continue;
    ++tally.not_listed;
    const Place place = a.place(index);
    if (differences.along(index).without_effect) continue;
    ASSERT_LT(place.layer, a.layers())
        << "a coordinate of the output layer with an effect is not listed";
    EXPECT_TRUE(differences.at_kink_everywhere(a, place)) << "coordinate " << index;
  }
}

TEST(Derivatives, MatchCentralDifferences) {
  RandomStream stream = testing::test_stream(140);
  const int cases = testing::slow_tier() ? 100000 : 5000;
  Tally tally;
  for (int i = 0; i < cases; ++i) {
    const Architecture a = testing::random_architecture(stream);
    check_case(stream, a, testing::random_density(stream), tally);
    ASSERT_FALSE(HasFailure()) << "case " << i;
  }
  std::cout << cases << " cases: " << tally.compared << " coordinates compared (" << tally.not_zero
            << " not zero), largest relative error " << tally.largest_error << "; "
            << tally.near_a_kink << " near a kink left out; " << tally.not_listed
            << " not listed\n";
  EXPECT_GT(tally.not_zero, 5u * static_cast<unsigned>(cases));
  EXPECT_GT(tally.not_listed, static_cast<unsigned>(cases));
  EXPECT_LT(static_cast<double>(tally.near_a_kink), 0.1 * static_cast<double>(tally.compared));
}

// Wide enough for tiles of units, from half to fully dense, so that rows of a tile are missing.
TEST(Derivatives, MatchCentralDifferencesInTiles) {
  RandomStream stream = testing::test_stream(141);
  Tally tally;
  for (int i = 0; i < 40; ++i) {
    const Architecture a(3 + stream.below(6), {5 + stream.below(9), 4 + stream.below(9)});
    check_case(stream, a, stream.uniform(0.5, 1.1), tally);
    ASSERT_FALSE(HasFailure()) << "case " << i;
  }
  EXPECT_GT(tally.not_zero, 1000u);
}

}  // namespace
}  // namespace lacuna
