// The canvas: well-formed output, escaped text, short numbers, and nothing that is not finite.
#include "report/svg.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "unit/report/xml_check.hpp"

namespace lacuna::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(XmlCheck, SeesWhatIsBroken) {
  EXPECT_EQ(XmlCheck("<a b=\"1\"><c/>x &lt; y</a>\n").complaint(), "");
  for (const char* broken : {"", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a>&nbsp;</a>",
                             "<a>\x01</a>", "<a b=\"1\" b=\"2\"/>", "<a b=\"<\"/>", "text"}) {
    EXPECT_NE(XmlCheck(broken).complaint(), "") << broken;
  }
}

TEST(Escape, MakesTextSafe) {
  EXPECT_EQ(escape("<script>\"a\" & 'b'</script>"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;");
  EXPECT_EQ(escape("Größe in µm, 温度"), "Größe in µm, 温度");
}

TEST(Escape, ReplacesWhatXmlForbids) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(escape(std::string("a\0b\x1B", 4)), "a" + mark + "b" + mark);
  EXPECT_EQ(escape("\xFF"), mark);
  EXPECT_EQ(escape("caf\xE9"), "caf" + mark);                        // Latin-1
  EXPECT_EQ(escape("\xC0\xAF"), mark + mark);                        // overlong
  EXPECT_EQ(escape("\xE2\x82"), mark + mark);                        // cut short
  EXPECT_EQ(escape("\xED\xA0\x80"), mark + mark + mark);             // surrogate
  EXPECT_EQ(escape("\xF4\x90\x80\x80"), mark + mark + mark + mark);  // beyond U+10FFFF
  EXPECT_EQ(escape("\xEF\xBF\xBF"), mark);                           // U+FFFF
}

TEST(Pixels, AreShort) {
  EXPECT_EQ(pixels(1.0), "1");
  EXPECT_EQ(pixels(1.5), "1.5");
  EXPECT_EQ(pixels(2.0 / 3.0), "0.67");
  EXPECT_EQ(pixels(-0.001), "0");
  EXPECT_EQ(pixels(100.0), "100");
}

TEST(Text, IsShortenedAtCharactersNotBytes) {
  EXPECT_EQ(shortened("short", 13.0, 500.0), "short");
  const std::string cut = shortened("µµµµµµµµµµµµµµµµµµµµ", 10.0, 60.0);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(text_width(cut, 10.0), 60.0);
  EXPECT_EQ(escape(cut), cut);
  EXPECT_EQ(shortened("anything", 13.0, 0.0), "…");
}

TEST(Canvas, IsAnAccessibleSelfContainedImage) {
  SvgCanvas canvas({.width = 300.0, .height = 200.0}, "A <title>", "What & why");
  const std::string svg = canvas.finish();
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  EXPECT_NE(svg.find("role=\"img\""), svg.npos);
  EXPECT_NE(svg.find("<title>A &lt;title&gt;</title>"), svg.npos);
  EXPECT_NE(svg.find("<desc>What &amp; why</desc>"), svg.npos);
  EXPECT_NE(svg.find("viewBox=\"0 0 300 200\""), svg.npos);
  EXPECT_EQ(count_of(svg, "http"), 1u);  // the namespace
  for (const char* outside : {"href", "url(", " id=", "<style", "<script"}) {
    EXPECT_EQ(svg.find(outside), svg.npos) << outside;
  }
}

TEST(Canvas, DrawsEveryShape) {
  SvgCanvas canvas({.width = 100.0, .height = 100.0}, "t", "d");
  const std::vector<Point> points = {{1, 2}, {3, 4}, {5, 2}};
  const std::vector<std::pair<Point, Point>> ends = {{{0, 0}, {1, 1}}, {{2, 2}, {3, 3}}};
  canvas.line({0, 0}, {10, 10}, {.dashed = true, .opacity = 0.5});
  canvas.polyline(points, {});
  canvas.polygon(points, {});
  canvas.rectangle({1, 1}, 5, 5, {}, 2.0);
  canvas.segments(ends, {});
  canvas.circles(points, 2.0, {});
  canvas.rings(points, 2.0, {});
  canvas.text({5, 5}, "<b>", {.anchor = Anchor::end, .bold = true, .upward = true});
  const std::string svg = canvas.finish();
  EXPECT_EQ(XmlCheck(svg).complaint(), "");
  EXPECT_NE(svg.find("points=\"1,2 3,4 5,2\""), svg.npos);
  EXPECT_NE(svg.find("M0 0L1 1M2 2L3 3"), svg.npos);
  EXPECT_NE(svg.find("stroke-dasharray"), svg.npos);
  EXPECT_NE(svg.find("rotate(-90 5 5)"), svg.npos);
  EXPECT_NE(svg.find(">&lt;b&gt;</text>"), svg.npos);
  EXPECT_EQ(count_of(svg, "<circle"), 6u);
}

TEST(Canvas, LeavesOutWhatIsNotFinite) {
  SvgCanvas canvas({.width = 100.0, .height = 100.0}, "t", "d");
  const std::string empty = canvas.finish();
  const std::vector<std::pair<Point, Point>> ends = {{{0, kNaN}, {1, 1}}};
  const std::vector<Point> lost = {{kNaN, 1}, {1, kInfinity}, {2, 2}};
  canvas.line({0, kNaN}, {1, 1}, {});
  canvas.polyline(lost, {});
  canvas.polygon(lost, {});
  canvas.rectangle({1, 1}, kInfinity, 5, {});
  canvas.rectangle({1, 1}, -1.0, 5, {});
  canvas.segments(ends, {});
  canvas.circles(std::vector<Point>{{kNaN, 1}}, 2.0, {});
  canvas.text({kNaN, 0}, "words", {});
  canvas.text({0, 0}, "", {});
  EXPECT_EQ(canvas.finish(), empty);

  canvas.circles(lost, 2.0, {});
  canvas.polyline(std::vector<Point>{{1, 1}, {kNaN, 2}, {3, 3}}, {});
  const std::string svg = canvas.finish();
  EXPECT_EQ(count_of(svg, "<circle"), 1u);
  EXPECT_NE(svg.find("points=\"1,1 3,3\""), svg.npos);
  EXPECT_EQ(svg.find("nan"), svg.npos);
  EXPECT_EQ(svg.find("inf"), svg.npos);
}

}  // namespace
}  // namespace lacuna::report
