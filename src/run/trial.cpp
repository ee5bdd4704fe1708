#include "run/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/chain.hpp"
#include "run/effort.hpp"

namespace lacuna {
namespace {

constexpr PathLength path_length{8'000, 1'000};
constexpr std::uint64_t gap = 20;

}  // namespace

Trial make_trial(const Fold& fold, const Config& config, const std::vector<std::size_t>& widths,
                 double lambda, RandomStream& stream, const std::function<bool()>& stop) {
  const Architecture architecture(fold.training->inputs(), widths);
  const Prior prior(config.prior, architecture.parameter_count(), config.base, config.bound);
  Trial trial{architecture, prior, {}, std::numeric_limits<double>::infinity(), {}};
  const PathLength length = with_effort(effort_for(fold.training->rows(), config), path_length);
  trial.path = trained_path({*fold.training, architecture, prior, config.clip, lambda}, length,
                            stream, stop);
  Evaluator evaluator(architecture, config.clip);
  Evaluation out;
  const PathStage* best = &trial.path.front();
  for (const PathStage& stage : trial.path) {
    evaluator.evaluate(stage.theta, *fold.held_out, fold.held_out->all(), {}, out);
    if (!(out.risk < trial.held_out_square)) continue;
    trial.held_out_square = out.risk;
    best = &stage;
  }
  trial.held_out.resize(fold.held_out->rows());
  evaluator.predict(best->theta, *fold.held_out, trial.held_out);
  return trial;
}

HeldOut run_short_chain(const Trial& trial, const Fold& fold, const Config& config, double lambda,
                        ShortChain length, std::uint32_t number) {
  const double effort = effort_for(fold.training->rows(), config);
  const std::uint64_t burn_in = with_effort(effort, length.burn_in);
  const std::uint64_t sampled = with_effort(effort, length.sampled);
  const Target target{trial.architecture, trial.prior, fold.training,
                      config.clip,        lambda,      config.seed};
  Chain chain(number, target, MixtureEngine(target),
              heaviest(trial.path, trial.prior, lambda).theta);
  for (std::uint64_t t = 0; t < burn_in && chain.work() < length.work * 2 / 5; t += gap)
    chain.burn_in(gap);
  chain.end_burn_in();
  Evaluator evaluator(target.architecture, target.clip);
  const std::size_t m = fold.held_out->rows();
  std::vector<double> f(m), sum(m), squares(m), use(target.architecture.inputs());
  std::vector<bool> connected;
  double count = 0.0, units = 0.0;
  do {
    chain.sample(gap, gap + 1);
    evaluator.predict(chain.state().theta, *fold.held_out, f);
    for (std::size_t i = 0; i < m; ++i) {
      sum[i] += f[i];
      squares[i] += f[i] * f[i];
    }
    evaluator.network().mark_connected_inputs(connected);
    for (std::size_t j = 0; j < use.size(); ++j) use[j] += connected[j];
    units += static_cast<double>(evaluator.network().most_live_units());
    count += 1.0;
  } while (count < static_cast<double>(sampled / gap) && chain.work() < length.work);
  for (double& share : use) share /= count;
  HeldOut out{std::vector<double>(m), std::vector<double>(m), use, units / count};
  for (std::size_t i = 0; i < m; ++i) {
    out.mean[i] = sum[i] / count;
    out.variance[i] = std::max(0.0, squares[i] / count - out.mean[i] * out.mean[i]);
  }
  return out;
}

}  // namespace lacuna
