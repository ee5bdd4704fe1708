// A canvas that writes well-formed, self-contained SVG: shapes and text in pixels, y downward.
//
// Shapes with a coordinate that is not finite are left out (lines and bands skip the point), so no
// picture can contain "nan". Everything is said in attributes: no style sheet, identifier or script
// that could meet those of a page around it. In a page of ours colours are variables of its style
// sheet, so that they follow the reader's choice of light or dark, and shapes carry the text that
// its script shows for them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lacuna::report {

// A colour by what it is for, and how it looks on light and on dark paper.
struct Colour {
  std::string_view role, light, dark;
};

// Distinguishable with any colour vision, after Okabe and Ito; blues differ in lightness as well.
namespace palette {
inline constexpr Colour background = {"background", "#ffffff", "#171a21"};
inline constexpr Colour border = {"border", "#d5d8dc", "#343a46"};
inline constexpr Colour grid = {"grid", "#e6e8eb", "#2a2f3a"};
inline constexpr Colour axis = {"axis", "#6b7280", "#8b93a1"};
inline constexpr Colour ink = {"ink", "#1f2937", "#e8eaed"};
inline constexpr Colour muted = {"muted", "#4b5563", "#b3b9c4"};
inline constexpr Colour pale = {"pale", "#c9e2f5", "#1d3a54"};
inline constexpr Colour middle = {"middle", "#7fb8e3", "#34678f"};
inline constexpr Colour strong = {"strong", "#0b5394", "#7cc0f5"};
inline constexpr Colour accent = {"accent", "#d55e00", "#f59a52"};
inline constexpr std::array all = {background, border, grid,   axis,   ink,
                                   muted,      pale,   middle, strong, accent};
// Of chains, in turn.
inline constexpr std::array series = {
    Colour{"series-0", "#0072b2", "#5fb3e8"}, Colour{"series-1", "#d55e00", "#f59a52"},
    Colour{"series-2", "#00805c", "#3fc79a"}, Colour{"series-3", "#a8508a", "#e39cc6"},
    Colour{"series-4", "#8a6d00", "#e0bf3e"}, Colour{"series-5", "#5b5fc7", "#a3a6f2"}};
}  // namespace palette

// Where a picture is seen: in a file of its own, or in a page of ours, which has its title and
// notes in words around it.
enum class Medium { file, page };

struct Sheet {
  Medium medium = Medium::file;
  double width = 760.0;
  double height = 480.0;
};

struct Point {
  double x = 0.0;
  double y = 0.0;
};

struct Stroke {
  Colour colour = palette::ink;
  double width = 1.0;
  bool dashed = false;
  double opacity = 1.0;
};

struct Fill {
  Colour colour = palette::ink;
  double opacity = 1.0;
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 13.0;
  Colour colour = palette::ink;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upward = false;  // turned to read from bottom to top
};

class SvgCanvas {
 public:
  // Title and description are for screen readers and tooltips; they are not drawn.
  SvgCanvas(const Sheet& sheet, std::string_view title, std::string_view description);

  void line(Point from, Point to, const Stroke& stroke);
  void polyline(std::span<const Point> points, const Stroke& stroke);
  void polygon(std::span<const Point> corners, const Fill& fill);
  void rectangle(Point corner, double width, double height, const Fill& fill, double radius = 0.0,
                 std::string_view tip = {});
  // Many of a kind, with their style written once.
  void segments(std::span<const std::pair<Point, Point>> ends, const Stroke& stroke);
  void circles(std::span<const Point> centres, double radius, const Fill& fill,
               std::span<const std::string> tips = {});
  void rings(std::span<const Point> centres, double radius, const Stroke& stroke,
             std::span<const std::string> tips = {});
  // From left to right in the shape of an S.
  void link(Point from, Point to, const Stroke& stroke, std::string_view tip = {});
  // Nothing to see, but the text of a tip where the reader points.
  void hover_area(Point corner, double width, double height, std::string_view tip);
  // `at` is where the baseline begins, has its middle or ends.
  void text(Point at, std::string_view words, const TextStyle& style);

  // What is drawn in between belongs to one chain, which a page can show alone.
  void begin_chain(std::size_t chain);
  void end_chain();

  std::string finish() const;

 private:
  void round_marks(std::span<const Point> centres, double radius, std::string_view style,
                   std::span<const std::string> tips);
  std::string paint(const Colour& colour) const;
  std::string attributes(const Fill& fill) const;
  std::string attributes(const Stroke& stroke) const;
  std::string tip_attribute(std::string_view tip) const;

  Medium medium_;
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
