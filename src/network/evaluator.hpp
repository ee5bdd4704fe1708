// Forward and backward passes over the live network: risk, gradient and Gauss-Newton diagonal in
// one sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "network/live_network.hpp"
#include "network/prefetch.hpp"
#include "network/samples.hpp"
#include "network/sparse_theta.hpp"
#include "support/aligned.hpp"

namespace lacuna {

// What a pass is asked for beyond the risk.
struct Request {
  bool gradient = false;
  bool curvature = false;  // Gauss-Newton diagonal; implies gradient
  bool inactive = false;   // also on the inactive coordinates where it can differ from zero
  UnitPlace into = {};     // with inactive: only on weights and shift of this unit; default: all
  std::size_t layer = 0;   // only on the weights of this layer; 0: all; not together with inactive

  bool covers(Request other) const {
    return gradient >= other.gradient && curvature >= other.curvature &&
           (layer == 0 || layer == other.layer) &&
           (!other.inactive || (inactive && (into == UnitPlace{} || into == other.into)));
  }
};

struct InactiveDerivative {
  std::uint64_t index;
  double gradient;
  double curvature;
};

// The outcome of a pass at one point theta.
struct Evaluation {
  double risk = 0.0;              // R_n = (1/n) sum (f(x_i) - y_i)^2
  std::vector<double> gradient;   // d R_n / d theta_i, beside theta.index
  std::vector<double> curvature;  // (2/n) sum_k (d f(x_k) / d theta_i)^2, beside theta.index
  std::vector<InactiveDerivative> inactive;  // increasing index; all others have derivative zero
  Request have;                              // which of these were asked for
};

// Second moments of the output layer's inputs: one entry per active weight of that layer that
// carries a signal.
struct OutputMoments {
  std::vector<std::uint32_t> slots;  // positions of those weights among the active coordinates
  std::vector<double> gram;          // A'A, row by row
  std::vector<double> cross;         // A'y
};

template <class Real>
struct BlockPass;
class Team;

// Owns the scratch memory of the passes; one per thread of work. Nothing is allocated once the
// buffers have grown.
class Evaluator {
 public:
  Evaluator(const Architecture& architecture, double clip);

  // Derivatives are those of the clipped risk: a row with |g| > C contributes none. With a layer in
  // the request the signals that arrive there are kept, if they are few enough to stay in the
  // cache, and evaluations that change nothing below it begin with them; the same numbers either
  // way.
  void evaluate(const SparseTheta& theta, const Samples& samples, RowRange rows, Request request,
                Evaluation& out);

  // R_n in double precision, whatever that of the samples.
  double exact_risk(const SparseTheta& theta, const Samples& samples);

  void output_moments(const SparseTheta& theta, const Samples& samples, OutputMoments& out);

  // f_theta at each row, clipped.
  void predict(const SparseTheta& theta, const Samples& samples, std::span<double> f);

  // The live network of the point evaluated last.
  const LiveNetwork& network() const { return network_; }
  const LiveNetwork& network_of(const SparseTheta& theta) {
    network_.build(theta.index);
    return network_;
  }
  // Large numbers of rows are shared among the members; results do not depend on it. Null: none.
  // The team must be there as long as it is used.
  void work_with(Team* team) { team_ = team; }

  std::uint64_t passes() const { return passes_; }  // over the rows, predictions not counted
  // Multiply-adds of all evaluations so far: what they cost, whatever the machine.
  std::uint64_t work() const { return work_; }

 private:
  // What one member of a team needs for itself: rows of units, and sums over a group of rows.
  template <class Real>
  struct Desk {
    AlignedVector<Real> activation, backward, pull, gradient_seed, curvature_seed;
    AlignedVector<Real> gates, products;
    AlignedVector<Real> gradient_lanes, curvature_lanes;  // a vector per lane
    std::vector<double> gradient, curvature;              // per lane
    double risk = 0.0;
  };
  // What the units below a layer say at each row, at a point whose weights below it are these.
  template <class Real>
  struct Arriving {
    std::size_t layer = 0;  // 0: nothing is kept
    const Samples* samples = nullptr;
    std::vector<std::uint64_t> index;
    std::vector<double> below;
    AlignedVector<Real> rows;  // of one unit after the other, padded
  };
  // Buffers of the passes in one precision.
  template <class Real>
  struct Workspace {
    std::vector<Real> theta, packed;
    std::vector<Desk<Real>> desks;
    Arriving<Real> arriving;
  };
  template <class Real>
  Workspace<Real>& workspace();
  template <class Real>
  void prepare(const SparseTheta& theta, RowRange rows, Request request);
  std::size_t members(RowRange rows) const;
  template <class Real>
  bool have_arriving(const SparseTheta& theta, const Samples& samples, std::size_t layer);
  template <class Real>
  bool keep_arriving(const SparseTheta& theta, const Samples& samples, std::size_t layer);
  std::size_t lanes_of(Request request) const;
  std::uint64_t work_of(Request request) const;
  template <class Real>
  BlockPass<Real> block_pass(const Samples& samples, Request request, Desk<Real>& desk);
  template <class Real, class Work, class Merge>
  void for_each_group(RowRange rows, const Work& work, const Merge& merge);
  template <class Real>
  void evaluate_as(const SparseTheta& theta, const Samples& samples, RowRange rows, Request request,
                   Evaluation& out);
  template <class Real>
  void output_moments_as(const SparseTheta& theta, const Samples& samples, OutputMoments& out);
  template <class Real>
  void predict_as(const SparseTheta& theta, const Samples& samples, std::span<double> f);

  LiveNetwork network_;
  double clip_;
  std::uint64_t passes_ = 0, work_ = 0;
  std::vector<std::size_t> first_unit_;  // where each layer's units begin in the buffers
  Workspace<float> single_;
  Workspace<double> full_;
  std::vector<double> gradient_sums_, curvature_sums_;  // per lane, over all rows
  Prefetch prefetch_;
  Team* team_ = nullptr;
};

}  // namespace lacuna
