#include "run/chain.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace lacuna {
namespace {

// Tuning starts from a step that is small against the box and shrinks with the dimension, as the
// optimum does.
double first_proposal_sd(std::size_t size) {
  return 0.1 / std::sqrt(static_cast<double>(size + 1));
}

nlohmann::json theta_json(const SparseTheta& theta) {
  return {{"index", theta.index}, {"value", theta.value}};
}

}  // namespace

Chain::Chain(std::uint32_t number, const Target& target, const KernelChoice& choice,
             SparseTheta start)
    : number_(number),
      target_(target),
      choice_(choice),
      risk_(target.samples, target.architecture, target.clip),
      tuner_(choice.proposal_sd.value_or(first_proposal_sd(start.size())), target.prior.bound()),
      kernel_(choice.kernel(target.lambda, tuner_.proposal_sd())) {
  state_.theta = std::move(start);
  evaluate_point(GibbsPosterior<EmpiricalRisk>{target_.prior, risk_, target_.lambda}, state_);
}

StepOutcome Chain::advance() {
  RandomStream stream({target_.seed, number_, 0, iteration_, Purpose::step});
  const GibbsPosterior<EmpiricalRisk> posterior{target_.prior, risk_, target_.lambda};
  const StepOutcome outcome = step(kernel_, posterior, state_, scratch_, stream);
  ++iteration_;
  counts_.add(outcome);
  return outcome;
}

void Chain::burn_in(std::uint64_t steps) {
  for (std::uint64_t t = 0; t < steps; ++t) {
    const StepOutcome outcome = advance();
    if (!choice_.tuned()) continue;
    tuner_.learn(outcome);
    kernel_ = choice_.kernel(target_.lambda, tuner_.proposal_sd());
  }
}

void Chain::end_burn_in() {
  burning_ = false;
  burn_in_end_ = iteration_;
  counts_ = {};
  seen_proposed_ = seen_accepted_ = 0;
  block_.clear(0);
}

void Chain::sample(std::uint64_t steps, std::uint64_t gap) {
  for (std::uint64_t t = 0; t < steps; ++t) {
    advance();
    if ((iteration_ - burn_in_end_) % gap == 0)
      block_.add(state_.theta, state_.log_prior, state_.evaluation.risk);
  }
}

double Chain::acceptance_since_last_asked() {
  std::uint64_t proposed = 0, accepted = 0;
  for (const MoveCount& count : counts_.of) {
    proposed += count.proposed;
    accepted += count.accepted;
  }
  const auto tried = static_cast<double>(proposed - seen_proposed_);
  const double rate = tried > 0 ? static_cast<double>(accepted - seen_accepted_) / tried : 0.0;
  seen_proposed_ = proposed;
  seen_accepted_ = accepted;
  return rate;
}

std::string Chain::checkpoint() const {
  nlohmann::json moves;
  for (std::size_t m = 0; m < move_count; ++m) {
    const MoveCount& count = counts_.of[m];
    moves[std::string(move_names[m])] = {
        {"proposed", count.proposed}, {"accepted", count.accepted}, {"invalid", count.invalid}};
  }
  const nlohmann::json j = {{"iteration", iteration_},
                            {"burning-in", burning_},
                            {"burn-in", burn_in_end_},
                            {"learning-rate", kernel_.learning_rate},
                            {"proposal-sd", kernel_.proposal_sd},
                            {"tuned", choice_.tuned()},
                            {"log-prior", state_.log_prior},
                            {"risk", state_.evaluation.risk},
                            {"theta", theta_json(state_.theta)},
                            {"moves", moves}};
  return j.dump();
}

}  // namespace lacuna
