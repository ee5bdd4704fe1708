// The page as a whole: sections in order, what is left out, certificates, and harmless names.
#include <gtest/gtest.h>

#include "lacuna/errors.hpp"
#include "lacuna/report.hpp"
#include "report/page_style.hpp"
#include "support/sha256.hpp"
#include "unit/data/files.hpp"
#include "unit/report/xml_check.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna {
namespace {

using report::count_of;
using report::XmlCheck;

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

using Report = testing::InFolder;

Fit made_from(const Dataset& data, const Config& config) {
  Observer nobody;
  fit(data, config, "d.lacuna", "a test", nobody);
  return Fit::open("d.lacuna");
}

// The body is written as XML, so that a mistake in nesting cannot hide.
void expect_sound(const std::string& html) {
  const std::size_t begin = html.find("<body>"), script = html.find("<script>");
  ASSERT_NE(begin, html.npos);
  ASSERT_NE(script, html.npos);
  EXPECT_EQ(XmlCheck(html.substr(begin, script - begin) + "</body>").complaint(), "");
  EXPECT_EQ(count_of(html, "<figure"), count_of(html, "<svg"));
  EXPECT_EQ(count_of(html, "<script>"), 1u);
  for (const char* bad : {"=\"nan", ">nan<", "inf\""}) EXPECT_FALSE(has(html, bad)) << bad;
}

Config config_with_draws(std::uint64_t draws) {
  Config config = testing::quick_config();
  config.burn_in = 300;
  config.draws = draws;
  return config;
}

TEST_F(Report, HasItsSectionsInOrder) {
  const Dataset data = testing::small_data();
  const Fit made = made_from(data, config_with_draws(60));
  ReportOptions options;
  options.data = &data;
  const std::string html = report_as_html(made, options);
  expect_sound(html);
  std::size_t at = html.find("id=\"verdict\"");
  for (const char* id : {"fit", "calibration", "sparsity", "network", "sampling", "origin"}) {
    const std::size_t next = html.find("<section id=\"" + std::string(id) + "\"");
    ASSERT_NE(next, html.npos) << id;
    EXPECT_GT(next, at) << id;
    at = next;
  }
  EXPECT_FALSE(has(html, "id=\"certificate\""));
  EXPECT_EQ(html, report_as_html(made, options));
}

TEST_F(Report, LeavesOutRowsItDoesNotHave) {
  const Fit made = made_from(testing::small_data(), config_with_draws(4));
  ReportOptions options;
  options.without_data = "No rows <here>.";
  const std::string html = report_as_html(made, options);
  expect_sound(html);
  EXPECT_TRUE(has(html, "No rows &lt;here&gt;."));
  EXPECT_FALSE(has(html, "id=\"calibration\""));
  EXPECT_FALSE(has(html, "Residuals"));
}

TEST_F(Report, RefusesOtherData) {
  const Fit made = made_from(testing::small_data(), config_with_draws(4));
  const Dataset other = testing::small_data(25);
  ReportOptions options;
  options.file = "d.lacuna";
  options.data = &other;
  try {
    report_as_html(made, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_TRUE(std::string(error.what()).starts_with("d.lacuna: was fitted to other data (hash "));
  }
}

TEST_F(Report, ShowsCertificatesThatAreGiven) {
  const Fit made = made_from(testing::small_data(), config_with_draws(4));
  Certificate bound;
  bound.title = "A bound <of> some kind";
  bound.bounds = "the risk";
  bound.bound = 2.0;
  bound.bound_original = 18.0;
  bound.trivial = 4.0;
  bound.reference = 3.0;
  bound.confidence = 0.95;
  bound.terms = {{"lambda", "inverse temperature", 12.5}};
  bound.assumptions = {"rows are independent"};
  bound.monte_carlo = "nothing";
  CertificateReport report;
  report.certificates = {bound};
  ReportOptions options;
  options.certificates = &report;
  std::string html = report_as_html(made, options);
  expect_sound(html);
  for (const char* words :
       {"id=\"certificate\"", "A bound &lt;of&gt; some kind", "With probability 0.95, at most 18",
        "below the 3 of predicting the mean", "inverse temperature", "12.5",
        "<li>rows are independent</li>"}) {
    EXPECT_TRUE(has(html, words)) << words;
  }
  EXPECT_FALSE(has(html, "vacuous"));
  report.certificates[0].bound = 5.0;
  report.certificates[0].vacuous = true;
  html = report_as_html(made, options);
  EXPECT_TRUE(has(html, "All bounds are vacuous"));
  EXPECT_TRUE(has(html, "vacuous: not below 4"));
}

TEST_F(Report, NamesStayText) {
  Dataset data = testing::small_data();
  data.input_names = {"<script>alert(1)</script>", "\"&' \x01 caf\xE9"};
  data.target_name = "</title><b>";
  const Fit made = made_from(data, config_with_draws(50));
  ReportOptions options;
  options.data = &data;
  const std::string html = report_as_html(made, options);
  expect_sound(html);
  EXPECT_FALSE(has(html, "<b>"));
  EXPECT_TRUE(has(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST_F(Report, AFileWithoutDrawsHasAVerdictAndAnOrigin) {
  const std::string path = "d.lacuna";
  testing::quick_fit(path);
  const FitInfo info = read_info(path);
  FitWriter(path, info).close();
  const Dataset data = testing::small_data();
  ReportOptions options;
  options.data = &data;
  const std::string html = report_as_html(Fit::open(path), options);
  expect_sound(html);
  EXPECT_TRUE(has(html, "id=\"verdict\""));
  EXPECT_TRUE(has(html, "id=\"origin\""));
  EXPECT_FALSE(has(html, "<svg"));
}

TEST_F(Report, WeightsOfZeroAreNotRowsOfTheFit) {
  Dataset data = testing::small_data();
  data.weight.assign(data.rows, 2.0);
  data.weight[3] = 0.0;
  data.weight_name = "w";
  const Fit made = made_from(data, config_with_draws(20));
  ReportOptions options;
  options.data = &data;
  const std::string html = report_as_html(made, options);
  expect_sound(html);
  EXPECT_TRUE(has(html, "of the 23 training rows"));
  EXPECT_TRUE(has(html, "Rows count once here, whatever their weight."));
}

TEST_F(Report, PolicyAllowsItsOwnStyleAndScriptAlone) {
  const Fit made = made_from(testing::small_data(), config_with_draws(4));
  const std::string html = report_as_html(made, {});
  EXPECT_TRUE(has(html, "default-src 'none'; style-src 'sha256-" +
                            sha256_base64(report::page_style()) + "'; script-src 'sha256-" +
                            sha256_base64(report::page_script()) + "'"));
  EXPECT_TRUE(has(html, "<style>" + report::page_style() + "</style>"));
  EXPECT_EQ(report::page_script().find("</script"), std::string_view::npos);
}

}  // namespace
}  // namespace lacuna
