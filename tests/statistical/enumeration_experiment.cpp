// The sparse kernel against the exact posterior over all active sets of tiny networks, and the
// dense kernel against exact posterior means.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "statistical/enumeration_problems.hpp"
#include "statistical/set_frequencies.hpp"

namespace lacuna::statistical {
namespace {

// Integrated autocorrelation times of |I|, R_n and the first weight at these settings are below 70
// steps for the warm problems and the wide cold one (|I| there: 100), 400 for four_cold and 700 for
// seven_deep_cold; the shortest batches are fifteen times as long.
Result enumerate(const Problem& problem, double lambda, const SetLaw& law, std::uint64_t steps,
                 std::uint64_t seed, Budget budget) {
  const ChainRun<PaperKernel> run{problem, lambda, {0.2, 0.5}, steps};
  return judge_sets(set_frequencies(run, seed), law, seed, budget);
}

std::uint64_t steps(Budget budget, double fast, double full) {
  return static_cast<std::uint64_t>(budget == Budget::fast ? fast : full);
}

constexpr double warm_four = 6.0, cold_four = 14.0;
constexpr double warm_wide = 3.0, cold_wide = 10.0;
constexpr double warm_deep = 5.0, cold_deep = 11.0;

}  // namespace

// False-alarm rate of each comparison of sets: 2e-4.
Result four_prior(std::uint64_t seed, Budget budget) {
  static const SetLaw law = tensor_law(four_weights(), 0.0);
  return enumerate(four_weights(), 0.0, law, steps(budget, 1e6, 8e6), seed, budget);
}

Result four_warm(std::uint64_t seed, Budget budget) {
  static const SetLaw law = tensor_law(four_weights(), warm_four);
  return enumerate(four_weights(), warm_four, law, steps(budget, 1e6, 8e6), seed, budget);
}

Result four_cold(std::uint64_t seed, Budget budget) {
  static const SetLaw law = tensor_law(four_weights(), cold_four);
  return enumerate(four_weights(), cold_four, law, steps(budget, 2e6, 8e6), seed, budget);
}

Result seven_wide_warm(std::uint64_t seed, Budget budget) {
  static const SetLaw law = lattice_law(seven_weights_wide(), warm_wide);
  return enumerate(seven_weights_wide(), warm_wide, law, steps(budget, 2e6, 8e6), seed, budget);
}

Result seven_wide_cold(std::uint64_t seed, Budget budget) {
  static const SetLaw law = lattice_law(seven_weights_wide(), cold_wide);
  return enumerate(seven_weights_wide(), cold_wide, law, steps(budget, 2e6, 12e6), seed, budget);
}

Result seven_deep_warm(std::uint64_t seed, Budget budget) {
  static const SetLaw law = lattice_law(seven_weights_deep(), warm_deep);
  return enumerate(seven_weights_deep(), warm_deep, law, steps(budget, 2e6, 8e6), seed, budget);
}

Result seven_deep_cold(std::uint64_t seed, Budget budget) {
  static const SetLaw law = lattice_law(seven_weights_deep(), cold_deep);
  return enumerate(seven_weights_deep(), cold_deep, law, steps(budget, 4e6, 16e6), seed, budget);
}

// The worst of eleven |z|; false-alarm rate 11 * P(|t| > 4) = 9e-4 with 320 batches.
Result dense_mala(std::uint64_t seed, Budget budget) {
  constexpr std::size_t dimension = 11;
  constexpr double lambda = 5.0;
  // Risk, its square, and the first two moments of each weight, and one of the product W1 W2.
  const auto functionals = [](const std::vector<double>& theta, double risk, double* out) {
    out[0] = risk;
    out[1] = risk * risk;
    for (std::size_t i = 0; i < 4; ++i) {
      out[2 + i] = theta[i];
      out[6 + i] = theta[i] * theta[i];
    }
    out[10] = std::abs(theta[0] * theta[2]);
  };
  const Problem problem = four_weights();
  static const DenseMeans exact = tensor_means(problem, lambda, dimension, functionals);
  const ChainRun<PaperKernel> run{
      problem, lambda, {0.2, 0.45}, steps(budget, 1e6, 4e6), PriorKind::dense};
  const auto add = [&](Chain<>& chain, double* sums) {
    std::array<double, dimension> value{};
    functionals(chain.current().theta.value, chain.current().evaluation.risk, value.data());
    for (std::size_t k = 0; k < dimension; ++k) sums[k] += value[k];
  };
  const Batches batches = chain_means(run, dimension, seed, add);
  const WorstScore worst = worst_score(batches, exact.mean, exact.error);
  return judge(
      worst.z, 4.0,
      fmt::format("worst |z| {:.2f} of {}; mean risk {:.4f}, exactly {:.4f}; quadrature "
                  "error up to {:.2f} standard errors",
                  worst.z, dimension, batches.mean()[0], exact.mean[0], worst.reference_share));
}

}  // namespace lacuna::statistical
