// `lacuna theory --json`. Keys are a contract: they may be added, never renamed.
#include "lacuna/report.hpp"

#include "support/bounded_json.hpp"

namespace lacuna {
namespace {

using nlohmann::ordered_json;

ordered_json setting_json(const TheorySetting& s) {
  return {{"n", s.n},
          {"p", s.inputs},
          {"depth", s.depth},
          {"width", s.width},
          {"bound", s.bound},
          {"clip", s.clip},
          {"base", s.base},
          {"sigma", s.sigma},
          {"gamma", s.tail.value_or(s.sigma)},
          {"k", s.second_moment},
          {"delta", s.delta},
          {"approximation", s.approximation}};
}

ordered_json row_json(const OracleRow& row) {
  return {{"active", row.active},
          {"kl_inside", row.kl_inside},
          {"kl_corner", row.kl_corner},
          {"kl_bound_lemma", row.kl_lemma},
          {"kl_bound_simple", row.kl_simple},
          {"pac_bayes", row.pac_bayes},
          {"oracle", row.oracle},
          {"oracle_mean", row.oracle_mean},
          {"vacuous", row.vacuous},
          {"rows_needed", row.rows_needed}};
}

ordered_json rates_json(const RateReport& rates) {
  return {{"effective_smoothness", rates.effective_smoothness},
          {"worst_level", rates.worst_level},
          {"beta", rates.beta},
          {"t", rates.t},
          {"exponent", rates.exponent},
          {"rate", rates.rate},
          {"m", rates.m},
          {"depth", rates.depth},
          {"width", rates.width},
          {"active_bound", rates.active},
          {"smallest_m", rates.smallest_m},
          {"m_large_enough", rates.m >= rates.smallest_m},
          {"inputs_few_enough", rates.inputs_few_enough}};
}

}  // namespace

std::string theory_as_json(const TheoryReport& report, const RateReport* rates) {
  ordered_json j = {{"setting", setting_json(report.setting)},
                    {"parameters", report.parameters},
                    {"xi_0", report.xi_0},
                    {"w", report.w},
                    {"lambda", *report.setting.lambda},
                    {"theory_lambda", report.theory_lambda},
                    {"lambda_largest", report.lambda_largest},
                    {"lambda_limit", report.lambda_limit},
                    {"c_n_lambda", report.factor},
                    {"n_0", report.n_0},
                    {"log_lipschitz", report.log_lipschitz},
                    {"log_eta", report.log_eta},
                    {"trivial_bound", report.trivial},
                    {"oracle", ordered_json::array()}};
  for (const OracleRow& row : report.oracle) j["oracle"].push_back(row_json(row));
  if (rates != nullptr) j["rates"] = rates_json(*rates);
  return j.dump(2);
}

}  // namespace lacuna
