// What is guaranteed: each certificate with its judgement, its terms and its assumptions.
#include <fmt/format.h>

#include "report/picture_support.hpp"
#include "report/sections.hpp"

namespace lacuna::report {
namespace {

std::string list_of(const std::vector<std::string>& sentences) {
  std::string html = "<ul>\n";
  for (const std::string& one : sentences) html += fmt::format("<li>{}</li>\n", escape(one));
  return html + "</ul>\n";
}

std::string certificate_html(const Certificate& c, const std::string& target) {
  std::string html = fmt::format("<h3>{}</h3>\n", escape(c.title));
  html += paragraph_html(
      fmt::format("With probability {:g}, at most {} in squared units of {} ({} in "
                  "scaled units): {}.",
                  c.confidence, number(c.bound_original), target, number(c.bound), judgement(c)));
  html += paragraph_html("What is bounded: " + c.bounds + ".");
  std::vector<std::pair<std::string, std::string>> terms;
  for (const BoundTerm& term : c.terms) terms.emplace_back(term.words, number(term.value));
  html += list_html(terms);
  html += paragraph_html("It assumes:") + list_of(c.assumptions);
  return html + paragraph_html("What was simulated: " + c.monte_carlo + ".");
}

}  // namespace

Section certificate_section(const Material& m) {
  Section section{"certificate", "Certificate", "What is guaranteed, and under which assumptions?",
                  ""};
  if (m.options.certificates == nullptr) return section;
  const CertificateReport& report = *m.options.certificates;
  bool all_vacuous = true;
  for (const Certificate& c : report.certificates) all_vacuous = all_vacuous && c.vacuous;
  if (all_vacuous) {
    section.html = paragraph_html(
        "All bounds are vacuous: none says more than was known before looking at the data. That is "
        "usual with few rows, and no sign of a bad fit; rows that were held out bound the error "
        "far better.");
  }
  for (const Certificate& c : report.certificates) section.html += certificate_html(c, m.target());
  return section;
}

}  // namespace lacuna::report

namespace lacuna {

std::string judgement(const Certificate& c) {
  if (c.vacuous)
    return fmt::format("vacuous: not below {:.4g}, which holds without any data", c.trivial);
  if (c.bound >= c.reference) {
    return fmt::format(
        "not vacuous (below {:.4g}), but no better than the {:.4g} of predicting the mean",
        c.trivial, c.reference);
  }
  return fmt::format("says something: below the {:.4g} of predicting the mean", c.reference);
}

}  // namespace lacuna
