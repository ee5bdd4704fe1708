#include "run/engine.hpp"

#include <cmath>

namespace lacuna {
namespace {

// The optimum of Langevin proposals in high dimension (Roberts and Rosenthal 1998), and a usual aim
// for trajectories.
constexpr double wanted_langevin = 0.574, wanted_trajectory = 0.75;
constexpr std::uint64_t steps_between_tables = 200;

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

MixtureEngine::MixtureEngine(const Target& target)
    : tuner_(Move::trajectory, wanted_trajectory, 0.2, 2.0),
      langevin_tuner_(Move::keep, wanted_langevin, 0.3, 2.0),
      learner_(target.architecture),
      kernel_(MixtureKernel::for_prior(target.prior)) {
  kernel_.trajectory.table = learner_.table();
  kernel_.trajectory.step_size = tuner_.size();
}

void MixtureEngine::learn(const StepOutcome& outcome, const Point& state, std::uint64_t iteration) {
  tuner_.learn(outcome);
  langevin_tuner_.learn(outcome);
  kernel_.langevin.step_size = langevin_tuner_.size();
  learner_.learn(state);
  kernel_.trajectory.step_size = tuner_.size();
  if (iteration % steps_between_tables == 0) kernel_.trajectory.table = learner_.table();
}

std::map<std::string, double> MixtureEngine::settings() const {
  std::map<std::string, double> settings = {{"trajectory-step", kernel_.trajectory.step_size},
                                            {"langevin-step", kernel_.langevin.step_size}};
  const CurvatureTable& table = *kernel_.trajectory.table;
  for (std::size_t l = 0; l < table.layer_curvature.size(); ++l) {
    settings["curvature-of-layer-" + std::to_string(l + 1)] = table.layer_curvature[l];
  }
  return settings;
}

}  // namespace lacuna
