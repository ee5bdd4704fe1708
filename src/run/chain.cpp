#include "run/chain.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace lacuna {
namespace {

nlohmann::json theta_json(const SparseTheta& theta) {
  return {{"index", theta.index}, {"value", theta.value}};
}

}  // namespace

Chain::Chain(std::uint32_t number, const Target& target, Engine engine, SparseTheta start)
    : number_(number),
      stream_(number),
      target_(target),
      risk_(target.samples, target.architecture, target.clip),
      engine_(std::move(engine)) {
  state_.theta = std::move(start);
  state_.log_prior = target.prior.log_density(state_.theta);
  const Request request =
      std::visit([&](const auto& e) { return e.first_request(target.prior); }, engine_);
  risk_.evaluate(state_.theta, request, state_.evaluation);
}

StepOutcome Chain::advance() {
  RandomStream stream({target_.seed, stream_, 0, iteration_, Purpose::step});
  const Posterior posterior{target_.prior, risk_, target_.lambda};
  const std::uint64_t passes = risk_.evaluations();
  const StepOutcome outcome =
      std::visit([&](auto& engine) { return engine.advance(posterior, state_, stream); }, engine_);
  ++iteration_;
  counts_.add(outcome, risk_.evaluations() - passes);
  return outcome;
}

void Chain::burn_in(std::uint64_t steps) {
  for (std::uint64_t t = 0; t < steps; ++t) {
    const StepOutcome outcome = advance();
    std::visit([&](auto& engine) { engine.learn(outcome, state_, iteration_); }, engine_);
  }
}

void Chain::end_burn_in() {
  std::visit([](auto& engine) { engine.freeze(); }, engine_);
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
  nlohmann::json moves = nlohmann::json::object();
  for (std::size_t m = 0; m < move_count; ++m) {
    const MoveCount& count = counts_.of[m];
    if (count.proposed == 0) continue;
    moves[std::string(move_names[m])] = {{"proposed", count.proposed},
                                         {"accepted", count.accepted},
                                         {"invalid", count.invalid},
                                         {"passes", count.passes}};
  }
  const nlohmann::json j = {
      {"iteration", iteration_},
      {"burning-in", burning_},
      {"burn-in", burn_in_end_},
      {"kernel", std::visit([](const auto& e) { return e.settings(); }, engine_)},
      {"tuned", std::visit([](const auto& e) { return e.tuned(); }, engine_)},
      {"log-prior", state_.log_prior},
      {"risk", state_.evaluation.risk},
      {"theta", theta_json(state_.theta)},
      {"moves", moves}};
  return j.dump();
}

}  // namespace lacuna
