// At lambda = 0 the kernel must return the prior, whatever the data and the drift do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "mcmc/mixture.hpp"
#include "statistical/default_kernels.hpp"
#include "statistical/experiment.hpp"
#include "statistical/inference.hpp"
#include "statistical/problem.hpp"

namespace lacuna::statistical {
namespace {

Problem regression(std::vector<std::size_t> widths) {
  Problem problem;
  problem.widths = std::move(widths);
  problem.x = {{-1.1, 0.3}, {-0.7, -0.9}, {-0.2, 1.2}, {0.1, -0.4}, {0.5, 0.8},
               {0.8, -1.3}, {1.0, 0.1},   {1.3, 1.1},  {-0.5, 0.6}, {0.3, -0.8}};
  problem.y = {0.2, -0.5, 0.9, 0.1, 1.2, -0.7, 0.8, 1.9, 0.4, -0.1};
  problem.bound = 1.5;
  return problem;
}

// Counts over nearly independent draws, tested against the sparse prior.
class SparseCounts {
 public:
  explicit SparseCounts(const Problem& problem)
      : total_(problem.naive().parameter_count()),
        problem_(problem),
        sizes_(total_, 0.0),
        singles_(total_, 0.0),
        pairs_(total_ * (total_ - 1) / 2, 0.0),
        others_(total_, 0.0) {}

  void add(const SparseTheta& theta, RandomStream& stream) {
    const std::size_t k = theta.size();
    sizes_[k - 1] += 1.0;
    for (const double v : theta.value) values_.push_back(0.5 * (v / problem_.bound + 1.0));
    if (k == 1) singles_[theta.index[0]] += 1.0;
    if (k == 2) pairs_[theta.index[1] * (theta.index[1] - 1) / 2 + theta.index[0]] += 1.0;
    if (k > 2) others_[theta.index[stream.below(k)]] += 1.0;  // one of them: independent counts
  }

  void judge_into(Verdicts& verdicts, std::string_view name) {
    std::vector<double> law;
    double sum = 0.0;
    for (std::size_t k = 1; k <= total_; ++k) {
      law.push_back(std::pow(problem_.base, -static_cast<double>(k)));
      sum += law.back();
    }
    for (double& p : law) p /= sum;
    const auto uniform = [](const std::vector<double>& cells) {
      return std::vector<double>(cells.size(), 1.0 / static_cast<double>(cells.size()));
    };
    verdicts.add(fmt::format("{} sizes", name), chi_square_test(sizes_, law));
    verdicts.add(fmt::format("{} single index", name),
                 chi_square_test(singles_, uniform(singles_)));
    verdicts.add(fmt::format("{} pairs", name), chi_square_test(pairs_, uniform(pairs_)));
    verdicts.add(fmt::format("{} indices", name), chi_square_test(others_, uniform(others_)));
    verdicts.add(fmt::format("{} values", name), uniform_test(values_));
  }

 private:
  std::size_t total_;
  Problem problem_;
  std::vector<double> sizes_, singles_, pairs_, others_, values_;
};

constexpr std::uint32_t chains = 4;
constexpr std::uint64_t burn_in = 2000;

struct PriorSetting {
  std::string_view name;
  std::vector<std::size_t> widths;
  double base;
  std::uint64_t gap;
};

// Draws of chains of one kernel at lambda = 0, a gap apart, against the prior.
template <Kernel K>
void recover(const PriorSetting& setting, const K& kernel, std::uint64_t draws, ChainId id,
             Verdicts& verdicts) {
  Problem problem = regression(setting.widths);
  problem.base = setting.base;
  const Prior prior = problem.prior(PriorKind::sparse);
  SparseCounts counts(problem);
  for (std::uint32_t c = 0; c < chains; ++c) {
    Chain<K> chain(problem, prior, kernel, 0.0, {id.seed, c, id.rung});
    RandomStream choice({id.seed, c, id.rung, 0, Purpose::test});
    chain.steps(burn_in);
    for (std::uint64_t i = 0; i < draws / chains; ++i) {
      chain.steps(setting.gap);
      counts.add(chain.current().theta, choice);
    }
  }
  counts.judge_into(verdicts, setting.name);
}

// The same for a kernel of the default sampler.
template <Kernel K>
Result recover_both(const K& kernel, std::uint64_t gap, std::uint64_t seed, Budget budget) {
  const std::uint64_t draws = budget == Budget::fast ? 10000 : 100000;
  Verdicts verdicts;
  recover({"shallow", {2}, 2.0, gap}, kernel, draws, {seed, 0, 0}, verdicts);
  recover({"deep", {2, 2}, 3.0, gap}, kernel, draws, {seed, 0, 1}, verdicts);
  return verdicts.result();
}

}  // namespace

// False-alarm rate 0.001: fifteen p-values with Bonferroni. The gaps between draws were chosen so
// that the autocorrelation of |I| over a gap, the largest of those looked at, is about 0.01: the
// draws count as independent. A third set of counts is of the prior's own draws.
Result prior_recovery(std::uint64_t seed, Budget budget) {
  const std::uint64_t draws = budget == Budget::fast ? 10000 : 100000;
  const PaperKernel kernel{0.15, 0.6};
  Verdicts verdicts;
  recover({"shallow", {2}, 2.0, 300}, kernel, draws, {seed, 0, 0}, verdicts);
  recover({"deep", {2, 2}, 3.0, 150}, kernel, draws, {seed, 0, 1}, verdicts);
  const Problem problem = regression({2, 2});
  const Prior prior = problem.prior(PriorKind::sparse);
  SparseCounts direct(problem);
  RandomStream stream({seed, chains, 0, 0, Purpose::test});
  for (std::uint64_t i = 0; i < draws; ++i) direct.add(prior.draw(stream), stream);
  direct.judge_into(verdicts, "direct");
  return verdicts.result();
}

// False-alarm rate 0.001 each: ten p-values with Bonferroni; the autocorrelation of |I| over a gap
// is at most 0.01.
Result unit_prior_recovery(std::uint64_t seed, Budget budget) {
  return recover_both(with_paper(UnitKernel{8}, {0.15, 0.6}), 200, seed, budget);
}
Result dead_prior_recovery(std::uint64_t seed, Budget budget) {
  return recover_both(with_paper(DeadWeightsKernel{}, {0.15, 0.6}), 400, seed, budget);
}
Result mixture_prior_recovery(std::uint64_t seed, Budget budget) {
  return recover_both(MixtureKernel{}, 1000, seed, budget);
}

// False-alarm rate 0.001: one Kolmogorov test per coordinate with Bonferroni; the autocorrelation
// of values over a gap is below 0.01.
Result dense_prior_recovery(std::uint64_t seed, Budget budget) {
  constexpr std::uint64_t gap = 100;
  const std::uint64_t draws = budget == Budget::fast ? 10000 : 100000;
  const Problem problem = regression({1});
  const Prior prior = problem.prior(PriorKind::dense);
  std::vector<std::vector<double>> values(prior.parameter_count());
  for (std::uint32_t c = 0; c < chains; ++c) {
    Chain<> chain(problem, prior, {0.15, 0.6}, 0.0, {seed, c, 0});
    chain.steps(burn_in);
    for (std::uint64_t i = 0; i < draws / chains; ++i) {
      chain.steps(gap);
      const SparseTheta& theta = chain.current().theta;
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k].push_back(0.5 * (theta.value[k] / problem.bound + 1.0));
      }
    }
  }
  Verdicts verdicts;
  for (std::size_t k = 0; k < values.size(); ++k) {
    verdicts.add(fmt::format("theta_{}", k), uniform_test(values[k]));
  }
  return verdicts.result();
}

}  // namespace lacuna::statistical
