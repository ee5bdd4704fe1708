#include "network/evaluator.hpp"

#include <algorithm>
#include <type_traits>

#include "network/block_pass.hpp"
#include "network/tile_weights.hpp"
#include "support/team.hpp"

namespace lacuna {
namespace {

// What a pass costs besides its multiply-adds, in multiply-adds: a few microseconds.
constexpr std::uint64_t work_of_a_pass = 50'000;

// Sums over so many rows are made on their own and then added to those of the rows before: whoever
// makes them, the order of additions is the same. A multiple of every block.
constexpr std::size_t group_rows = 2048;

// Products of sources that the last hidden layer has at hand, those of squares included.
constexpr std::size_t most_products = 6;

// Signals that arrive at a layer are kept up to this size: half of a small second-level cache.
constexpr std::size_t most_bytes_arriving = 512 * 1024;

std::size_t groups_of(RowRange rows) {
  return std::max<std::size_t>(1, (rows.end - rows.begin + group_rows - 1) / group_rows);
}

// The sums of a group join those of the groups before, or are the first.
void join(std::vector<double>& sums, std::vector<double>& group, std::size_t count, bool first) {
  if (first) return sums.swap(group);
  for (std::size_t k = 0; k < count; ++k) sums[k] += group[k];
}

template <class Real, class Work>
void for_each_block(RowRange rows, Work&& work) {
  const std::size_t end = (rows.end + row_unit - 1) / row_unit * row_unit;
  for (std::size_t begin = rows.begin; begin < end; begin += block_rows<Real>) {
    work(begin, std::min(block_rows<Real>, end - begin));
  }
}

template <class Buffer>
void grow(Buffer& buffer, std::size_t size) {
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

std::size_t Evaluator::members(RowRange rows) const {
  return team_ == nullptr ? 1 : std::min(team_->size(), groups_of(rows));
}

// work(desk, rows of a group) for every group, on all members of the team, and merge(desk, whether
// it is the first) in the order of the groups.
template <class Real, class Work, class Merge>
void Evaluator::for_each_group(RowRange rows, const Work& work, const Merge& merge) {
  std::vector<Desk<Real>>& desks = workspace<Real>().desks;
  const std::size_t groups = groups_of(rows), together = members(rows);
  for (std::size_t first = 0; first < groups; first += together) {
    const std::size_t last = std::min(first + together, groups);
    const auto one = [&](std::size_t member) {
      if (first + member >= last) return;
      const std::size_t begin = rows.begin + (first + member) * group_rows;
      work(desks[member], RowRange{begin, std::min(begin + group_rows, rows.end)});
    };
    if (together > 1) {
      team_->run(one);
    } else {
      one(0);
    }
    for (std::size_t k = first; k < last; ++k) merge(desks[k - first], k == 0);
  }
}

template <class Real>
void Evaluator::prepare(const SparseTheta& theta, RowRange rows, Request request) {
  network_.build(theta.index);
  if (request.inactive) network_.build_candidates(request.into);
  std::size_t units = 0, widest = 0;
  for (std::size_t l = 1; l <= network_.layers(); ++l) {
    first_unit_[l - 1] = units;
    units += network_.layer(l).units.size();
    widest = std::max(widest, network_.layer(l).units.size());
  }
  Workspace<Real>& w = workspace<Real>();
  grow(w.theta, theta.size());
  for (std::size_t k = 0; k < theta.size(); ++k) w.theta[k] = static_cast<Real>(theta.value[k]);
  grow(w.packed, network_.tile_weights());
  pack_tile_weights(network_, w.theta, request, w.packed);
  const std::size_t lanes = lanes_of(request);
  const std::size_t last_hidden = network_.layer(network_.layers() - 1).units.size();
  // Sums trade places with those of a group.
  if (request.gradient) grow(gradient_sums_, lanes);
  if (request.curvature) grow(curvature_sums_, lanes);
  if (w.desks.size() < members(rows)) w.desks.resize(members(rows));
  for (std::size_t member = 0; member < members(rows); ++member) {
    Desk<Real>& desk = w.desks[member];
    grow(desk.pull, 2 * row_stride<Real>);
    grow(desk.activation, units * row_stride<Real>);
    grow(desk.backward, units * row_stride<Real>);
    if (!request.gradient) continue;
    grow(desk.gates, last_hidden * row_stride<Real>);
    grow(desk.products, most_products * row_stride<Real>);
    grow(desk.gradient_seed, widest * row_stride<Real>);
    grow(desk.gradient_lanes, lanes * most_lanes<Real>);
    grow(desk.gradient, lanes);
    if (!request.curvature) continue;
    grow(desk.curvature_seed, widest * row_stride<Real>);
    grow(desk.curvature_lanes, lanes * most_lanes<Real>);
    grow(desk.curvature, lanes);
  }
}

// Whether the signals that arrive at `layer` are those of this point.
template <class Real>
bool Evaluator::have_arriving(const SparseTheta& theta, const Samples& samples, std::size_t layer) {
  const Arriving<Real>& kept = workspace<Real>().arriving;
  return kept.layer == layer && kept.samples == &samples && kept.index == theta.index &&
         std::ranges::equal(kept.below, std::span(theta.value).first(kept.below.size()));
}

// Makes room for them; says whether they are few enough.
template <class Real>
bool Evaluator::keep_arriving(const SparseTheta& theta, const Samples& samples, std::size_t layer) {
  const std::size_t count = network_.layer(layer - 1).units.size() * samples.padded_rows();
  if (count * sizeof(Real) > most_bytes_arriving) return false;
  Arriving<Real>& kept = workspace<Real>().arriving;
  kept.layer = layer;
  kept.samples = &samples;
  kept.index = theta.index;
  const auto below =
      static_cast<std::ptrdiff_t>(theta.position(network_.architecture().first_index(layer)));
  kept.below.assign(theta.value.begin(), theta.value.begin() + below);
  grow(kept.rows, count);
  return true;
}

// Sums that a pass collects: of active coordinates and of inactive ones.
std::size_t Evaluator::lanes_of(Request request) const {
  return network_.lane_count() + (request.inactive ? network_.candidate_count() : 0);
}

// Multiply-adds of a pass for each row.
std::uint64_t Evaluator::work_of(Request request) const {
  if (request.layer == 0) {
    const std::size_t derivatives =
        network_.live_count() + (request.inactive ? network_.candidate_count() : 0);
    return network_.live_count() * (request.gradient ? 2 : 1) +
           (request.gradient ? derivatives : 0) * (request.curvature ? 2 : 1);
  }
  std::uint64_t work = 0;
  for (std::size_t l = request.layer; l <= network_.layers(); ++l) {
    const std::uint64_t times = l > request.layer ? 2 : (request.curvature ? 3 : 2);
    for (const LiveUnit& unit : network_.layer(l).units) {
      if (unit.live)
        work += times * (unit.last_edge - unit.first_edge + (unit.shift_slot != no_slot));
    }
  }
  return work;
}

template <class Real>
BlockPass<Real> Evaluator::block_pass(const Samples& samples, Request request, Desk<Real>& desk) {
  Workspace<Real>& w = workspace<Real>();
  return {network_,
          w.theta.data(),
          w.packed.data(),
          samples,
          first_unit_.data(),
          request,
          1,
          samples.column_as<Real>(0),
          static_cast<Real>(clip_),
          Real(0),
          desk.activation.data(),
          desk.backward.data(),
          desk.pull.data(),
          desk.pull.data() + row_stride<Real>,
          desk.gradient_seed.data(),
          desk.curvature_seed.data(),
          desk.gates.data(),
          desk.products.data(),
          &desk.risk,
          desk.gradient_lanes.data(),
          desk.curvature_lanes.data()};
}

template <class Real>
void Evaluator::evaluate_as(const SparseTheta& theta, const Samples& samples, RowRange rows,
                            Request request, Evaluation& out) {
  ++passes_;
  request.gradient = request.gradient || request.curvature || request.inactive;
  if (request.inactive) request.layer = 0;
  out.have = request;
  prepare<Real>(theta, rows, request);
  const double count = samples.total_weight(rows);
  work_ += work_of_a_pass + (rows.end - rows.begin) * work_of(request);
  const std::size_t layer = request.layer;
  const bool may_keep = layer > 1 && rows.end - rows.begin == samples.rows();
  const bool have = may_keep && have_arriving<Real>(theta, samples, layer);
  const bool keep = may_keep && !have && keep_arriving<Real>(theta, samples, layer);
  const std::size_t lanes = lanes_of(request);
  have ? prefetch_.nothing() : prefetch_.choose<Real>(samples, network_, request.inactive);
  double risk = 0.0;
  for_each_group<Real>(
      rows,
      [&](Desk<Real>& desk, RowRange group) {
        desk.risk = 0.0;
        const std::size_t numbers = lanes * most_lanes<Real>;
        if (request.gradient) std::fill_n(desk.gradient_lanes.begin(), numbers, Real(0));
        if (request.curvature) std::fill_n(desk.curvature_lanes.begin(), numbers, Real(0));
        BlockPass<Real> pass = block_pass<Real>(samples, request, desk);
        pass.scale = static_cast<Real>(2.0 / count);
        Real* arriving = workspace<Real>().arriving.rows.data();
        if (have) {
          pass.first_layer = layer;
          pass.arriving = arriving;
        }
        for_each_block<Real>(group, [&](std::size_t begin, std::size_t length) {
          prefetch_.ask<Real>(samples, begin + length, block_rows<Real>);
          forward_block(pass, begin, length);
          if (keep) {
            const Real* from = desk.activation.data() + first_unit_[layer - 2] * row_stride<Real>;
            for (std::size_t u = 0; u < network_.layer(layer - 1).units.size(); ++u) {
              std::copy_n(from + u * row_stride<Real>, length,
                          arriving + u * samples.padded_rows() + begin);
            }
          }
          backward_block(pass, begin, length);
        });
        if (request.gradient) fold_lanes(pass.gradient_lanes, lanes, desk.gradient.data());
        if (request.curvature) fold_lanes(pass.curvature_lanes, lanes, desk.curvature.data());
      },
      [&](Desk<Real>& desk, bool first) {
        risk += desk.risk;
        if (request.gradient) join(gradient_sums_, desk.gradient, lanes, first);
        if (request.curvature) join(curvature_sums_, desk.curvature, lanes, first);
      });

  scale_gated_sums(network_, workspace<Real>().theta, request, gradient_sums_, curvature_sums_);
  out.risk = risk / count;
  out.gradient.clear();
  out.curvature.clear();
  out.inactive.clear();
  if (!request.gradient) return;
  const auto by_slot = [&](const std::vector<double>& sums, std::vector<double>& of_theta) {
    of_theta.resize(theta.size());
    for (std::size_t k = 0; k < theta.size(); ++k) of_theta[k] = sums[network_.lane(k)];
  };
  by_slot(gradient_sums_, out.gradient);
  if (request.curvature) by_slot(curvature_sums_, out.curvature);
  if (!request.inactive) return;
  std::size_t lane = network_.lane_count();
  for (std::size_t l = 1; l <= network_.layers(); ++l) {
    for (const Candidate& candidate : network_.layer(l).candidates) {
      out.inactive.push_back(
          {candidate.index, gradient_sums_[lane], request.curvature ? curvature_sums_[lane] : 0.0});
      ++lane;
    }
  }
}

template <class Real>
void Evaluator::output_moments_as(const SparseTheta& theta, const Samples& samples,
                                  OutputMoments& out) {
  ++passes_;
  const RowRange rows = samples.all();
  prepare<Real>(theta, rows, {});
  const LiveLayer& output = network_.layer(network_.layers());
  work_ += work_of_a_pass + samples.rows() * (network_.live_count() +
                                              output.edges.size() * (output.edges.size() + 1) / 2);
  out.slots.clear();
  for (const Link& edge : output.edges) out.slots.push_back(edge.slot);
  if (output.units.front().shift_slot != no_slot)
    out.slots.push_back(output.units.front().shift_slot);
  const std::size_t m = out.slots.size();
  const std::size_t pairs = m * (m + 1) / 2;
  grow(gradient_sums_, pairs);
  grow(curvature_sums_, m);
  for (std::size_t member = 0; member < members(rows); ++member) {
    Desk<Real>& desk = workspace<Real>().desks[member];
    grow(desk.gradient, pairs);
    grow(desk.curvature, m);
  }
  for_each_group<Real>(
      rows,
      [&](Desk<Real>& desk, RowRange group) {
        std::fill_n(desk.gradient.begin(), pairs, 0.0);
        std::fill_n(desk.curvature.begin(), m, 0.0);
        const BlockPass<Real> pass = block_pass<Real>(samples, {}, desk);
        for_each_block<Real>(group, [&](std::size_t begin, std::size_t length) {
          forward_block(pass, begin, length);
          output_moments_block(pass, begin, length, desk.gradient.data(), desk.curvature.data());
        });
      },
      [&](Desk<Real>& desk, bool first) {
        join(gradient_sums_, desk.gradient, pairs, first);
        join(curvature_sums_, desk.curvature, m, first);
      });
  out.cross.assign(curvature_sums_.begin(),
                   curvature_sums_.begin() + static_cast<std::ptrdiff_t>(m));
  out.gram.resize(m * m);
  const double* sum = gradient_sums_.data();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j, ++sum) out.gram[i * m + j] = out.gram[j * m + i] = *sum;
  }
}

template <class Real>
void Evaluator::predict_as(const SparseTheta& theta, const Samples& samples, std::span<double> f) {
  prepare<Real>(theta, samples.all(), {});
  for_each_group<Real>(
      samples.all(),
      [&](Desk<Real>& desk, RowRange group) {
        const BlockPass<Real> pass = block_pass<Real>(samples, {}, desk);
        const Real* g = desk.activation.data() + first_unit_.back() * row_stride<Real>;
        for_each_block<Real>(group, [&](std::size_t begin, std::size_t length) {
          forward_block(pass, begin, length);
          const std::size_t count = std::min(length, samples.rows() - begin);
          const double clip = clip_;
          double* out = &f[begin];
          for (std::size_t i = 0; i < count; ++i) {
            const auto value = static_cast<double>(g[i]);
            out[i] = value < -clip ? -clip : (value > clip ? clip : value);
          }
        });
      },
      [](Desk<Real>&, bool) {});
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
