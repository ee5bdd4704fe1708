// Simulated regressions whose true function is known.
#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <span>

#include "data/wording.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/suggest.hpp"
#include "support/random.hpp"

namespace lacuna {
namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 31;

using Point = std::span<const double>;

// Friedman's first function, 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 on [0, 1]^p, which
// has mean 14.4 and standard deviation 4.9, moved and shrunk to lie in [-1, 1.1] with variance
// 0.105.
double friedman(Point x, double) {
  const double centred = x[2] - 0.5;
  const double raw = 10.0 * std::sin(std::numbers::pi * x[0] * x[1]) + 20.0 * centred * centred +
                     10.0 * x[3] + 5.0 * x[4];
  return (raw - 14.4) / 15.0;
}

// A function of exactly Hoelder smoothness beta: the m-fold integral of |t|^(beta - m), up to a
// factor, where m is the largest integer below beta. That is |t|^beta for even m and sign(t)
// |t|^beta for odd m, hence |t| for beta = 1, t|t| for beta = 2, |t|^3 for beta = 3.
double kink(double t, double beta) {
  const bool odd = std::fmod(std::ceil(beta) - 1.0, 2.0) == 1.0;
  const double size = std::pow(std::abs(t), beta);
  return odd ? std::copysign(size, t) : size;
}

// A composition g1(g0(x)) on [0, 1]^p with two inner functions of two variables each and an outer
// one of two variables, all of smoothness beta (q = 1, d_1 = 2, t = (2, 2) in the class of the
// rates):
//   u = (x1 x2 + kink(x1 + x2 - 1)) / 2,   v = (x3 x4 + kink(x3 - x4)) / 2,
//   f = u + v + kink((u - v) / 1.5) - 1/2.
// The smooth terms keep values of order one when beta is large (variance 0.15 to 0.03 for beta up
// to 10); every kink runs through the middle of the cube. The other inputs do not matter.
double hierarchical(Point x, double beta) {
  const double u = (x[0] * x[1] + kink(x[0] + x[1] - 1.0, beta)) / 2.0;
  const double v = (x[2] * x[3] + kink(x[2] - x[3], beta)) / 2.0;
  return u + v + kink((u - v) / 1.5, beta) - 0.5;
}

// Waves in the first of p inputs on [0, 1], each twice as fine as the one before and 2^-beta as
// high (Weierstrass), with variance 0.1: smoothness beta for beta < 1, and nowhere smoother, so
// that no small network comes close. The other inputs do not matter.
double rough(Point x, double beta) {
  double sum = 0.0;
  for (int k = 0; k <= 14; ++k) {
    const double angle = 2.0 * std::numbers::pi * std::exp2(k) * x[0];
    sum += std::exp2(-beta * k) * std::cos(angle);
  }
  return std::sqrt(0.2 * (1.0 - std::exp2(-2.0 * beta))) * sum;
}

// One input on [-0.8, -0.2] and [0.2, 0.8]: a parabola on the left, a sine on the right, a gap
// between.
double authors(Point x, double) {
  if (x[0] < 0.0) return 1.5 * (x[0] + 0.5) * (x[0] + 0.5);
  return 0.3 * std::sin(10.0 * x[0] - 2.0) + 0.5;
}

double in_unit_interval(double uniform) { return uniform; }
double around_the_gap(double uniform) { return 1.2 * uniform + (uniform < 0.5 ? -0.8 : -0.4); }

struct Scenario {
  const char* name;
  std::size_t default_inputs, fewest_inputs, most_inputs;
  double (*truth)(Point x, double smoothness);
  double (*input)(double uniform);
};

constexpr Scenario kScenarios[] = {
    {"friedman", 10, 5, kMostValues, friedman, in_unit_interval},
    {"hierarchical", 10, 4, kMostValues, hierarchical, in_unit_interval},
    {"rough", 10, 1, kMostValues, rough, in_unit_interval},
    {"authors", 1, 1, 1, authors, around_the_gap},
};

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::usage, why); }

const Scenario& find_scenario(const std::string& name) {
  std::vector<std::string> names;
  for (const Scenario& scenario : kScenarios) {
    if (name == scenario.name) return scenario;
    names.emplace_back(scenario.name);
  }
  const std::string close = did_you_mean(name, names);
  const std::string hint = close.empty() ? "" : fmt::format(" did you mean '{}'?", close);
  refuse(fmt::format("unknown simulation '{}';{} known: {}", shown(name), hint, listed(names)));
}

std::size_t checked_inputs(const Simulation& what, const Scenario& scenario) {
  const std::size_t inputs = what.inputs == 0 ? scenario.default_inputs : what.inputs;
  if (inputs < scenario.fewest_inputs) {
    refuse(
        fmt::format("inputs p={}: {} needs >= {}", inputs, scenario.name, scenario.fewest_inputs));
  }
  if (inputs > scenario.most_inputs) {
    refuse(fmt::format("inputs p={}: {} has {}", inputs, scenario.name, scenario.most_inputs));
  }
  if (what.rows < 1) refuse("rows n=0: must be >= 1");
  if (what.rows > kMostValues / inputs) {
    refuse(
        fmt::format("rows n={}, inputs p={}: more than {} values", what.rows, inputs, kMostValues));
  }
  if (!(what.noise_sd >= 0.0) || !std::isfinite(what.noise_sd)) {
    refuse(fmt::format("noise sd={}: must be finite and >= 0", what.noise_sd));
  }
  if (!(what.smoothness > 0.0) || !std::isfinite(what.smoothness)) {
    refuse(fmt::format("smoothness beta={}: must be finite and > 0", what.smoothness));
  }
  return inputs;
}

// Each row has a stream of its own for its inputs and one for its noise: more rows, more inputs or
// another noise level leave the rest of the data as they were.
RandomStream row_stream(std::uint64_t seed, std::size_t row, bool noise) {
  StreamKey key;
  key.seed = seed;
  key.chain = noise ? 1 : 0;
  key.iteration = row;
  key.purpose = Purpose::simulation;
  return RandomStream(key);
}

}  // namespace

SimulatedData simulate(const Simulation& what) {
  const Scenario& scenario = find_scenario(what.name);
  const std::size_t inputs = checked_inputs(what, scenario);
  SimulatedData result;
  Dataset& data = result.data;
  data.rows = what.rows;
  data.inputs = inputs;
  data.target_name = std::string("y");
  for (std::size_t j = 1; j <= inputs; ++j) data.input_names.push_back(fmt::format("x{}", j));
  data.x.resize(what.rows * inputs);
  std::vector<double> row(inputs);
  for (std::size_t i = 0; i < what.rows; ++i) {
    RandomStream stream = row_stream(what.seed, i, false);
    for (std::size_t j = 0; j < inputs; ++j) {
      row[j] = scenario.input(stream.uniform());
      data.x[j * what.rows + i] = row[j];
    }
    const double truth = scenario.truth(row, what.smoothness);
    result.truth.push_back(truth);
    data.y.push_back(truth + what.noise_sd * row_stream(what.seed, i, true).normal());
  }
  return result;
}

}  // namespace lacuna
