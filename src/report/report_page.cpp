// `lacuna report`: puts the page together from its sections, and guards it.
#include <fmt/format.h>

#include "lacuna/report.hpp"
#include "report/html.hpp"
#include "report/page_style.hpp"
#include "report/picture_support.hpp"
#include "report/sections.hpp"
#include "support/output_file.hpp"
#include "support/sha256.hpp"

namespace lacuna {
namespace report {
namespace {

std::string noise_in_words(const FitInfo& info) {
  std::string words =
      fmt::format("standard deviation {} in units of {}",
                  number(info.noise.sd() * info.scaling.target_scale), info.target_name);
  if (info.noise.varies()) words += " on average; it varies with the inputs";
  if (info.noise.degrees)
    words += fmt::format("; Student's t with {} degrees of freedom", *info.noise.degrees);
  return fmt::format("{} ({})", words, info.noise_origin);
}

// Nothing may be fetched, framed or sent; the one style sheet and the one script are known by their
// hashes, so that nothing that data could smuggle in would run.
std::string head(const std::string& title, const std::string& style) {
  const std::string policy = fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; "
      "form-action 'none'",
      sha256_base64(style), sha256_base64(page_script()));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n",
      policy, escape(title), style);
}

std::string contents(const std::vector<Section>& sections) {
  std::string html =
      "<nav aria-label=\"Contents\"><ul>\n<li><a href=\"#verdict\">Verdict</a></li>\n";
  for (const Section& section : sections) {
    if (!section.html.empty())
      html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, escape(section.heading));
  }
  return html + "</ul></nav>\n";
}

}  // namespace

Section origin_section(const Material& m) {
  const FitInfo& info = m.info;
  const Config& config = info.config;
  std::vector<std::pair<std::string, std::string>> entries = {
      {"Fit", m.options.file},
      {"Command", info.command},
      {"Seed", std::to_string(config.seed)},
      {"Data", fmt::format("{} rows, {} inputs, target {}{}", with_separators(info.rows),
                           info.input_names.size(), info.target_name,
                           info.data_path.empty() ? "" : fmt::format(", from {}", info.data_path))},
      {"Data hash", fmt::format("{:016x}", info.data_hash)},
      {"Network",
       fmt::format(
           "{}{} inputs, hidden layers of {} units, P = {} weights and shifts",
           info.network_input_names().size(),
           info.network_inputs.empty() ? "" : fmt::format(" of {}", info.input_names.size()),
           fmt::join(config.widths, ", "), with_separators(info.parameter_count))},
      {"Prior",
       fmt::format("{}, weights in [−{}, {}], predictions clipped at {}",
                   config.prior == PriorKind::sparse
                       ? fmt::format("sparse (a set of k weights has mass {}^−k)", config.base)
                       : "dense (all weights active)",
                   config.bound, config.bound, config.clip)},
      {"lambda", fmt::format("{} ({})", number(info.lambda), info.lambda_origin)},
      {"Noise", noise_in_words(info)},
      {"Length", fmt::format("{} draws, burn-in {} steps, a draw every {} steps",
                             with_separators(m.summary.draws), with_separators(m.summary.burn_in),
                             with_separators(m.summary.gap))},
      {"Fitted with", "lacuna " + info.version},
      {"Reported with", std::string("lacuna ") + library_version()}};
  return {"origin", "Origin", "What was run, to run it again?", list_html(entries)};
}

}  // namespace report

std::string report_as_html(const Fit& fit, const ReportOptions& options) {
  using namespace report;
  const Material m = gather(fit, options);
  const std::vector<Section> sections = {
      fit_section(m),      calibration_section(m), sparsity_section(m), network_section(m),
      sampling_section(m), certificate_section(m), origin_section(m)};
  const std::string style = page_style();
  const std::string title = fmt::format("{}: report of a fit", m.target());
  std::string html = head(title, style);
  html += fmt::format(
      "<body>\n<header>\n<h1>{}</h1>\n<p class=\"lead\">A regression on {} with sparse ReLU "
      "networks, sampled from their posterior: {} rows, {}.</p>\n{}</header>\n<main>\n",
      escape(fmt::format("How {} was fitted", m.target())),
      escape(m.info.input_names.size() == 1 ? m.info.input_names.front()
                                            : fmt::format("{} inputs", m.info.input_names.size())),
      with_separators(m.info.rows), fmt::format("{} draws", with_separators(m.summary.draws)),
      contents(sections));
  html += verdict_html(m);
  for (const Section& section : sections) html += section_html(section);
  html += fmt::format(
      "</main>\n<footer><p>f is the function, without noise; y is an observation, with noise. "
      "Written by lacuna {}; the page loads nothing.</p></footer>\n<script>{}</script>\n"
      "</body>\n</html>\n",
      library_version(), page_script());
  return html;
}

void write_report(const Fit& fit, const ReportOptions& options, const std::filesystem::path& path) {
  const std::string html = report_as_html(fit, options);
  OutputFile file(path);
  file.write(html);
  file.close();
}

}  // namespace lacuna
