// Which inputs matter, and how many weights: posterior against prior.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "posterior/prior.hpp"
#include "report/axes.hpp"
#include "report/bar_picture.hpp"
#include "report/picture_support.hpp"
#include "report/sections.hpp"

namespace lacuna::report {
namespace {

constexpr std::size_t most_bars = 30;
constexpr std::size_t most_named = 12;

std::string names_of(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_named);
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string opening(const Material& m) {
  const std::vector<std::string> network = m.info.network_input_names();
  std::vector<std::string> sure, unsure, out, left_out;
  for (const InputInclusion& input : m.summary.inclusion) {
    if (std::ranges::find(network, input.name) == network.end()) {
      left_out.push_back(input.name);
      continue;
    }
    (input.probability > 0.9 ? sure : input.probability < 0.1 ? out : unsure).push_back(input.name);
  }
  std::string words;
  if (!sure.empty()) {
    words +=
        fmt::format("Connected to the output in more than 90% of the draws: {}. ", names_of(sure));
  }
  if (!unsure.empty()) words += fmt::format("In 10% to 90%, so undecided: {}. ", names_of(unsure));
  if (!out.empty()) words += fmt::format("In less than 10% of the draws: {}. ", names_of(out));
  if (!left_out.empty()) {
    words += fmt::format(
        "Left out before sampling, because held-out rows are predicted as well without them: {}. ",
        names_of(left_out));
  }
  return words;
}

Figure inclusion_figure(const Summary& s) {
  std::vector<InputInclusion> inputs = s.inclusion;
  std::ranges::stable_sort(inputs, std::greater<>(), &InputInclusion::probability);
  BarPicture picture;
  picture.title = "Which inputs matter";
  picture.x_label = "share of draws in which the input is connected";
  picture.sheet = page_sheet;
  const std::string unit = s.walkers > 1 ? "walkers" : "chains";
  Table table{{"input", "included", "± Monte Carlo", "R-hat", unit + " that use it"}, {}, {}};
  for (const InputInclusion& input : inputs) {
    if (picture.labels.size() < most_bars) {
      picture.labels.push_back(input.name);
      picture.values.push_back(input.probability);
      picture.errors.push_back(input.constant ? 0.0 : 2.0 * input.mcse);
    }
    table.rows.push_back({input.name, fmt::format("{:.1f}%", 100.0 * input.probability),
                          input.constant ? "0" : fmt::format("{}%", number(200.0 * input.mcse)),
                          input.constant ? "same in all draws" : number(input.rhat),
                          fmt::format("{} of {}", input.chains, s.chains.size())});
  }
  table.note = fmt::format("{} that use it: those in which it is in more than half of the draws.",
                           s.walkers > 1 ? "Walkers" : "Chains");
  Figure figure;
  figure.heading = picture.title;
  figure.reading =
      "The share of draws in which an active path leads from the input to the output; whiskers are "
      "two Monte Carlo errors. It says whether an input is used, not how much.";
  figure.svg = draw_bars(picture);
  figure.table = table;
  if (inputs.size() > most_bars)
    figure.note = fmt::format("Showing the {} inputs used most, of {}. ", most_bars, inputs.size());
  if (s.verdict.trust != Trust::converged) {
    figure.note += fmt::format(
        "Chains do not agree, so read shares of draws, not posterior probabilities; the table says "
        "how many {} use each input.",
        unit);
  }
  return figure;
}

Figure size_figure(const Material& m) {
  const Summary& s = m.summary;
  const Prior prior(m.info.config.prior, m.info.parameter_count, m.info.config.base,
                    m.info.config.bound);
  const std::uint64_t first = s.size_posterior.begin()->first;
  const std::uint64_t last = s.size_posterior.rbegin()->first;
  const double lowest = std::min(-3.0, std::log10(0.4 / static_cast<double>(s.draws)));
  Table table{{"active weights", "posterior", "prior"}, {}, {}};
  for (const auto& [size, share] : s.size_posterior) {
    table.rows.push_back({with_separators(size), fmt::format("{:.2f}%", 100.0 * share),
                          fmt::format("{}%", number(100.0 * s.size_prior.at(size)))});
  }
  // The prior from one weight up, as far as it can be seen, and a little beyond the posterior.
  std::vector<double> sizes, masses;
  for (std::uint64_t k = 1; k <= std::min(m.info.parameter_count, last + 20); ++k) {
    const double mass = prior.log_mass_of_size(k) / std::log(10.0);
    if (!(mass >= lowest)) break;
    sizes.push_back(static_cast<double>(k));
    masses.push_back(mass);
  }
  AxesOptions options;
  options.title = "How many weights are active";
  options.description = fmt::format(
      "Posterior of the number of active weights, from {} to {}, against the prior.", first, last);
  options.x_label =
      fmt::format("active weights |I|, of {}", with_separators(m.info.parameter_count));
  options.y_label = "probability (log scale)";
  options.sheet = page_sheet;
  options.x = {sizes.empty() ? static_cast<double>(first) - 2.0 : 0.0,
               std::max(static_cast<double>(last), sizes.empty() ? 0.0 : sizes.back()) + 2.0};
  options.y = {lowest, 0.0};
  options.y_marks = logarithmic_ticks(options.y);
  options.legend = {{Mark::band, palette::strong, "posterior"}};
  if (!sizes.empty()) options.legend.push_back({Mark::line, palette::accent, "prior"});
  Axes axes(options);
  for (const auto& [size, share] : s.size_posterior) {
    const double at = static_cast<double>(size);
    const Point left = axes.at(at - 0.42, std::log10(share)), right = axes.at(at + 0.42, lowest);
    axes.canvas().rectangle(
        left, std::max(right.x - left.x, 0.8), right.y - left.y, {.colour = palette::strong}, 0.0,
        fmt::format("{} active weights: {:.2f}% of the draws", size, 100.0 * share));
  }
  axes.curve(sizes, masses, {.colour = palette::accent, .width = 2.2});
  Figure figure;
  figure.heading = options.title;
  figure.reading =
      m.info.config.prior == PriorKind::dense
          ? "Under the dense prior every weight is active in every draw."
          : "Bars: share of draws with this many weights that are not zero. The line is the prior, "
            "which prefers small networks; where bars are far to its right, the data ask for more.";
  figure.svg = axes.finish();
  figure.table = table;
  return figure;
}

std::string limits_sentence(const Material& m) {
  const double at_bound = std::accumulate(m.at_bound.begin(), m.at_bound.end(), 0.0) /
                          static_cast<double>(std::max<std::size_t>(m.at_bound.size(), 1));
  return fmt::format(
      "Limits of the model: {:.1f}% of the active weights lie at the edge of their box (within 1% "
      "of B = {}), and {:.1f}% of the targets lie beyond the clip level C = {}.{}",
      100.0 * at_bound, m.info.config.bound, 100.0 * m.info.clipped_share, m.info.config.clip,
      at_bound > 0.05 ? " Many weights at the edge ask for a larger --bound." : "");
}

}  // namespace

Section sparsity_section(const Material& m) {
  Section section{"sparsity", "Inputs and size",
                  "Which inputs matter, and how large is the network?", ""};
  if (m.summary.draws == 0) return section;
  section.html = paragraph_html(opening(m)) +
                 figures_html({inclusion_figure(m.summary), size_figure(m)}) +
                 paragraph_html(limits_sentence(m), "note");
  return section;
}

}  // namespace lacuna::report
