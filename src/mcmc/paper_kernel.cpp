#include "mcmc/paper_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "support/planted_bug.hpp"

namespace lacuna {
namespace {

double inactive_gradient(const Evaluation& evaluation, std::uint64_t index) {
  const auto found =
      std::lower_bound(evaluation.inactive.begin(), evaluation.inactive.end(), index,
                       [](const InactiveDerivative& d, std::uint64_t i) { return d.index < i; });
  return found != evaluation.inactive.end() && found->index == index ? found->gradient : 0.0;
}

// Value and gradient of `from` at each coordinate of `to`, in order: visit(position in `to`,
// theta_i, grad_i).
template <class Visit>
void along(const Point& from, const std::vector<std::uint64_t>& to, Visit&& visit) {
  std::size_t k = 0;
  for (std::size_t j = 0; j < to.size(); ++j) {
    while (k < from.theta.size() && from.theta.index[k] < to[j]) ++k;
    if (k < from.theta.size() && from.theta.index[k] == to[j]) {
      visit(j, from.theta.value[k], from.evaluation.gradient[k]);
    } else {
      visit(j, 0.0, inactive_gradient(from.evaluation, to[j]));
    }
  }
}

// The position in the longer index list of the one coordinate that the shorter one lacks.
std::size_t extra_position(const std::vector<std::uint64_t>& longer,
                           const std::vector<std::uint64_t>& shorter) {
  std::size_t k = 0;
  while (k < shorter.size() && longer[k] == shorter[k]) ++k;
  return k;
}

Move move_between(std::size_t from_size, std::size_t to_size) {
  if (to_size == from_size) return Move::keep;
  return to_size > from_size ? Move::add : Move::remove;
}

}  // namespace

double move_probability(Move move, std::uint64_t size, const Prior& prior) {
  if (prior.kind() == PriorKind::dense) return move == Move::keep ? 1.0 : 0.0;
  const bool at_edge = size == 1 || size == prior.parameter_count();
  if (move == Move::keep) return at_edge ? 2.0 / 3.0 : 0.5;
  if (move == Move::remove && size == 1) return 0.0;
  if (move == Move::add && size == prior.parameter_count()) return 0.0;
  return at_edge ? 1.0 / 3.0 : 0.25;
}

LogProposal log_proposal(const PaperKernel& kernel, const Prior& prior, const Point& from,
                         const SparseTheta& to, const AdditionWeights& addition) {
  const Move move = move_between(from.theta.size(), to.size());
  LogProposal log_q;
  log_q.branch = std::log(has_bug(PlantedBug::edge_probability) && move != Move::keep
                              ? 0.25
                              : move_probability(move, from.theta.size(), prior));
  if (move == Move::add) {
    log_q.selection = addition.log_weight(to.index[extra_position(to.index, from.theta.index)]);
  } else if (move == Move::remove) {
    log_q.selection = log_removal_weight(from.theta, extra_position(from.theta.index, to.index));
  }

  double squares = 0.0;
  along(from, to.index, [&](std::size_t j, double theta, double gradient) {
    const double gap = to.value[j] - (theta - kernel.learning_rate * gradient);
    squares += gap * gap;
  });
  const double s = kernel.proposal_sd;
  const std::size_t dimension =
      has_bug(PlantedBug::wrong_dimension) ? from.theta.size() : to.size();
  log_q.normal =
      -0.5 * squares / (s * s) -
      static_cast<double>(dimension) * (std::log(s) + 0.5 * std::log(2.0 * std::numbers::pi));
  return log_q;
}

Move propose(const PaperKernel& kernel, const Prior& prior, const Point& current,
             PaperScratch& scratch, RandomStream& stream) {
  const std::uint64_t size = current.theta.size();
  const double u = stream.uniform();
  const double remove = move_probability(Move::remove, size, prior);
  const double add = move_probability(Move::add, size, prior);
  const Move move = u < remove ? Move::remove : (u < remove + add ? Move::add : Move::keep);

  SparseTheta& to = scratch.proposal.theta;
  to.index = current.theta.index;
  if (move == Move::remove) {
    to.index.erase(to.index.begin() +
                   static_cast<std::ptrdiff_t>(draw_removal(current.theta, stream)));
  } else if (move == Move::add) {
    scratch.at_current.build(current.theta, current.evaluation, prior.parameter_count());
    const std::uint64_t added = scratch.at_current.draw(stream);
    to.index.insert(to.index.begin() + static_cast<std::ptrdiff_t>(current.theta.position(added)),
                    added);
  }
  to.value.resize(to.index.size());
  along(current, to.index, [&](std::size_t j, double theta, double gradient) {
    to.value[j] = theta - kernel.learning_rate * gradient + kernel.proposal_sd * stream.normal();
  });
  return move;
}

double log_acceptance_ratio(const PaperKernel& kernel, const Prior& prior, double lambda,
                            const Point& current, PaperScratch& scratch, Move move) {
  const Point& proposal = scratch.proposal;
  if (std::isnan(proposal.evaluation.risk)) return std::numeric_limits<double>::quiet_NaN();
  if (move == Move::remove) {
    scratch.at_proposal.build(proposal.theta, proposal.evaluation, prior.parameter_count());
  }
  const LogProposal forward =
      log_proposal(kernel, prior, current, proposal.theta, scratch.at_current);
  LogProposal backward = log_proposal(kernel, prior, proposal, current.theta, scratch.at_proposal);

  if (has_bug(PlantedBug::forward_weight_backward)) backward.selection = forward.selection;
  if (has_bug(PlantedBug::gradient_at_wrong_end) && move == Move::keep) {
    const Point mixed{proposal.theta, proposal.log_prior, current.evaluation};
    backward = log_proposal(kernel, prior, mixed, current.theta, scratch.at_proposal);
  }

  // alpha = min{1, exp(-lambda R_n(tau) + lambda R_n(theta)) pi(tau) q(theta | tau) / (pi(theta)
  // q(tau | theta))}
  return proposal.log_posterior(lambda) - current.log_posterior(lambda) + backward.total() -
         forward.total();
}

void settle(Verdict verdict, Point& current, PaperScratch& scratch, Move move) {
  if (verdict == Verdict::accepted) {
    std::swap(current, scratch.proposal);
  } else if (has_bug(PlantedBug::stale_cache_after_rejection) && move == Move::keep &&
             scratch.proposal.evaluation.gradient.size() == current.theta.size()) {
    current.evaluation.gradient = scratch.proposal.evaluation.gradient;
  }
}

}  // namespace lacuna
