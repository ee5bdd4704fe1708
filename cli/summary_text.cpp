// `lacuna summary` for people: the verdict, what it means, and the tables behind it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "cli/summary_views.hpp"
#include "cli/terminal.hpp"

namespace lacuna::cli {
namespace {

constexpr std::size_t columns = 80, label_width = 9;
constexpr std::size_t most_inputs_shown = 40, most_sizes_shown = 12, most_chains_shown = 20;

// A number for a table; what cannot be computed is a dash.
std::string cell(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string shown_rhat(double rhat) { return rhat > 99.0 ? ">99" : cell(rhat, "{:.3f}"); }

// Hidden layers as 64 -> 32, or as 14 x 10,000 where that is shorter.
std::string layers(const std::vector<std::size_t>& widths) {
  if (widths.size() > 3 && std::ranges::count(widths, widths.front()) == std::ssize(widths)) {
    return fmt::format("{} x {}", widths.size(), grouped(widths.front()));
  }
  return fmt::format("{}", fmt::join(widths, " -> "));
}

std::string names_of(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_inputs_shown);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string noise_in_words(const FitInfo& info) {
  const NoiseModel& noise = info.noise;
  std::string words = fmt::format("sd {:.4g} in units of '{}'",
                                  noise.sd() * info.scaling.target_scale, info.target_name);
  if (noise.varies())
    words += fmt::format(" on average; it varies with x ({} weights)", noise.index.size());
  if (noise.degrees)
    words += fmt::format("; Student's t with {} degrees of freedom", *noise.degrees);
  return fmt::format("{} ({})", words, info.noise_origin);
}

class Page {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(arguments)...);
    text_ += '\n';
  }
  void gap() { text_ += '\n'; }
  void verbatim(const std::string& lines) { text_ += lines; }

  // Words wrapped to the width of the page, behind a label and aligned under each other.
  void paragraph(const std::string& label, const std::string& words) {
    text_ += wrapped(fmt::format("{:<{}}", label, label_width), words, columns);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

void put_verdict(Page& page, const Judgement& verdict) {
  page.line("{}", verdict.sentence);
  page.gap();
  page.paragraph("meaning", verdict.meaning);
  if (!verdict.advice.empty()) page.paragraph("advice", verdict.advice);
}

void put_run(Page& page, const FitInfo& info, const Summary& s) {
  page.gap();
  std::string weights;
  if (info.total_weight != static_cast<double>(info.rows))
    weights = fmt::format(" of total weight {:.6g}", info.total_weight);
  page.paragraph("data", fmt::format("{} rows{}, {} inputs, target '{}'", grouped(info.rows),
                                     weights, info.input_names.size(), info.target_name));
  page.paragraph("network", fmt::format("{} -> {} -> 1, P = {} weights, {} prior, B = {}, C = {}",
                                        info.network_input_names().size(),
                                        layers(info.config.widths), grouped(info.parameter_count),
                                        info.config.prior == PriorKind::sparse ? "sparse" : "dense",
                                        info.config.bound, info.config.clip));
  if (!info.network_inputs.empty()) {
    page.paragraph("inputs",
                   fmt::format("{} ({} of {}; held-out rows are predicted as well without "
                               "the others)",
                               names_of(info.network_input_names()), info.network_inputs.size(),
                               info.input_names.size()));
  }
  page.paragraph("lambda", fmt::format("{:.6g} ({})", info.lambda, info.lambda_origin));
  page.paragraph("noise", noise_in_words(info));
  page.paragraph("run", fmt::format("{} draws from {} chains{}, burn-in {}, gap {}, seed {}",
                                    grouped(s.draws), info.config.chains,
                                    s.walkers > 1 ? fmt::format(" of {} walkers", s.walkers) : "",
                                    grouped(s.burn_in), s.gap, info.config.seed));
  for (const std::string& note : s.notes) page.paragraph("note", note);
}

void put_quantity(Page& page, const std::string& name, const QuantitySummary& q) {
  const std::string numbers =
      fmt::format("{:<18} {:>10} {:>7} {:>10} {:>10}", name, cell(q.mean, "{:.4g}"),
                  cell(q.sd, "{:.2g}"), cell(q.q05, "{:.4g}"), cell(q.q95, "{:.4g}"));
  if (q.constant) {
    page.line("{}   same in all draws", numbers);
  } else {
    page.line("{} {:>6} {:>6} {:>6}", numbers, shown_rhat(q.rhat), cell(q.ess_bulk, "{:.0f}"),
              cell(q.ess_tail, "{:.0f}"));
  }
}

// The series on which chains agree least; constant ones have nothing to disagree about.
template <class Series, class Rhat>
const Series* worst_of(const std::vector<Series>& all, const Rhat& rhat) {
  const Series* worst = nullptr;
  for (const Series& one : all) {
    if (!std::isnan(rhat(one)) && (worst == nullptr || rhat(one) > rhat(*worst))) worst = &one;
  }
  return worst;
}

void put_quantities(Page& page, const Summary& s) {
  if (s.quantities.empty()) return;
  page.gap();
  page.line("{:<18} {:>10} {:>7} {:>10} {:>10} {:>6} {:>6} {:>6}", "", "mean", "sd", "5%", "95%",
            "R-hat", "bulk", "tail");
  for (const QuantitySummary& q : s.quantities) put_quantity(page, q.name, q);
  const ProbeSummary* probe = worst_of(s.probes, [](const ProbeSummary& p) { return p.f.rhat; });
  if (probe != nullptr) put_quantity(page, probe->f.name + " *", probe->f);
  const InputInclusion* input = worst_of(s.inclusion, [](const auto& i) { return i.rhat; });
  if (input != nullptr) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    put_quantity(page, fmt::format("uses {:.11} *", input->name),
                 {"", input->probability, none, none, none, none, input->rhat, input->ess_bulk,
                  input->ess_tail, input->mcse, none, none});
  }
  page.paragraph("risk", "mean squared error on the training rows, in scaled units");
  page.paragraph("log post", "log prior density less lambda times risk, up to a constant");
  page.paragraph("weights", "live: can influence f; dead: cannot; active: both together");
  page.paragraph("R-hat", "compares chains: 1 where they agree, above 1.05 where they do not");
  page.paragraph("bulk", "effective draws: how many independent ones would be worth as much");
  page.paragraph("tail", "the same for the 5% and 95% points");
  if (probe != nullptr) {
    page.paragraph("f *", fmt::format("in units of the target, where chains agree least of {} "
                                      "training rows",
                                      s.probes.size()));
  }
  if (input != nullptr) {
    page.paragraph("uses *", fmt::format("share of draws with this input, on which chains agree "
                                         "least of {}",
                                         s.inclusion.size()));
  }
}

void put_chains(Page& page, const Summary& s) {
  if (s.draws == 0) return;
  page.gap();
  page.line("{:<8} {:>10} {:>14} {:>8} {:>12} {:>10} {:>10}", "chain", "draws", "log posterior",
            "sd", "its shift", "f shift", "changed");
  for (std::size_t c = 0; c < std::min(s.chains.size(), most_chains_shown); ++c) {
    const ChainSummary& chain = s.chains[c];
    const std::string name =
        s.walkers > 1 ? fmt::format("{}.{}", c / s.walkers, c % s.walkers) : std::to_string(c);
    page.line("{:<8} {:>10} {:>14} {:>8} {:>12} {:>10} {:>9.0f}%", name, grouped(chain.draws),
              cell(chain.mean_log_posterior, "{:.1f}"), cell(chain.sd_log_posterior, "{:.1f}"),
              cell(chain.log_posterior_shift, "{:+.2f} sd"), cell(chain.f_shift, "{:.2f} sd"),
              100.0 * chain.changed_share);
  }
  if (s.chains.size() > most_chains_shown)
    page.line("... and {} more", s.chains.size() - most_chains_shown);
  if (s.chains.size() > 1) {
    page.paragraph("between",
                   fmt::format("mean log posteriors differ by {:.1f} ({} within a {})",
                               s.disagreement.log_posterior_range,
                               cell(s.disagreement.log_posterior_range_in_sd, "{:.1f} sd"),
                               s.walkers > 1 ? "walker" : "chain"));
    if (!s.probes.empty()) {
      page.paragraph("", fmt::format("{:.0f}% of the variance of f at {} training rows is between "
                                     "{}",
                                     100.0 * s.disagreement.f_between_share, s.probes.size(),
                                     s.walkers > 1 ? "walkers" : "chains"));
    }
  }
  if (s.walkers > 1) {
    page.paragraph("chain",
                   "1.2 is walker 2 of chain 1; each walker is judged as a chain of its "
                   "own, and the draws of a chain come from its walkers in turn");
  }
  page.paragraph("shift", "from first to second half of a chain; above 1 sd it still drifts");
  page.paragraph("changed", "share of draws that differ from the draw before");
}

void put_moves(Page& page, const Summary& s) {
  if (s.moves.empty()) return;
  page.gap();
  page.line("{:<14} {:>12} {:>9} {:>9} {:>15} {:>9}", "move", "proposed", "accepted", "invalid",
            "passes", "work");
  for (const MoveSummary& m : s.moves) {
    page.line("{:<14} {:>12} {:>8.2f}% {:>9} {:>15} {:>9}", m.name, grouped(m.proposed),
              100.0 * acceptance(m), grouped(m.invalid), m.passes ? grouped(*m.passes) : "-",
              cell(100.0 * work_share(s, m), "{:.1f}%"));
  }
  page.paragraph("passes", "over all rows, after burn-in");
  page.paragraph("work", "estimated share of the time, from the multiplications in those passes");
}

void put_inclusion(Page& page, const Summary& s) {
  std::vector<InputInclusion> inputs = s.inclusion;
  std::ranges::stable_sort(inputs, std::greater<>(), &InputInclusion::probability);
  page.gap();
  page.line("{:<24} {:>9} {:>10} {:>8}", "input", "included", s.walkers > 1 ? "walkers" : "chains",
            "R-hat");
  for (std::size_t i = 0; i < std::min(inputs.size(), most_inputs_shown); ++i) {
    const InputInclusion& input = inputs[i];
    page.line("{:<24} {:>8.1f}% {:>10} {:>8}", input.name, 100.0 * input.probability,
              fmt::format("{} of {}", input.chains, s.chains.size()),
              input.constant ? "constant" : shown_rhat(input.rhat));
  }
  if (inputs.size() > most_inputs_shown)
    page.line("... and {} more", inputs.size() - most_inputs_shown);
  page.paragraph("included", "share of draws in which the input is connected to the output");
  page.paragraph(s.walkers > 1 ? "walkers" : "chains",
                 "those in which it is so in more than half of the draws");
}

void put_sizes(Page& page, const Summary& s) {
  std::vector<std::pair<std::uint64_t, double>> sizes(s.size_posterior.begin(),
                                                      s.size_posterior.end());
  std::ranges::stable_sort(sizes, std::greater<>(), [](const auto& entry) { return entry.second; });
  if (sizes.size() > most_sizes_shown) sizes.resize(most_sizes_shown);
  std::ranges::sort(sizes);
  page.gap();
  page.line("{:<24} {:>9} {:>11}{}", "active weights", "posterior", "prior",
            s.size_posterior.size() > sizes.size() ? "   (most frequent sizes)" : "");
  for (const auto& [size, share] : sizes) {
    page.line("{:<24} {:>8.1f}% {:>10.3g}%", size, 100.0 * share, 100.0 * s.size_prior.at(size));
  }
}

}  // namespace

std::string summary_as_text(const Fit& fit, const Summary& s) {
  Page page;
  put_verdict(page, s.verdict);
  put_run(page, fit.info(), s);
  put_quantities(page, s);
  put_chains(page, s);
  put_moves(page, s);
  if (fit.info().config.rungs > 1) page.verbatim(tempering_as_text(s.chains));
  if (s.draws > 0) {
    put_inclusion(page, s);
    put_sizes(page, s);
  }
  return std::move(page).text();
}

}  // namespace lacuna::cli
