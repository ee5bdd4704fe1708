// What the draws of a fit say, and how far they can be trusted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnostics/stability.hpp"
#include "estimation/fit_content.hpp"
#include "estimation/traces.hpp"
#include "estimation/verdict.hpp"
#include "posterior/prior.hpp"

namespace lacuna {
namespace {

bool all_equal(const ChainDraws& draws) {
  const double* first = nullptr;
  for (const std::vector<double>& chain : draws) {
    for (const double& value : chain) {
      if (first == nullptr) first = &value;
      if (value != *first) return false;
    }
  }
  return true;
}

QuantitySummary quantity(const std::string& name, const ChainDraws& draws) {
  const Diagnosis d = diagnose(draws);
  const Separation apart = separation_of(draws);
  return {
      name,       d.mean,     d.sd,        d.q05,       d.median,         d.q95,           d.rhat,
      d.ess_bulk, d.ess_tail, d.mcse_mean, apart.ratio, apart.ess_within, all_equal(draws)};
}

std::vector<ProbeSummary> probe_summaries(const FitInfo& info, const Traces& traces) {
  std::vector<ProbeSummary> probes;
  for (std::size_t i = 0; i < traces.f.size(); ++i) {
    const std::size_t row = info.probes.rows[i];
    probes.push_back({row, quantity(fmt::format("f at row {}", row), traces.f[i]),
                      split_variance(traces.f[i]).between_share});
  }
  return probes;
}

InputInclusion inclusion_of(const std::string& name, const Traces& traces, std::size_t input,
                            std::uint64_t draws) {
  const std::size_t times = traces.connected[input].size();
  InputInclusion out;
  out.name = name;
  out.probability =
      static_cast<double>(times) / static_cast<double>(std::max<std::uint64_t>(draws, 1));
  out.constant = times == 0 || times == draws;
  const ChainDraws series = inclusion_series(traces, input);
  for (const std::vector<double>& chain : series) {
    out.chains += 2 * std::ranges::count(chain, 1.0) > std::ssize(chain);
  }
  const Diagnosis d = diagnose(series);
  out.rhat = d.rhat;
  out.ess_bulk = d.ess_bulk;
  out.ess_tail = d.ess_tail;
  out.mcse = d.mcse_mean;
  return out;
}

// Whether one half of a chain consists of one point over and over.
bool stands_still(const std::vector<bool>& changed) {
  const auto half = static_cast<std::ptrdiff_t>(changed.size() / 2);
  const auto none = [](auto begin, auto end) { return std::find(begin, end, true) == end; };
  return half > 0 && (none(changed.begin(), changed.begin() + half) ||
                      none(changed.end() - half, changed.end()));
}

// Root mean square over the probe points of the shift of f between the halves of a chain, in
// posterior standard deviations. NaN without probe points; zero where f never changes.
double shift_of_f(const std::vector<ChainDraws>& f, const std::vector<VarianceSplit>& splits,
                  std::size_t chain) {
  double squares = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double shift = shift_between_halves(f[i][chain]);
    if (shift != 0.0) squares += std::pow(shift / splits[i].total_sd, 2);
  }
  return std::sqrt(squares / static_cast<double>(f.size()));
}

void describe_chains(const std::vector<ChainNotes>& notes, const Traces& traces, Summary& out) {
  const VarianceSplit posterior = split_variance(traces.log_posterior);
  std::vector<VarianceSplit> splits;
  for (const ChainDraws& f : traces.f) splits.push_back(split_variance(f));
  for (std::size_t c = 0; c < notes.size(); ++c) {
    ChainSummary chain;
    chain.draws = traces.risk[c].size();
    chain.steps = notes[c].steps;
    chain.kernel = notes[c].kernel;
    chain.tuned = notes[c].tuned;
    chain.tempering = notes[c].tempering;
    chain.mean_log_posterior = posterior.mean[c];
    chain.sd_log_posterior = posterior.sd[c];
    const std::vector<bool>& changed = traces.changed[c];
    if (!changed.empty()) {
      chain.changed_share = static_cast<double>(std::ranges::count(changed, true)) /
                            static_cast<double>(changed.size());
    }
    chain.stuck = stands_still(changed);
    const double shift = shift_between_halves(traces.log_posterior[c]);
    chain.log_posterior_shift = shift == 0.0 ? 0.0 : shift / posterior.sd[c];
    chain.f_shift = shift_of_f(traces.f, splits, c);
    out.chains.push_back(chain);
  }
  out.disagreement.log_posterior_range = posterior.range;
  if (posterior.range > 0.0)
    out.disagreement.log_posterior_range_in_sd = posterior.range / posterior.within_sd;
  for (const VarianceSplit& split : splits) {
    out.disagreement.f_between_share += split.between_share / static_cast<double>(splits.size());
  }
}

std::vector<MoveSummary> added_up(const std::vector<ChainNotes>& chains) {
  std::vector<MoveSummary> moves;
  for (const ChainNotes& chain : chains) {
    for (const MoveSummary& move : chain.moves) {
      auto found = std::ranges::find(moves, move.name, &MoveSummary::name);
      if (found == moves.end()) {
        moves.push_back(move);
        continue;
      }
      found->proposed += move.proposed;
      found->accepted += move.accepted;
      found->invalid += move.invalid;
      if (found->passes && move.passes) *found->passes += *move.passes;
      if (found->work && move.work) *found->work += *move.work;
    }
  }
  return moves;
}

}  // namespace

Summary Fit::summary() const {
  const Content& content = *content_;
  const FitInfo& info = content.info;
  Summary out;
  out.draws = content.draws.size();
  out.burn_in = content.burn_in;
  out.gap = content.gap;
  out.walkers = info.config.walkers.value_or(1);
  out.finished = content.finished;
  out.seconds = content.seconds;
  out.time_limit = info.config.time_limit;

  const Traces traces = traces_of(info, content.architecture(), content.draws);
  if (out.draws > 0) {
    out.quantities = {quantity("risk", traces.risk), quantity("active weights", traces.active),
                      quantity("live weights", traces.live), quantity("dead weights", traces.dead),
                      quantity("log posterior", traces.log_posterior)};
    out.probes = probe_summaries(info, traces);
  }
  for (std::size_t j = 0; j < info.input_names.size(); ++j) {
    out.inclusion.push_back(inclusion_of(info.input_names[j], traces, j, out.draws));
  }
  const Prior prior(info.config.prior, info.parameter_count, info.config.base, info.config.bound);
  for (const auto& [size, times] : traces.sizes) {
    out.size_posterior[size] = static_cast<double>(times) / static_cast<double>(out.draws);
    out.size_prior[size] = std::exp(prior.log_mass_of_size(size));
  }
  describe_chains(content.chains, traces, out);
  out.moves = added_up(content.chains);

  if (!content.damage.empty()) out.notes.push_back(content.damage);
  if (!out.finished) out.notes.emplace_back("the run did not come to its planned end");
  if (info.clipped_share > 0.0) {
    out.notes.push_back(fmt::format("{:.1f}% of the targets lie beyond the clip level C={}",
                                    100.0 * info.clipped_share, info.config.clip));
  }
  out.verdict = judge(out);
  return out;
}

}  // namespace lacuna
