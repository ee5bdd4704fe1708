#include "run/chain.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "mcmc/exchange.hpp"
#include "run/state_json.hpp"
#include "support/bounded_json.hpp"

namespace lacuna {

Chain::Chain(std::uint32_t number, const Target& target, Engine engine, SparseTheta start)
    : number_(number),
      stream_(number),
      target_(target),
      lambda_(target.lambda),
      risk_(target.samples, target.architecture, target.clip),
      engine_(std::move(engine)) {
  state_.theta = std::move(start);
  state_.log_prior = target.prior.log_density(state_.theta);
  risk_.evaluate(state_.theta, first_request(), state_.evaluation);
}

Chain::Chain(std::uint32_t number, const Target& target, Engine engine, const nlohmann::json& state)
    : Chain(number, target, std::move(engine),
            theta_from(state.at("theta"), target.architecture.parameter_count())) {
  stream_ = state.at("stream");
  iteration_ = state.at("iteration");
  burn_in_end_ = state.at("burn-in");
  burning_ = state.at("burning-in");
  counts_ = counts_from(state.at("moves"));
  risks_ = batch_means_from(state.at("risk-mean"));
  work_before_ = state.at("work").get<std::uint64_t>() - risk_.work();
  std::visit([&](auto& e) { e.restore(state.at("engine"), target_); }, engine_);
  if (!std::isfinite(state_.log_prior) || !std::isfinite(state_.evaluation.risk))
    throw std::runtime_error("impossible weights");
  if (burn_in_end_ > iteration_ || iteration_ >> 62 != 0)
    throw std::runtime_error("impossible number of steps");
}

Request Chain::first_request() const {
  return std::visit([&](const auto& e) { return e.first_request(target_.prior); }, engine_);
}

Chain Chain::on_rung(std::uint32_t rung, double lambda) const {
  Chain chain = *this;
  chain.rung_ = rung;
  chain.set_lambda(lambda);
  return chain;
}

void Chain::set_lambda(double lambda) {
  lambda_ = lambda;
  std::visit([&](auto& engine) { engine.set_lambda(lambda); }, engine_);
}

RandomStream Chain::stream_of(std::uint32_t rung, Purpose purpose) const {
  return RandomStream({target_.seed, stream_, rung, iteration_, purpose});
}

Verdict Chain::exchange_with(Chain& other, RandomStream& stream, double& log_ratio) {
  log_ratio = log_exchange_ratio(lambda_, state_.evaluation.risk, other.lambda_,
                                 other.state_.evaluation.risk);
  return exchange(state_, lambda_, other.state_, other.lambda_, stream);
}

Cost Chain::cost_so_far() const { return {risk_.evaluations(), risk_.work()}; }

StepOutcome Chain::advance() {
  RandomStream stream = stream_of(rung_, Purpose::step);
  const Posterior posterior{target_.prior, risk_, lambda_};
  const Cost before = cost_so_far();
  const StepOutcome outcome =
      draws_prior()
          ? step(PriorDrawKernel{first_request()}, posterior, state_, prior_scratch_, stream)
          : std::visit([&](auto& engine) { return engine.advance(posterior, state_, stream); },
                       engine_);
  ++iteration_;
  const Cost after = cost_so_far();
  counts_.add(outcome, {after.passes - before.passes, after.work - before.work});
  return outcome;
}

void Chain::burn_in(std::uint64_t steps) {
  for (std::uint64_t t = 0; t < steps; ++t) {
    const StepOutcome outcome = advance();
    if (draws_prior()) continue;
    std::visit([&](auto& engine) { engine.learn(outcome, state_, iteration_); }, engine_);
  }
}

void Chain::end_burn_in() {
  std::visit([](auto& engine) { engine.freeze(); }, engine_);
  burning_ = false;
  burn_in_end_ = iteration_;
  counts_ = {};
  risks_ = {};
  seen_proposed_ = seen_accepted_ = 0;
  block_.clear(0);
}

// Passes in single precision know the risk to about seven digits; a draw says it in full.
double Chain::recorded_risk() {
  return target_.samples->precision() == Precision::full ? state_.evaluation.risk
                                                         : risk_.exact(state_.theta);
}

void Chain::refresh() {
  if (std::visit([](const auto& e) { return e.evaluates_every_point; }, engine_)) return;
  risk_.evaluate(state_.theta, first_request(), state_.evaluation);
}

void Chain::sample(std::uint64_t steps, std::uint64_t gap) {
  for (std::uint64_t t = 0; t < steps; ++t) {
    advance();
    risks_.add(state_.evaluation.risk);
    if ((iteration_ - burn_in_end_) % gap != 0) continue;
    if (rung_ == 0) block_.add(state_.theta, state_.log_prior, recorded_risk());
    refresh();
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

std::string Chain::checkpoint() const { return to_json().dump(); }

nlohmann::json Chain::to_json() const {
  nlohmann::json j = {{"iteration", iteration_},
                      {"stream", stream_},
                      {"burning-in", burning_},
                      {"burn-in", burn_in_end_},
                      {"kernel", std::visit([](const auto& e) { return e.settings(); }, engine_)},
                      {"tuned", std::visit([](const auto& e) { return e.tuned(); }, engine_)},
                      {"log-prior", state_.log_prior},
                      {"risk", state_.evaluation.risk},
                      {"theta", json_of(state_.theta)},
                      {"moves", json_of(counts_)},
                      {"risk-mean", json_of(risks_)},
                      {"work", work()}};
  if (burning_ || iteration_ == burn_in_end_)
    j["engine"] = std::visit([](const auto& e) { return e.to_json(); }, engine_);
  return j;
}

}  // namespace lacuna
