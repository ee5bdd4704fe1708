#include "network/evaluator.hpp"

#include <algorithm>
#include <type_traits>

#include "network/block_pass.hpp"

namespace lacuna {
namespace {

// What a pass costs besides its multiply-adds, in multiply-adds: a few microseconds.
constexpr std::uint64_t work_of_a_pass = 50'000;

template <class Real, class Work>
void for_each_block(RowRange rows, Work&& work) {
  const std::size_t end = (rows.end + row_unit - 1) / row_unit * row_unit;
  for (std::size_t begin = rows.begin; begin < end; begin += block_rows<Real>) {
    work(begin, std::min(block_rows<Real>, end - begin));
  }
}

template <class Value>
void grow(std::vector<Value>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(std::max(size, 2 * buffer.size()));
}

}  // namespace

Evaluator::Evaluator(const Architecture& architecture, double clip)
    : network_(architecture), clip_(clip), first_unit_(architecture.layers()) {}

template <class Real>
Evaluator::Workspace<Real>& Evaluator::workspace() {
  if constexpr (std::is_same_v<Real, float>) {
    return single_;
  } else {
    return full_;
  }
}

template <class Real>
void Evaluator::prepare(const SparseTheta& theta, Request request) {
  network_.build(theta.index);
  if (request.inactive) network_.build_candidates(request.into);
  std::size_t units = 0;
  for (std::size_t l = 1; l <= network_.layers(); ++l) {
    first_unit_[l - 1] = units;
    units += network_.layer(l).units.size();
  }
  Workspace<Real>& w = workspace<Real>();
  grow(w.theta, theta.size());
  for (std::size_t k = 0; k < theta.size(); ++k) w.theta[k] = static_cast<Real>(theta.value[k]);
  grow(w.packed, network_.tile_weights());
  for (std::size_t l = 1; l <= network_.layers(); ++l) {
    for (const Tiles* tiles : {&network_.layer(l).tiles_in, &network_.layer(l).tiles_out}) {
      const std::uint32_t* slot = tiles->slots(0);
      for (std::size_t k = 0; k < tiles->weight_count(); ++k)
        w.packed[tiles->first_weight() + k] = slot[k] == no_slot ? Real(0) : w.theta[slot[k]];
    }
  }
  grow(w.residual, block_rows<Real>);
  grow(w.activation, units * block_rows<Real>);
  grow(w.backward, units * block_rows<Real>);
  if (!request.gradient) return;
  const std::size_t coordinates =
      theta.size() + (request.inactive ? network_.candidate_count() : 0);
  const auto clear = [&](std::vector<Real>& seeds, std::vector<double>& sums) {
    grow(seeds, units * block_rows<Real>);
    grow(sums, coordinates);
    std::fill_n(sums.begin(), coordinates, 0.0);
  };
  clear(w.gradient_seed, gradient_sums_);
  if (request.curvature) clear(w.curvature_seed, curvature_sums_);
}

template <class Real>
BlockPass<Real> Evaluator::block_pass(const Samples& samples, Request request) {
  Workspace<Real>& w = workspace<Real>();
  return {network_,
          w.theta.data(),
          w.packed.data(),
          samples,
          first_unit_.data(),
          request,
          static_cast<Real>(clip_),
          Real(0),
          w.activation.data(),
          w.backward.data(),
          w.gradient_seed.data(),
          w.curvature_seed.data(),
          w.residual.data(),
          nullptr,
          gradient_sums_.data(),
          curvature_sums_.data()};
}

template <class Real>
void Evaluator::evaluate_as(const SparseTheta& theta, const Samples& samples, RowRange rows,
                            Request request, Evaluation& out) {
  ++passes_;
  request.gradient = request.gradient || request.curvature || request.inactive;
  out.have = request;
  prepare<Real>(theta, request);
  const double count = samples.total_weight(rows);
  const std::size_t derivatives =
      network_.live_count() + (request.inactive ? network_.candidate_count() : 0);
  work_ +=
      work_of_a_pass + (rows.end - rows.begin) *
                           (network_.live_count() * (request.gradient ? 2 : 1) +
                            (request.gradient ? derivatives : 0) * (request.curvature ? 2 : 1));
  double risk = 0.0;
  BlockPass<Real> pass = block_pass<Real>(samples, request);
  pass.scale = static_cast<Real>(2.0 / count);
  pass.risk = &risk;
  for_each_block<Real>(rows, [&](std::size_t begin, std::size_t length) {
    forward_block(pass, begin, length);
    backward_block(pass, begin, length);
  });

  out.risk = risk / count;
  out.gradient.clear();
  out.curvature.clear();
  out.inactive.clear();
  if (!request.gradient) return;
  out.gradient.assign(gradient_sums_.begin(),
                      gradient_sums_.begin() + static_cast<std::ptrdiff_t>(theta.size()));
  if (request.curvature) {
    out.curvature.assign(curvature_sums_.begin(),
                         curvature_sums_.begin() + static_cast<std::ptrdiff_t>(theta.size()));
  }
  if (!request.inactive) return;
  std::size_t coordinate = theta.size();
  for (std::size_t l = 1; l <= network_.layers(); ++l) {
    for (const Candidate& candidate : network_.layer(l).candidates) {
      out.inactive.push_back({candidate.index, gradient_sums_[coordinate],
                              request.curvature ? curvature_sums_[coordinate] : 0.0});
      ++coordinate;
    }
  }
}

template <class Real>
void Evaluator::output_moments_as(const SparseTheta& theta, const Samples& samples,
                                  OutputMoments& out) {
  ++passes_;
  prepare<Real>(theta, {});
  const BlockPass<Real> pass = block_pass<Real>(samples, {});
  const LiveLayer& output = network_.layer(network_.layers());
  work_ += work_of_a_pass + samples.rows() * (network_.live_count() +
                                              output.edges.size() * (output.edges.size() + 1) / 2);
  out.slots.clear();
  for (const Link& edge : output.edges) out.slots.push_back(edge.slot);
  if (output.units.front().shift_slot != no_slot)
    out.slots.push_back(output.units.front().shift_slot);
  const std::size_t m = out.slots.size();
  const std::size_t pairs = m * (m + 1) / 2;
  gradient_sums_.assign(std::max(gradient_sums_.size(), pairs), 0.0);
  out.cross.assign(m, 0.0);
  for_each_block<Real>(samples.all(), [&](std::size_t begin, std::size_t length) {
    forward_block(pass, begin, length);
    output_moments_block(pass, begin, length, gradient_sums_.data(), out.cross.data());
  });
  out.gram.resize(m * m);
  const double* sum = gradient_sums_.data();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j, ++sum) out.gram[i * m + j] = out.gram[j * m + i] = *sum;
  }
}

template <class Real>
void Evaluator::predict_as(const SparseTheta& theta, const Samples& samples, std::span<double> f) {
  prepare<Real>(theta, {});
  Workspace<Real>& w = workspace<Real>();
  const BlockPass<Real> pass = block_pass<Real>(samples, {});
  const Real* g = w.activation.data() + first_unit_.back() * block_rows<Real>;
  for_each_block<Real>(samples.all(), [&](std::size_t begin, std::size_t length) {
    forward_block(pass, begin, length);
    for (std::size_t i = 0; i < length && begin + i < samples.rows(); ++i) {
      f[begin + i] = std::clamp(static_cast<double>(g[i]), -clip_, clip_);
    }
  });
}

void Evaluator::evaluate(const SparseTheta& theta, const Samples& samples, RowRange rows,
                         Request request, Evaluation& out) {
  samples.precision() == Precision::single
      ? evaluate_as<float>(theta, samples, rows, request, out)
      : evaluate_as<double>(theta, samples, rows, request, out);
}

double Evaluator::exact_risk(const SparseTheta& theta, const Samples& samples) {
  Evaluation out;
  evaluate_as<double>(theta, samples, samples.all(), {}, out);
  return out.risk;
}

void Evaluator::output_moments(const SparseTheta& theta, const Samples& samples,
                               OutputMoments& out) {
  samples.precision() == Precision::single ? output_moments_as<float>(theta, samples, out)
                                           : output_moments_as<double>(theta, samples, out);
}

void Evaluator::predict(const SparseTheta& theta, const Samples& samples, std::span<double> f) {
  samples.precision() == Precision::single ? predict_as<float>(theta, samples, f)
                                           : predict_as<double>(theta, samples, f);
}

}  // namespace lacuna
