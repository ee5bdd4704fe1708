// Geweke's joint test: parameters and targets drawn in turns have the law of prior and model.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "statistical/default_kernels.hpp"
#include "statistical/experiment.hpp"
#include "statistical/inference.hpp"
#include "statistical/model.hpp"

namespace lacuna::statistical {
namespace {

constexpr double lambda = 5.0;
constexpr std::array<std::string_view, 10> functional_names = {
    "|I|",    "risk",     "f(a)",      "f(b)",    "f(c)^2", "sum of squares",
    "mean y", "mean y^2", "v1 active", "mean f y"};

Problem design(double base) {
  Problem problem;
  problem.widths = {2};
  problem.x = {{-1.0, 0.6}, {-0.4, -1.0}, {0.2, 0.9}, {0.7, -0.5}, {1.1, 0.3}};
  problem.y.assign(5, 0.0);
  problem.base = base;
  problem.bound = 1.5;
  return problem;
}

void add_functionals(const Model& model, const std::vector<double>& theta,
                     const std::vector<double>& y, std::vector<double>& sums) {
  const double n = static_cast<double>(y.size());
  for (const double v : theta) {
    sums[0] += v != 0.0;
    sums[5] += v * v;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double fx = model.f(theta, model.problem().x[i]);
    sums[1] += (fx - y[i]) * (fx - y[i]) / n;
    sums[6] += y[i] / n;
    sums[7] += y[i] * y[i] / n;
    sums[9] += fx * y[i] / n;
  }
  sums[2] += model.f(theta, {0.9, 0.4});
  sums[3] += model.f(theta, {-0.8, -0.7});
  const double fc = model.f(theta, {0.1, 1.2});
  sums[4] += fc * fc;
  sums[8] += theta[4] != 0.0;
}

constexpr std::uint64_t batch_count = 200;

Batches independent_draws(const Model& model, std::uint64_t draws, std::uint64_t seed) {
  Batches batches(functional_names.size());
  const std::uint64_t length = draws / batch_count;
  for (std::uint64_t b = 0; b < batch_count; ++b) {
    RandomStream stream({seed, 0, 0, b, Purpose::test});
    std::vector<double> sums(functional_names.size(), 0.0);
    for (std::uint64_t i = 0; i < length; ++i) {
      const auto theta = model.draw_prior(stream);
      add_functionals(model, theta, model.draw_targets(theta, lambda, stream), sums);
    }
    for (double& s : sums) s /= static_cast<double>(length);
    batches.add(std::move(sums));
  }
  return batches;
}

// Starts in the joint law, so there is no burn-in.
template <Kernel K>
Batches alternating_draws(const Model& model, const K& kernel, std::uint64_t cycles,
                          std::uint64_t seed) {
  constexpr std::uint64_t steps_per_cycle = 8, chains = 4;
  const Prior prior = model.problem().prior(PriorKind::sparse);
  const std::uint64_t length = cycles / batch_count;
  Batches batches(functional_names.size());
  typename K::Scratch scratch;
  for (std::uint32_t c = 0; c < chains; ++c) {
    RandomStream start({seed, c, 0, 0, Purpose::start});
    std::vector<double> theta = model.draw_prior(start);
    Point current;
    current.theta = sparse(theta);
    std::uint64_t cycle = 0, iteration = 0;
    for (std::uint64_t b = 0; b < batch_count / chains; ++b) {
      std::vector<double> sums(functional_names.size(), 0.0);
      for (std::uint64_t i = 0; i < length; ++i) {
        RandomStream noise({seed, c, 0, cycle++, Purpose::simulation});
        const std::vector<double> y = model.draw_targets(theta, lambda, noise);
        EmpiricalRisk risk = model.problem().risk_for(y);
        const GibbsPosterior<EmpiricalRisk> target{prior, risk, lambda};
        evaluate_point(target, current);
        for (std::uint64_t k = 0; k < steps_per_cycle; ++k) {
          RandomStream stream({seed, c, 0, iteration++, Purpose::step});
          step(kernel, target, current, scratch, stream);
        }
        theta = model.all_weights(current.theta);
        add_functionals(model, theta, y, sums);
      }
      for (double& s : sums) s /= static_cast<double>(length);
      batches.add(std::move(sums));
    }
  }
  return batches;
}

template <Kernel K>
Result compare_joint_laws(const Model& model, const K& kernel, std::uint64_t cycles,
                          std::uint64_t seed) {
  const Batches prior = independent_draws(model, 4 * cycles, seed);
  const Batches joint = alternating_draws(model, kernel, cycles, seed);
  const WorstScore worst = worst_score(joint, prior);
  return judge(worst.z, 4.0,
               fmt::format("{} cycles, worst |z| {:.2f} at {}: {:.4f} against {:.4f}", cycles,
                           worst.z, functional_names[worst.where], joint.mean()[worst.where],
                           prior.mean()[worst.where]));
}

}  // namespace

// The worst of ten |z|; false-alarm rate of each 10 * P(|t| > 4) = 9e-4 with 200 batches on either
// side.
Result geweke(std::uint64_t seed, Budget budget) {
  return compare_joint_laws(Model(design(2.0)), PaperKernel{0.2, 0.5},
                            budget == Budget::fast ? 100000 : 200000, seed);
}

// More weights are active than in the other one: moves of a unit or a layer need one.
Result geweke_mixture(std::uint64_t seed, Budget budget) {
  const Model model(design(1.1));
  return compare_joint_laws(model, mixture_for(model.problem()),
                            budget == Budget::fast ? 100000 : 400000, seed);
}

}  // namespace lacuna::statistical
