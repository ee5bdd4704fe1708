// What the draws of a fit say, and how far they can be trusted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnostics/convergence.hpp"
#include "estimation/fit_content.hpp"
#include "network/live_network.hpp"
#include "posterior/prior.hpp"

namespace lacuna {
namespace {

// R-hat and effective sample sizes as recommended by Vehtari et al. (2021); above 1.05 chains
// plainly disagree.
constexpr double good_rhat = 1.01, bad_rhat = 1.05, good_ess = 400.0;

// Quantities that mean the same in every chain. Single weights do not: units can be permuted and
// rescaled.
struct Traces {
  ChainDraws risk, active, live, log_posterior;

  explicit Traces(std::size_t chains)
      : risk(chains), active(chains), live(chains), log_posterior(chains) {}
};

QuantitySummary quantity(const std::string& name, const ChainDraws& draws) {
  const Diagnosis d = diagnose(draws);
  return {name, d.mean, d.sd, d.q05, d.median, d.q95, d.rhat, d.ess_bulk, d.ess_tail, d.mcse_mean};
}

std::string verdict_on(const Summary& summary) {
  if (summary.draws == 0)
    return "no draws: the run stopped before the end of burn-in; run it longer";
  double worst_rhat = 1.0, least_ess = std::numeric_limits<double>::infinity();
  std::string worst, fewest;
  for (const QuantitySummary& q : summary.quantities) {
    if (q.rhat > worst_rhat) {
      worst_rhat = q.rhat;
      worst = q.name;
    }
    const double ess = std::min(q.ess_bulk, q.ess_tail);
    if (ess < least_ess) {
      least_ess = ess;
      fewest = q.name;
    }
  }
  if (std::isinf(least_ess)) return "too few draws to judge: at least 4 per chain are needed";
  if (worst_rhat > bad_rhat) {
    return fmt::format(
        "not converged: chains disagree (R-hat {:.2f} for {}); the mean averages over what each "
        "chain "
        "found and the intervals may miss much. Run longer (--burn-in, --draws) or with more "
        "chains",
        worst_rhat, worst);
  }
  if (worst_rhat > good_rhat || least_ess < good_ess) {
    return fmt::format(
        "usable with care: R-hat up to {:.3f}, {:.0f} effective draws of {} (400 are wanted); run "
        "longer "
        "for firm intervals",
        worst_rhat, least_ess, fewest);
  }
  return fmt::format(
      "converged: R-hat below {:.2f} and at least {:.0f} effective draws of every quantity",
      good_rhat, std::floor(least_ess));
}

}  // namespace

Summary Fit::summary() const {
  const Content& content = *content_;
  const FitInfo& info = content.info;
  Summary out;
  out.draws = content.draws.size();
  out.burn_in = content.burn_in;
  out.gap = content.gap;
  out.finished = content.finished;
  out.seconds = content.seconds;

  LiveNetwork network(content.architecture());
  Traces traces(info.config.chains);
  std::vector<double> included(info.input_names.size(), 0.0);
  const double share = 1.0 / static_cast<double>(std::max<std::uint64_t>(out.draws, 1));
  std::vector<bool> connected;
  for (std::size_t k = 0; k < content.draws.size(); ++k) {
    const DrawView draw = content.draws[k];
    network.build(draw.index);
    connected.assign(included.size(), false);
    const LiveLayer& first = network.layer(1);
    for (const LiveUnit& unit : first.units) {
      for (std::uint32_t e = unit.first_edge; unit.live && e < unit.last_edge; ++e)
        connected[first.edges[e].source] = true;
    }
    for (std::size_t j = 0; j < included.size(); ++j) included[j] += connected[j] ? share : 0.0;
    out.size_posterior[draw.index.size()] += share;
    traces.risk[draw.chain].push_back(draw.risk);
    traces.active[draw.chain].push_back(static_cast<double>(draw.index.size()));
    traces.live[draw.chain].push_back(static_cast<double>(network.live_count()));
    traces.log_posterior[draw.chain].push_back(draw.log_prior - info.lambda * draw.risk);
  }

  if (out.draws > 0) {
    out.quantities = {quantity("risk", traces.risk), quantity("active weights", traces.active),
                      quantity("live weights", traces.live),
                      quantity("log posterior", traces.log_posterior)};
  }
  for (std::size_t j = 0; j < included.size(); ++j) {
    out.inclusion.push_back({info.input_names[j], std::min(1.0, included[j])});
  }
  const Prior prior(info.config.prior, info.parameter_count, info.config.base, info.config.bound);
  for (const auto& [size, ignored] : out.size_posterior)
    out.size_prior[size] = std::exp(prior.log_mass_of_size(size));

  for (std::size_t c = 0; c < content.chains.size(); ++c) {
    const ChainNotes& notes = content.chains[c];
    ChainSummary chain{traces.risk[c].size(), notes.steps, notes.kernel,
                       notes.tuned,           0.0,         notes.tempering};
    for (const double lp : traces.log_posterior[c]) {
      chain.mean_log_posterior += lp / static_cast<double>(traces.log_posterior[c].size());
    }
    out.chains.push_back(chain);
    for (const MoveSummary& move : notes.moves) {
      auto found = std::ranges::find(out.moves, move.name, &MoveSummary::name);
      if (found == out.moves.end()) found = out.moves.insert(found, MoveSummary{move.name});
      found->proposed += move.proposed;
      found->accepted += move.accepted;
      found->invalid += move.invalid;
    }
  }
  if (!content.damage.empty()) out.notes.push_back(content.damage);
  if (!out.finished) out.notes.push_back("the run did not come to its planned end");
  if (info.clipped_share > 0.0) {
    out.notes.push_back(fmt::format("{:.1f}% of the targets lie beyond the clip level C={}",
                                    100.0 * info.clipped_share, info.config.clip));
  }
  out.verdict = verdict_on(out);
  return out;
}

}  // namespace lacuna
