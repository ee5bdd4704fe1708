#include "network/evaluator.hpp"

#include <algorithm>
#include <array>

#include "network/block_pass.hpp"

namespace lacuna {
namespace {

double sum_lanes(const double* sums) {
  double total = 0.0;
  for (std::size_t lane = 0; lane < lanes; ++lane) total += sums[lane];
  return total;
}

template <class Work>
void for_each_block(RowRange rows, Work&& work) {
  const std::size_t end = (rows.end + lanes - 1) / lanes * lanes;
  for (std::size_t begin = rows.begin; begin < end; begin += block_rows) {
    work(begin, std::min(block_rows, end - begin));
  }
}

}  // namespace

Evaluator::Evaluator(const Architecture& architecture, double clip)
    : network_(architecture),
      clip_(clip),
      first_unit_(architecture.layers()),
      residual_(block_rows) {}

void Evaluator::prepare(const SparseTheta& theta, Request request) {
  network_.build(theta.index);
  if (request.inactive) network_.build_candidates();
  std::size_t units = 0;
  for (std::size_t l = 1; l <= network_.layers(); ++l) {
    first_unit_[l - 1] = units;
    units += network_.layer(l).units.size();
  }
  const auto grow = [](std::vector<double>& buffer, std::size_t size) {
    if (buffer.size() < size) buffer.resize(std::max(size, 2 * buffer.size()));
  };
  grow(activation_, units * block_rows);
  grow(backward_, units * block_rows);
  if (!request.gradient) return;
  const std::size_t coordinates =
      theta.size() + (request.inactive ? network_.candidate_count() : 0);
  grow(gradient_seed_, units * block_rows);
  grow(gradient_sums_, coordinates * lanes);
  std::fill_n(gradient_sums_.begin(), coordinates * lanes, 0.0);
  if (!request.curvature) return;
  grow(curvature_seed_, units * block_rows);
  grow(curvature_sums_, coordinates * lanes);
  std::fill_n(curvature_sums_.begin(), coordinates * lanes, 0.0);
}

void Evaluator::evaluate(const SparseTheta& theta, const Samples& samples, RowRange rows,
                         Request request, Evaluation& out) {
  ++passes_;
  request.gradient = request.gradient || request.curvature || request.inactive;
  out.have = request;
  prepare(theta, request);
  const double count = static_cast<double>(rows.end - rows.begin);
  std::array<double, lanes> risk_sums{};
  const BlockPass pass{network_,
                       theta.value.data(),
                       samples,
                       first_unit_.data(),
                       request,
                       clip_,
                       2.0 / count,
                       activation_.data(),
                       backward_.data(),
                       gradient_seed_.data(),
                       curvature_seed_.data(),
                       residual_.data(),
                       risk_sums.data(),
                       gradient_sums_.data(),
                       curvature_sums_.data()};
  for_each_block(rows, [&](std::size_t begin, std::size_t length) {
    forward_block(pass, begin, length);
    risk_and_backward_block(pass, begin, length);
  });

  out.risk = sum_lanes(risk_sums.data()) / count;
  out.gradient.clear();
  out.curvature.clear();
  out.inactive.clear();
  if (!request.gradient) return;
  out.gradient.resize(theta.size());
  out.curvature.resize(request.curvature ? theta.size() : 0);
  for (std::size_t k = 0; k < theta.size(); ++k) {
    out.gradient[k] = sum_lanes(&gradient_sums_[k * lanes]);
    if (request.curvature) out.curvature[k] = sum_lanes(&curvature_sums_[k * lanes]);
  }
  if (!request.inactive) return;
  std::size_t coordinate = theta.size();
  for (std::size_t l = 1; l <= network_.layers(); ++l) {
    for (const Candidate& candidate : network_.layer(l).candidates) {
      const double h = request.curvature ? sum_lanes(&curvature_sums_[coordinate * lanes]) : 0.0;
      out.inactive.push_back({candidate.index, sum_lanes(&gradient_sums_[coordinate * lanes]), h});
      ++coordinate;
    }
  }
}

void Evaluator::output_moments(const SparseTheta& theta, const Samples& samples,
                               OutputMoments& out) {
  ++passes_;
  prepare(theta, {});
  const BlockPass pass{network_, theta.value.data(),
                       samples,  first_unit_.data(),
                       {},       clip_,
                       0.0,      activation_.data(),
                       nullptr,  nullptr,
                       nullptr,  residual_.data(),
                       nullptr,  nullptr,
                       nullptr};
  const LiveLayer& output = network_.layer(network_.layers());
  out.slots.clear();
  for (const LiveEdge& edge : output.edges) out.slots.push_back(edge.slot);
  if (output.units.front().shift_slot != no_slot)
    out.slots.push_back(output.units.front().shift_slot);
  const std::size_t m = out.slots.size();
  gradient_sums_.assign((m * (m + 1) / 2 + m) * lanes, 0.0);
  double* cross = gradient_sums_.data() + m * (m + 1) / 2 * lanes;
  for_each_block(samples.all(), [&](std::size_t begin, std::size_t length) {
    forward_block(pass, begin, length);
    output_moments_block(pass, begin, length, gradient_sums_.data(), cross);
  });
  out.gram.resize(m * m);
  out.cross.resize(m);
  const double* sums = gradient_sums_.data();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j, sums += lanes)
      out.gram[i * m + j] = out.gram[j * m + i] = sum_lanes(sums);
    out.cross[i] = sum_lanes(cross + i * lanes);
  }
}

void Evaluator::predict(const SparseTheta& theta, const Samples& samples, std::span<double> f) {
  prepare(theta, {});
  const BlockPass pass{network_, theta.value.data(),
                       samples,  first_unit_.data(),
                       {},       clip_,
                       0.0,      activation_.data(),
                       nullptr,  nullptr,
                       nullptr,  nullptr,
                       nullptr,  nullptr,
                       nullptr};
  const double* g = activation_.data() + first_unit_.back() * block_rows;
  for_each_block(samples.all(), [&](std::size_t begin, std::size_t length) {
    forward_block(pass, begin, length);
    for (std::size_t i = 0; i < length && begin + i < samples.rows(); ++i) {
      f[begin + i] = std::clamp(g[i], -clip_, clip_);
    }
  });
}

}  // namespace lacuna
