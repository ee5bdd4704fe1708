// A small regression problem in both forms, for the code under test and for the naive network, and
// a chain of a kernel on it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mcmc/paper_kernel.hpp"
#include "statistical/naive_network.hpp"

namespace lacuna::statistical {

struct Problem {
  std::vector<std::size_t> widths;
  std::vector<std::vector<double>> x;  // rows
  std::vector<double> y;
  double clip = 1.0, base = 2.0, bound = 1.0;

  std::size_t inputs() const { return x.front().size(); }
  Architecture architecture() const { return {inputs(), widths}; }
  NaiveNetwork naive() const { return {inputs(), widths}; }
  NaiveData<double> naive_data() const { return {x, y}; }
  Prior prior(PriorKind kind) const {
    return {kind, architecture().parameter_count(), base, bound};
  }
  EmpiricalRisk risk() const { return risk_for(y); }
  EmpiricalRisk risk_for(const std::vector<double>& targets) const {
    std::vector<double> columns;
    for (std::size_t j = 0; j < inputs(); ++j) {
      for (const auto& row : x) columns.push_back(row[j]);
    }
    return {std::make_shared<const Samples>(x.size(), inputs(), columns, targets), architecture(),
            clip};
  }
};

// Which random streams a chain draws from.
struct ChainId {
  std::uint64_t seed = 1;
  std::uint32_t chain = 0;
  std::uint32_t rung = 0;
};

// Finds step() of any kernel by its type, where a member of the same name would hide it.
template <Kernel K>
StepOutcome take_step(const K& kernel, const GibbsPosterior<EmpiricalRisk>& target, Point& current,
                      typename K::Scratch& scratch, RandomStream& stream) {
  return step(kernel, target, current, scratch, stream);
}

// Starts at a draw from the prior.
template <Kernel K = PaperKernel>
class Chain {
 public:
  Chain(const Problem& problem, const Prior& prior, K kernel, double lambda, ChainId id)
      : prior_(prior), risk_(problem.risk()), kernel_(kernel), lambda_(lambda), id_(id) {
    RandomStream stream({id.seed, id.chain, id.rung, 0, Purpose::start});
    current_.theta = prior_.draw(stream);
    evaluate_point(target(), current_);
  }

  StepOutcome step() {
    RandomStream stream({id_.seed, id_.chain, id_.rung, iteration_++, Purpose::step});
    return take_step(kernel_, target(), current_, scratch_, stream);
  }
  void steps(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) step();
  }

  Point& current() { return current_; }
  double lambda() const { return lambda_; }
  EmpiricalRisk& risk() { return risk_; }
  GibbsPosterior<EmpiricalRisk> target() { return {prior_, risk_, lambda_}; }

 private:
  Prior prior_;
  EmpiricalRisk risk_;
  K kernel_;
  double lambda_;
  ChainId id_;
  std::uint64_t iteration_ = 0;
  Point current_;
  typename K::Scratch scratch_;
};

// The active set as bits, for P < 32.
inline std::size_t set_of(const SparseTheta& theta) {
  std::size_t set = 0;
  for (const std::uint64_t i : theta.index) set |= std::size_t{1} << i;
  return set;
}

}  // namespace lacuna::statistical
