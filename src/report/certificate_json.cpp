// `lacuna certify --json`. Keys are a contract: they may be added, never renamed.
#include "lacuna/report.hpp"

#include "support/bounded_json.hpp"

namespace lacuna {
namespace {

using nlohmann::ordered_json;

ordered_json certificate_json(const Certificate& c) {
  ordered_json j = {{"title", c.title},
                    {"bounds", c.bounds},
                    {"bound_scaled", c.bound},
                    {"bound", c.bound_original},
                    {"trivial_scaled", c.trivial},
                    {"predicting_the_mean_scaled", c.reference},
                    {"vacuous", c.vacuous},
                    {"confidence", c.confidence},
                    {"terms", ordered_json::object()},
                    {"assumptions", c.assumptions},
                    {"monte_carlo", c.monte_carlo}};
  for (const BoundTerm& term : c.terms) j["terms"][term.key] = term.value;
  return j;
}

ordered_json evidence_json(const EvidenceSummary& e) {
  return {{"lambda", e.lambda},
          {"log_d_annealed", e.log_annealed},
          {"relative_error", e.annealed_error},
          {"log_d_local", e.log_local},
          {"minus_log_d_left_sum", e.left_sum},
          {"minus_log_d_right_sum", e.right_sum},
          {"sum_error", e.sum_error}};
}

}  // namespace

std::string certificates_as_json(const CertificateReport& report) {
  ordered_json j = {{"delta", report.delta},
                    {"target_scale", report.target_scale},
                    {"certificates", ordered_json::object()},
                    {"evidence", ordered_json::array()}};
  for (const Certificate& c : report.certificates) j["certificates"][c.key] = certificate_json(c);
  for (const EvidenceSummary& e : report.evidence) j["evidence"].push_back(evidence_json(e));
  return j.dump(2);
}

}  // namespace lacuna
