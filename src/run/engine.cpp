#include "run/engine.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "run/state_json.hpp"
#include "support/bounded_json.hpp"

namespace lacuna {

using nlohmann::json;

namespace {

// The optimum of Langevin proposals in high dimension (Roberts and Rosenthal 1998), and a usual aim
// for trajectories.
constexpr double wanted_langevin = 0.574, wanted_trajectory = 0.75;
constexpr std::uint64_t steps_between_tables = 200, steps_between_lessons = 5;
constexpr double fewest_proposals_to_judge = 40.0, worth_a_full_share = 0.15;

// Settings read from a file are at least positive and finite.
constexpr double smallest_setting = std::numeric_limits<double>::denorm_min();
constexpr double largest_setting = std::numeric_limits<double>::max();

// Tuning starts from a step that is small against the box and shrinks with the dimension, as the
// optimum does.
double first_proposal_sd(std::size_t size) {
  return 0.1 / std::sqrt(static_cast<double>(size + 1));
}

}  // namespace

PaperEngine::PaperEngine(const Target& target, const Config& config, std::size_t first_size)
    : lambda_(target.lambda),
      given_rate_(config.learning_rate),
      given_sd_(config.proposal_sd),
      tuner_(Move::keep, wanted_langevin, first_proposal_sd(first_size), target.prior.bound()),
      kernel_(kernel_with(given_sd_.value_or(tuner_.size()))) {}

PaperKernel PaperEngine::kernel_with(double sd) const {
  return given_rate_ ? PaperKernel{*given_rate_, sd} : PaperKernel::langevin(lambda_, sd);
}

void PaperEngine::learn(const StepOutcome& outcome, const Point&, std::uint64_t) {
  if (given_sd_) return;
  tuner_.learn(outcome);
  kernel_ = kernel_with(tuner_.size());
}

void PaperEngine::set_lambda(double lambda) {
  lambda_ = lambda;
  kernel_ = kernel_with(kernel_.proposal_sd);
}

std::map<std::string, double> PaperEngine::settings() const {
  return {{"learning-rate", kernel_.learning_rate}, {"proposal-sd", kernel_.proposal_sd}};
}

json PaperEngine::to_json() const {
  return {{"tuner", json_of(tuner_)},
          {"learning-rate", kernel_.learning_rate},
          {"proposal-sd", kernel_.proposal_sd}};
}

void PaperEngine::restore(const json& j, const Target&) {
  lacuna::restore(tuner_, j.at("tuner"));
  kernel_ = {number_between(0.0, largest_setting, j.at("learning-rate")),
             number_between(smallest_setting, largest_setting, j.at("proposal-sd"))};
}

MixtureEngine::MixtureEngine(const Target& target)
    : tuner_(Move::trajectory, wanted_trajectory, 0.2, 2.0),
      langevin_tuner_(Move::keep, wanted_langevin, 0.3, 2.0),
      learner_(target.architecture),
      first_(MixtureKernel::for_prior(target.prior)),
      kernel_(first_) {
  kernel_.trajectory.table = learner_.table();
  kernel_.trajectory.step_size = tuner_.size();
}

void MixtureEngine::learn(const StepOutcome& outcome, const Point& state, std::uint64_t iteration) {
  tuner_.learn(outcome);
  langevin_tuner_.learn(outcome);
  kernel_.langevin.step_size = langevin_tuner_.size();
  if (iteration % steps_between_lessons == 0) learner_.learn(state);
  kernel_.trajectory.step_size = tuner_.size();
  counts_.add(outcome, {});
  if (iteration % steps_between_tables == 0) {
    kernel_.trajectory.table = learner_.table();
    share_by_acceptance();
  }
}

// What is rarely accepted gets a smaller share of the steps, down to a quarter; trajectories get
// the rest.
void MixtureEngine::share_by_acceptance() {
  const auto earned = [&](std::initializer_list<Move> moves) {
    double proposed = 0.0, accepted = 0.0;
    for (const Move move : moves) {
      proposed += static_cast<double>(counts_.of[static_cast<std::size_t>(move)].proposed);
      accepted += static_cast<double>(counts_.of[static_cast<std::size_t>(move)].accepted);
    }
    if (proposed < fewest_proposals_to_judge) return 1.0;
    return std::clamp(accepted / proposed / worth_a_full_share, 0.25, 1.0);
  };
  kernel_.birth_death = first_.birth_death * earned({Move::add, Move::remove});
  kernel_.swap = first_.swap * earned({Move::swap});
  kernel_.unit_share = first_.unit_share * earned({Move::add_unit, Move::remove_unit});
  kernel_.output = first_.output * earned({Move::output});
}

// Nothing is learnt after this, so what was seen is no longer needed.
void MixtureEngine::freeze() {
  kernel_.trajectory.table = learner_.table();
  frozen_ = true;
}

json MixtureEngine::to_json() const {
  json j = {{"frozen", frozen_},
            {"trajectory-step", kernel_.trajectory.step_size},
            {"langevin-step", kernel_.langevin.step_size},
            {"shares", {kernel_.birth_death, kernel_.swap, kernel_.unit_share, kernel_.output}},
            {"table", json_of(*kernel_.trajectory.table)}};
  if (frozen_) return j;
  j["trajectory-tuner"] = json_of(tuner_);
  j["langevin-tuner"] = json_of(langevin_tuner_);
  j["learner"] = json_of(learner_);
  j["counts"] = json_of(counts_);
  return j;
}

void MixtureEngine::restore(const json& j, const Target& target) {
  frozen_ = j.at("frozen");
  const auto step_size = [&](const char* key) {
    return number_between(smallest_setting, largest_setting, j.at(key));
  };
  kernel_.trajectory.step_size = step_size("trajectory-step");
  kernel_.langevin.step_size = step_size("langevin-step");
  const auto share = [&](std::size_t k) {
    return number_between(0.0, 0.25, j.at("shares").at(k));  // so that the rest is not negative
  };
  kernel_.birth_death = share(0);
  kernel_.swap = share(1);
  kernel_.unit_share = share(2);
  kernel_.output = share(3);
  kernel_.trajectory.table = table_from(j.at("table"), target.architecture);
  if (frozen_) return;
  lacuna::restore(tuner_, j.at("trajectory-tuner"));
  lacuna::restore(langevin_tuner_, j.at("langevin-tuner"));
  lacuna::restore(learner_, j.at("learner"), target.architecture);
  counts_ = counts_from(j.at("counts"));
}

std::map<std::string, double> MixtureEngine::settings() const {
  std::map<std::string, double> settings = {{"trajectory-step", kernel_.trajectory.step_size},
                                            {"langevin-step", kernel_.langevin.step_size},
                                            {"share-birth-death", kernel_.birth_death},
                                            {"share-swap", kernel_.swap},
                                            {"share-unit", kernel_.unit_share},
                                            {"share-output", kernel_.output}};
  const CurvatureTable& table = *kernel_.trajectory.table;
  for (std::size_t l = 0; l < table.layer_ratio.size(); ++l) {
    settings["curvature-ratio-of-layer-" + std::to_string(l + 1)] = table.layer_ratio[l];
  }
  return settings;
}

}  // namespace lacuna
