// The three pictures: what they say, what they leave out, and that hostile or odd input stays
// harmless.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lacuna/errors.hpp"
#include "lacuna/plot.hpp"
#include "report/bar_picture.hpp"
#include "report/fit_picture.hpp"
#include "report/picture_support.hpp"
#include "report/scatter_picture.hpp"
#include "unit/report/xml_check.hpp"

namespace lacuna {
namespace {

using report::count_of;
using report::XmlCheck;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

void expect_sound(const std::string& svg) {
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  for (const char* bad : {"nan", "NaN", "inf\"", "<script"}) EXPECT_FALSE(has(svg, bad)) << bad;
}

FitPicture small_fit() {
  FitPicture picture;
  picture.title = "Fit";
  picture.x_label = "dose";
  picture.y_label = "response";
  for (int i = 0; i <= 20; ++i) {
    const double x = 0.1 * i;
    picture.x.push_back(x);
    picture.mean.push_back(std::sin(x));
    picture.f_lower.push_back(std::sin(x) - 0.1);
    picture.f_upper.push_back(std::sin(x) + 0.1);
    picture.y_lower.push_back(std::sin(x) - 0.3);
    picture.y_upper.push_back(std::sin(x) + 0.3);
  }
  picture.data_x = {0.3, 1.2, 1.9};
  picture.data_y = {0.2, 1.0, 0.8};
  picture.truth_x = picture.x;
  picture.truth_y = picture.mean;
  return picture;
}

TEST(FitPicture, NamesBothBandsWithTheirLevel) {
  FitPicture picture = small_fit();
  picture.level = 0.975;
  const std::string svg = draw_fit(picture);
  expect_sound(svg);
  EXPECT_TRUE(has(svg, ">97.5% credible band (function only)<"));
  EXPECT_TRUE(has(svg, ">97.5% predictive band (noise included)<"));
  for (const char* word : {">data<", ">posterior mean<", ">truth<", ">dose<", ">response<"}) {
    EXPECT_TRUE(has(svg, word)) << word;
  }
  EXPECT_EQ(count_of(svg, "<polygon"), 2u);
  EXPECT_EQ(count_of(svg, "<polyline"), 2u);
  EXPECT_EQ(count_of(svg, "<circle"), 4u);  // three data, one key
}

TEST(FitPicture, LeavesOutWhatIsNotGiven) {
  FitPicture picture = small_fit();
  for (auto* part : {&picture.truth_x, &picture.truth_y, &picture.y_lower, &picture.y_upper})
    part->clear();
  const std::string svg = draw_fit(picture);
  expect_sound(svg);
  EXPECT_FALSE(has(svg, "truth"));
  EXPECT_FALSE(has(svg, "noise included"));
  expect_sound(draw_fit(FitPicture{}));
}

TEST(FitPicture, DrawsAcrossMissingValuesAndNeverPrintsThem) {
  FitPicture picture = small_fit();
  picture.mean[4] = kNaN;
  picture.f_lower[5] = -kInfinity;
  picture.y_upper[6] = kInfinity;
  picture.data_y[0] = kNaN;
  picture.truth_y[3] = kNaN;
  const std::string svg = draw_fit(picture);
  expect_sound(svg);
  EXPECT_EQ(count_of(svg, "<polygon"), 2u);
  EXPECT_EQ(count_of(svg, "<polyline"), 2u);
  EXPECT_EQ(count_of(svg, "<circle"), 3u);
}

TEST(FitPicture, BandsCrossAGapInTheGridButTheTruthDoesNot) {
  FitPicture picture = small_fit();
  picture.truth_x.clear();
  picture.truth_y.clear();
  for (int i = 0; i < 100; ++i) {
    const double x = (i % 2 == 0 ? 0.0 : 1.5) + 0.005 * i;
    picture.truth_x.push_back(x);
    picture.truth_y.push_back(x);
  }
  const std::string svg = draw_fit(picture);
  expect_sound(svg);
  EXPECT_EQ(count_of(svg, "<polygon"), 2u);
  EXPECT_EQ(count_of(svg, "<polyline"), 3u);  // mean, and truth in two pieces
}

TEST(FitPicture, ThinsManyPointsAndSaysSo) {
  FitPicture picture = small_fit();
  picture.data_x.assign(50000, 1.0);
  picture.data_y.assign(50000, 0.5);
  const std::string svg = draw_fit(picture);
  expect_sound(svg);
  EXPECT_EQ(count_of(svg, "<circle"), 2001u);
  EXPECT_TRUE(has(svg, "Showing 2,000 of 50,000 data points.</desc>"));
  EXPECT_LT(svg.size(), 200000u);
}

TEST(FitPicture, EscapesLabels) {
  FitPicture picture = small_fit();
  picture.title = picture.x_label = picture.y_label = "<script>alert('x')</script>";
  const std::string svg = draw_fit(picture);
  expect_sound(svg);
  EXPECT_TRUE(has(svg, "&lt;script&gt;"));
}

TEST(FitPicture, DrawsConstantTinyAndHugeValues) {
  for (const double scale : {0.0, 1e-300, 1e-9, 1e12, 1e299, 1e308}) {
    FitPicture picture = small_fit();
    for (auto* part :
         {&picture.x, &picture.mean, &picture.data_x, &picture.data_y, &picture.y_upper}) {
      for (double& value : *part) value *= scale;
    }
    expect_sound(draw_fit(picture));
  }
}

TEST(FitPicture, RefusesUnequalLengths) {
  FitPicture picture = small_fit();
  picture.mean.pop_back();
  try {
    draw_fit(picture);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    EXPECT_STREQ(error.what(), "draw_fit: mean must have 21 values, got 20");
  }
  picture = small_fit();
  picture.f_upper.clear();
  EXPECT_THROW(draw_fit(picture), Error);
}

ScatterPicture small_scatter() {
  return {.title = "Test set",
          .observed = {1.0, 2.0, 3.0, 4.0},
          .mean = {1.1, 2.1, 2.9, 6.0},
          .y_lower = {0.5, 1.5, 2.5, 5.5},
          .y_upper = {1.5, 2.5, 3.5, 6.5},
          .level = 0.9};
}

TEST(ScatterPicture, WritesOutTheShareCovered) {
  const std::string svg = draw_observed_against_predicted(small_scatter());
  expect_sound(svg);
  EXPECT_TRUE(has(
      svg, ">3 of 4 observations (75.0%) lie in their 90% predictive interval (noise included)<"));
  EXPECT_EQ(count_of(svg, "<circle"), 6u);  // four points, two keys
}

TEST(ScatterPicture, CountsOnlyCompletePoints) {
  ScatterPicture picture = small_scatter();
  picture.mean[0] = kNaN;
  picture.y_upper[1] = kInfinity;
  const std::string svg = draw_observed_against_predicted(picture);
  expect_sound(svg);
  EXPECT_TRUE(has(svg, ">1 of 2 observations (50.0%)"));
  EXPECT_TRUE(has(draw_observed_against_predicted({}), "No points to show."));
}

TEST(ScatterPicture, CountsAllPointsWhenThinned) {
  ScatterPicture picture;
  for (int i = 0; i < 6000; ++i) {
    picture.observed.push_back(i);
    picture.mean.push_back(i);
    picture.y_lower.push_back(i % 3 == 0 ? i + 1 : i - 1);
    picture.y_upper.push_back(i + 2);
  }
  const std::string svg = draw_observed_against_predicted(picture);
  expect_sound(svg);
  EXPECT_TRUE(has(svg, "4,000 of 6,000 observations (66.7%)"));
  EXPECT_TRUE(has(svg, "Showing 2,000 of 6,000 points."));
  EXPECT_EQ(count_of(svg, "<circle"), 2002u);
}

TEST(ScatterPicture, RefusesUnequalLengths) {
  ScatterPicture picture = small_scatter();
  picture.y_lower.pop_back();
  EXPECT_THROW(draw_observed_against_predicted(picture), Error);
}

TEST(BarPicture, WritesNamesAndValues) {
  const std::string svg = draw_bars({"Inputs",
                                     {"age", "<script>", "zero", "lost"},
                                     {0.97, 0.004, 0.0, kNaN},
                                     "inclusion probability"});
  expect_sound(svg);
  for (const char* word : {">age<", ">0.97<", ">&lt;script&gt;<", ">0.004<", ">0.00<", ">1.0<"}) {
    EXPECT_TRUE(has(svg, word)) << word;
  }
  EXPECT_FALSE(has(svg, ">lost<"));
  EXPECT_TRUE(has(svg, "Showing 3 of 4."));
}

TEST(BarPicture, KeepsTheLargestOfMany) {
  BarPicture picture{.title = "", .labels = {}, .values = {}, .x_label = "share"};
  for (int i = 0; i < 100; ++i) {
    picture.labels.push_back("x" + std::to_string(i));
    picture.values.push_back(0.01 * i);
  }
  const std::string svg = draw_bars(picture);
  expect_sound(svg);
  EXPECT_TRUE(has(svg, ">x60<"));
  EXPECT_FALSE(has(svg, ">x59<"));
  EXPECT_LT(svg.find(">x60<"), svg.find(">x99<"));
}

TEST(BarPicture, TakesNegativeHugeAndNoValues) {
  const std::string svg = draw_bars({"", {"a", "b"}, {-3.0, 2e9}, ""});
  expect_sound(svg);
  EXPECT_TRUE(has(svg, "−3.00"));
  expect_sound(draw_bars({}));
  EXPECT_THROW(draw_bars({"", {"a"}, {}, ""}), Error);
}

TEST(PictureSupport, ChoosesEvenlyWithoutLocksteps) {
  const auto chosen = report::evenly_chosen(100000, 2000);
  std::size_t odd = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    EXPECT_EQ(chosen[i] / 50, i);
    odd += chosen[i] % 2;
  }
  EXPECT_NEAR(static_cast<double>(odd), 1000.0, 120.0);
  EXPECT_EQ(report::evenly_chosen(3, 5), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(report::evenly_chosen(0, 5).empty());
}

TEST(PictureSupport, WritesCountsAndShares) {
  EXPECT_EQ(report::with_separators(0), "0");
  EXPECT_EQ(report::with_separators(999), "999");
  EXPECT_EQ(report::with_separators(1234567), "1,234,567");
  EXPECT_EQ(report::number(-0.123456), "−0.1235");
  EXPECT_EQ(report::number(251234.6), "251235");
  EXPECT_EQ(report::number(1.5e9), "1.5e+09");
  EXPECT_EQ(report::number(kNaN), "–");
  EXPECT_EQ(report::percent(0.9), "90%");
  EXPECT_EQ(report::percent(0.999), "99.9%");
}

Plot small_plot() {
  Plot plot;
  plot.title = "Risk <n>";
  plot.x_label = "n";
  plot.y_label = "risk";
  plot.log_x = plot.log_y = true;
  plot.curves.push_back({.label = "measured",
                         .x = {100, 1000, 10000},
                         .y = {0.1, 0.03, 0.01},
                         .lower = {0.08, 0.02, 0.005},
                         .upper = {0.12, 0.04, 0.02}});
  plot.curves.push_back(
      {.x = {100, 10000}, .y = {0.1, 0.01}, .style = CurveStyle::dashes, .colour = 1});
  plot.marks.push_back({500.0, "here"});
  return plot;
}

TEST(PlotPicture, ShowsPointsIntervalsLinesAndMarks) {
  const std::string svg = picture_of_plot(small_plot());
  expect_sound(svg);
  for (const char* part : {"Risk &lt;n&gt;", "measured", "here", ">1000<"}) {
    EXPECT_TRUE(has(svg, part)) << part;
  }
  EXPECT_EQ(count_of(svg, "<circle"), 3u + 1u);  // and the key
}

TEST(PlotPicture, LeavesOutWhatALogarithmHasNoPlaceFor) {
  Plot plot = small_plot();
  plot.curves[0].y = {0.0, -1.0, kNaN};
  plot.curves[0].lower = {kInfinity, 0.0, kNaN};
  plot.marks[0].x = -5.0;
  const std::string svg = picture_of_plot(plot);
  expect_sound(svg);
  EXPECT_EQ(count_of(svg, "<circle"), 1u);
}

}  // namespace
}  // namespace lacuna
