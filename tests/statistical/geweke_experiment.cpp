// Geweke's joint test: parameters and targets drawn in turns have the law of prior and model.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "statistical/experiment.hpp"
#include "statistical/inference.hpp"
#include "statistical/problem.hpp"

namespace lacuna::statistical {
namespace {

constexpr double lambda = 5.0;
constexpr std::array<std::string_view, 10> functional_names = {
    "|I|",    "risk",     "f(a)",      "f(b)",    "f(c)^2", "sum of squares",
    "mean y", "mean y^2", "v1 active", "mean f y"};

Problem design() {
  Problem problem;
  problem.widths = {2};
  problem.x = {{-1.0, 0.6}, {-0.4, -1.0}, {0.2, 0.9}, {0.7, -0.5}, {1.1, 0.3}};
  problem.y.assign(5, 0.0);
  problem.bound = 1.5;
  return problem;
}

// The sparse prior in the words of the paper: a size, a set of that size, values on the box.
std::vector<double> draw_prior(const Problem& problem, std::size_t total, RandomStream& stream) {
  double sum = 0.0;
  for (std::size_t k = 1; k <= total; ++k) sum += std::pow(problem.base, -static_cast<double>(k));
  double left = stream.uniform() * sum;
  std::size_t size = 0;
  while (left > 0.0 && size < total) left -= std::pow(problem.base, -static_cast<double>(++size));
  std::vector<double> theta(total, 0.0);
  for (std::size_t chosen = 0; chosen < size;) {
    const std::size_t i = stream.below(total);
    if (theta[i] != 0.0) continue;
    theta[i] = stream.uniform(-problem.bound, problem.bound);
    ++chosen;
  }
  return theta;
}

class Model {
 public:
  Model() : problem_(design()), network_(problem_.naive()) {}

  const Problem& problem() const { return problem_; }
  std::size_t parameter_count() const { return network_.parameter_count(); }
  double f(const std::vector<double>& theta, const std::vector<double>& x) const {
    return clipped(network_.output(theta, x.data()), problem_.clip);
  }

  // exp(-lambda R_n) is the likelihood of noise N(0, n / (2 lambda)).
  std::vector<double> draw_targets(const std::vector<double>& theta, RandomStream& stream) const {
    const double sd = std::sqrt(static_cast<double>(problem_.x.size()) / (2.0 * lambda));
    std::vector<double> y;
    for (const auto& x : problem_.x) y.push_back(f(theta, x) + sd * stream.normal());
    return y;
  }

  void add_functionals(const std::vector<double>& theta, const std::vector<double>& y,
                       std::vector<double>& sums) const {
    const double n = static_cast<double>(y.size());
    for (const double v : theta) {
      sums[0] += v != 0.0;
      sums[5] += v * v;
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double fx = f(theta, problem_.x[i]);
      sums[1] += (fx - y[i]) * (fx - y[i]) / n;
      sums[6] += y[i] / n;
      sums[7] += y[i] * y[i] / n;
      sums[9] += fx * y[i] / n;
    }
    sums[2] += f(theta, {0.9, 0.4});
    sums[3] += f(theta, {-0.8, -0.7});
    const double fc = f(theta, {0.1, 1.2});
    sums[4] += fc * fc;
    sums[8] += theta[4] != 0.0;
  }

 private:
  Problem problem_;
  NaiveNetwork network_;
};

constexpr std::uint64_t batch_count = 200;

Batches independent_draws(const Model& model, std::uint64_t draws, std::uint64_t seed) {
  Batches batches(functional_names.size());
  const std::uint64_t length = draws / batch_count;
  for (std::uint64_t b = 0; b < batch_count; ++b) {
    RandomStream stream({seed, 0, 0, b, Purpose::test});
    std::vector<double> sums(functional_names.size(), 0.0);
    for (std::uint64_t i = 0; i < length; ++i) {
      const auto theta = draw_prior(model.problem(), model.parameter_count(), stream);
      model.add_functionals(theta, model.draw_targets(theta, stream), sums);
    }
    for (double& s : sums) s /= static_cast<double>(length);
    batches.add(std::move(sums));
  }
  return batches;
}

// Starts in the joint law, so there is no burn-in.
Batches alternating_draws(const Model& model, std::uint64_t cycles, std::uint64_t seed) {
  constexpr std::uint64_t steps_per_cycle = 8, chains = 4;
  const PaperKernel kernel{0.2, 0.5};
  const Prior prior = model.problem().prior(PriorKind::sparse);
  const std::uint64_t length = cycles / batch_count;
  Batches batches(functional_names.size());
  PaperScratch scratch;
  for (std::uint32_t c = 0; c < chains; ++c) {
    RandomStream start({seed, c, 0, 0, Purpose::start});
    std::vector<double> theta = draw_prior(model.problem(), model.parameter_count(), start);
    Point current;
    for (std::size_t i = 0; i < theta.size(); ++i) {
      if (theta[i] != 0.0) current.theta.insert(i, theta[i]);
    }
    std::uint64_t cycle = 0, iteration = 0;
    for (std::uint64_t b = 0; b < batch_count / chains; ++b) {
      std::vector<double> sums(functional_names.size(), 0.0);
      for (std::uint64_t i = 0; i < length; ++i) {
        RandomStream noise({seed, c, 0, cycle++, Purpose::simulation});
        const std::vector<double> y = model.draw_targets(theta, noise);
        EmpiricalRisk risk = model.problem().risk_for(y);
        const GibbsPosterior<EmpiricalRisk> target{prior, risk, lambda};
        evaluate_point(target, current);
        for (std::uint64_t k = 0; k < steps_per_cycle; ++k) {
          RandomStream stream({seed, c, 0, iteration++, Purpose::step});
          step(kernel, target, current, scratch, stream);
        }
        theta.assign(theta.size(), 0.0);
        for (std::size_t k = 0; k < current.theta.size(); ++k) {
          theta[current.theta.index[k]] = current.theta.value[k];
        }
        model.add_functionals(theta, y, sums);
      }
      for (double& s : sums) s /= static_cast<double>(length);
      batches.add(std::move(sums));
    }
  }
  return batches;
}

}  // namespace

// The worst of ten |z|; false-alarm rate 10 * P(|t| > 4) = 9e-4 with 200 batches on either side.
Result geweke(std::uint64_t seed, Budget budget) {
  const Model model;
  const std::uint64_t cycles = budget == Budget::fast ? 100000 : 200000;
  const Batches prior = independent_draws(model, 4 * cycles, seed);
  const Batches joint = alternating_draws(model, cycles, seed);
  double worst = 0.0;
  std::size_t where = 0;
  for (std::size_t k = 0; k < functional_names.size(); ++k) {
    const double error = std::hypot(prior.standard_error(k), joint.standard_error(k));
    double z = std::abs(prior.mean()[k] - joint.mean()[k]) / error;
    if (std::isnan(z)) z = HUGE_VAL;
    if (z >= worst) {
      worst = z;
      where = k;
    }
  }
  return judge(
      worst, 4.0,
      fmt::format("{} cycles, worst |z| {:.2f} at {}: {:.4f} against {:.4f}", cycles, worst,
                  functional_names[where], joint.mean()[where], prior.mean()[where]));
}

}  // namespace lacuna::statistical
