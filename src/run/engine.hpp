// The sampler of a chain: a kernel, its scratch memory, and what tunes it during burn-in.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "mcmc/mixture.hpp"
#include "mcmc/paper_kernel.hpp"
#include "run/target.hpp"
#include "warmup/curvature_learner.hpp"
#include "warmup/step_size.hpp"

namespace lacuna {

using Posterior = GibbsPosterior<EmpiricalRisk>;

// The paper's kernel with gamma and s as given; what is not given follows the Langevin rule and is
// tuned.
class PaperEngine {
 public:
  // Whether the evaluation of a chain's point is always the whole answer to first_request: every
  // point that this kernel reaches was evaluated so.
  static constexpr bool evaluates_every_point = true;

  PaperEngine(const Target& target, const Config& config, std::size_t first_size);

  Request first_request(const Prior& prior) const { return paper_request(prior); }
  StepOutcome advance(const Posterior& posterior, Point& state, RandomStream& stream) {
    return step(kernel_, posterior, state, scratch_, stream);
  }
  void learn(const StepOutcome& outcome, const Point& state, std::uint64_t iteration);
  void set_lambda(double lambda);
  void freeze() {}
  bool tuned() const { return !given_sd_; }
  std::map<std::string, double> settings() const;
  // All that later steps depend on besides the point.
  nlohmann::json to_json() const;
  void restore(const nlohmann::json& j, const Target& target);

 private:
  PaperKernel kernel_with(double sd) const;

  double lambda_;
  std::optional<double> given_rate_, given_sd_;
  StepSizeTuner tuner_;
  PaperKernel kernel_;
  PaperScratch scratch_;
};

// The default mixture: step size and scales of trajectories are learnt in burn-in.
class MixtureEngine {
 public:
  // Dead weights move without, and some moves know more than that.
  static constexpr bool evaluates_every_point = false;

  explicit MixtureEngine(const Target& target);

  Request first_request(const Prior&) const { return death_request; }
  StepOutcome advance(const Posterior& posterior, Point& state, RandomStream& stream) {
    return step(kernel_, posterior, state, scratch_, stream);
  }
  void learn(const StepOutcome& outcome, const Point& state, std::uint64_t iteration);
  void set_lambda(double) {}  // the kernel takes it from the posterior
  void freeze();
  bool tuned() const { return true; }
  std::map<std::string, double> settings() const;
  nlohmann::json to_json() const;
  void restore(const nlohmann::json& j, const Target& target);

 private:
  void share_by_acceptance();

  StepSizeTuner tuner_, langevin_tuner_;
  CurvatureLearner learner_;
  MoveCounts counts_;
  bool frozen_ = false;
  MixtureKernel first_;  // its shares before any were changed
  MixtureKernel kernel_;
  MixtureScratch scratch_;
};

using Engine = std::variant<PaperEngine, MixtureEngine>;

}  // namespace lacuna
