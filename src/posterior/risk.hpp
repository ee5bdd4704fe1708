// What a posterior needs of a risk, as a concept, and the version that runs on the CPU.
#pragma once

#include <concepts>
#include <memory>

#include "network/evaluator.hpp"
#include "network/unit_pass.hpp"

namespace lacuna {

// A risk gives R_n and, when asked, its derivatives at a point. `evaluate` is const as seen from
// outside: the same point gives the same bits whatever was evaluated before.
template <class R>
concept Risk = requires(R risk, const SparseTheta& theta, Request request, Evaluation& out) {
  { risk.evaluate(theta, request, out) } -> std::same_as<void>;
  { risk.architecture() } -> std::convertible_to<const Architecture&>;
  { risk.total_weight() } -> std::convertible_to<double>;
};

// A risk that also shows the network behind it, for moves of a whole layer or unit.
template <class R>
concept LayeredRisk = Risk<R> &&
    requires(R risk, const SparseTheta& theta, OutputMoments& moments, UnitSignals& signals) {
  { risk.output_moments(theta, moments) } -> std::same_as<void>;
  { risk.unit_signals(theta, signals) } -> std::same_as<void>;
  { risk.live_network(theta) } -> std::convertible_to<const LiveNetwork&>;
};

// Empirical risk of clipped networks on rows in memory. Copies share the rows but not the scratch
// memory, so each chain works on a copy of its own.
class EmpiricalRisk {
 public:
  EmpiricalRisk(std::shared_ptr<const Samples> samples, const Architecture& architecture,
                double clip)
      : samples_(std::move(samples)),
        few_(evenly_spaced(samples_, rows_for_units)),
        evaluator_(architecture, clip),
        clip_(clip) {}

  void evaluate(const SparseTheta& theta, Request request, Evaluation& out) {
    evaluator_.evaluate(theta, *samples_, samples_->all(), request, out);
  }
  void output_moments(const SparseTheta& theta, OutputMoments& out) {
    evaluator_.output_moments(theta, *samples_, out);
  }
  // Of at most `rows_for_units` evenly spaced rows: they only shape proposals.
  void unit_signals(const SparseTheta& theta, UnitSignals& out) {
    out.build(evaluator_.network_of(theta), theta, *few_, clip_);
  }
  double exact(const SparseTheta& theta) { return evaluator_.exact_risk(theta, *samples_); }
  const LiveNetwork& live_network(const SparseTheta& theta) { return evaluator_.network_of(theta); }
  const Architecture& architecture() const { return evaluator_.network().architecture(); }
  double total_weight() const { return samples_->total_weight(); }
  const Samples& samples() const { return *samples_; }
  Evaluator& evaluator() { return evaluator_; }
  std::uint64_t evaluations() const { return evaluator_.passes(); }
  std::uint64_t work() const { return evaluator_.work(); }

 private:
  static constexpr std::size_t rows_for_units = 512;

  std::shared_ptr<const Samples> samples_, few_;
  Evaluator evaluator_;
  double clip_;
};

static_assert(LayeredRisk<EmpiricalRisk>);
static_assert(!Risk<Evaluator>, "an evaluator without data is not a risk");

}  // namespace lacuna
