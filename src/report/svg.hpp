// A canvas that writes well-formed, self-contained SVG: shapes and text in pixels, y downward.
//
// Shapes with a coordinate that is not finite are left out (lines and bands skip the point), so no
// picture can contain "nan". Everything is said in attributes: no style sheet, identifier or script
// that could meet those of a page around it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lacuna::report {

// Distinguishable with any colour vision, after Okabe and Ito; blues differ in lightness as well.
namespace palette {
inline constexpr std::string_view background = "#ffffff";
inline constexpr std::string_view border = "#d5d8dc";
inline constexpr std::string_view grid = "#e6e8eb";
inline constexpr std::string_view axis = "#6b7280";
inline constexpr std::string_view ink = "#1f2937";
inline constexpr std::string_view muted = "#4b5563";
inline constexpr std::string_view pale = "#c9e2f5";
inline constexpr std::string_view middle = "#7fb8e3";
inline constexpr std::string_view strong = "#0b5394";
inline constexpr std::string_view accent = "#d55e00";
}  // namespace palette

struct Point {
  double x = 0.0;
  double y = 0.0;
};

struct Stroke {
  std::string_view colour = palette::ink;
  double width = 1.0;
  bool dashed = false;
  double opacity = 1.0;
};

struct Fill {
  std::string_view colour = palette::ink;
  double opacity = 1.0;
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 13.0;
  std::string_view colour = palette::ink;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upward = false;  // turned to read from bottom to top
};

class SvgCanvas {
 public:
  // Title and description are for screen readers and tooltips; they are not drawn.
  SvgCanvas(double width, double height, std::string_view title, std::string_view description);

  void line(Point from, Point to, const Stroke& stroke);
  void polyline(std::span<const Point> points, const Stroke& stroke);
  void polygon(std::span<const Point> corners, const Fill& fill);
  void rectangle(Point corner, double width, double height, const Fill& fill, double radius = 0.0);
  // Many of a kind, with their style written once.
  void segments(std::span<const std::pair<Point, Point>> ends, const Stroke& stroke);
  void circles(std::span<const Point> centres, double radius, const Fill& fill);
  void rings(std::span<const Point> centres, double radius, const Stroke& stroke);
  // `at` is where the baseline begins, has its middle or ends.
  void text(Point at, std::string_view words, const TextStyle& style);

  std::string finish() const;

 private:
  void round_marks(std::span<const Point> centres, double radius, std::string_view style);

  std::string body_;
};

// Text safe between tags and in quoted attributes. Bytes that are not UTF-8 and characters that XML
// forbids become the replacement character.
std::string escape(std::string_view text);

// A pixel coordinate: two decimals at most, no trailing zeros, no negative zero.
std::string pixels(double value);

// Width of a line of text in pixels, roughly, and rather too wide than too narrow.
double text_width(std::string_view text, double font_size);

// The text itself, or as much of it as fits with an ellipsis.
std::string shortened(std::string_view text, double font_size, double width);

}  // namespace lacuna::report
