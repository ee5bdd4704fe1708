// A canvas that writes well-formed, self-contained SVG: shapes and text in pixels, y downward.
#include "report/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

namespace lacuna::report {
namespace {

constexpr std::string_view kFonts =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr double kFarthest = 1e6;  // pixels; beyond it renderers lose precision

bool on_paper(double value) { return std::abs(value) <= kFarthest; }
bool on_paper(Point point) { return on_paper(point.x) && on_paper(point.y); }

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The first character of a non-empty text. Overlong forms, surrogates and what lies beyond U+10FFFF
// are not valid.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, bytes, true};
}

bool allowed_in_xml(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0x7F && code != 0xFFFE && code != 0xFFFF;
}

double width_in_ems(std::uint32_t code) {
  if (code >= 0x1100 && !(code >= 0x2000 && code < 0x2E80)) return 1.0;
  const std::string_view narrow = " .,:;'|!()[]ijlt";
  if (code < 0x80 && narrow.find(static_cast<char>(code)) != std::string_view::npos) return 0.38;
  const std::string_view wide = "MWmw%@";
  if (code < 0x80 && wide.find(static_cast<char>(code)) != std::string_view::npos) return 0.95;
  return code >= 'A' && code <= 'Z' ? 0.7 : 0.62;
}

std::string opacity(std::string_view name, double value) {
  return value < 1.0 ? fmt::format(" {}=\"{}\"", name, pixels(value)) : "";
}

std::string coordinates(std::span<const Point> points) {
  std::string text;
  for (const Point point : points) {
    if (!text.empty()) text += ' ';
    text += pixels(point.x) + ',' + pixels(point.y);
  }
  return text;
}

std::vector<Point> only_on_paper(std::span<const Point> points) {
  std::vector<Point> kept;
  for (const Point point : points) {
    if (on_paper(point)) kept.push_back(point);
  }
  return kept;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.valid || !allowed_in_xml(c.code)) {
      safe += kReplacement;
    } else if (c.code == '&') {
      safe += "&amp;";
    } else if (c.code == '<') {
      safe += "&lt;";
    } else if (c.code == '>') {
      safe += "&gt;";
    } else if (c.code == '"') {
      safe += "&quot;";
    } else if (c.code == '\'') {
      safe += "&#39;";
    } else {
      safe += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return safe;
}

std::string pixels(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double font_size) {
  double ems = 0.0;
  while (!text.empty()) {
    const Character c = first_character(text);
    ems += width_in_ems(c.code);
    text.remove_prefix(c.bytes);
  }
  return ems * font_size;
}

std::string shortened(std::string_view text, double font_size, double width) {
  if (text_width(text, font_size) <= width) return std::string(text);
  double room = width - font_size;
  std::size_t kept = 0;
  while (kept < text.size()) {
    const Character c = first_character(text.substr(kept));
    room -= width_in_ems(c.code) * font_size;
    if (room < 0.0) break;
    kept += c.bytes;
  }
  return std::string(text.substr(0, kept)) + "…";
}

SvgCanvas::SvgCanvas(const Sheet& sheet, std::string_view title, std::string_view description)
    : medium_(sheet.medium) {
  const std::string width = pixels(sheet.width), height = pixels(sheet.height);
  if (medium_ == Medium::page) {
    fmt::format_to(std::back_inserter(body_), "<svg role=\"img\" viewBox=\"0 0 {} {}\">\n", width,
                   height);
  } else {
    fmt::format_to(
        std::back_inserter(body_),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"{2}\">\n",
        width, height, kFonts);
  }
  fmt::format_to(std::back_inserter(body_), "<title>{}</title>\n<desc>{}</desc>\n", escape(title),
                 escape(description));
  if (medium_ == Medium::page) return;
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{}\" "
                 "stroke=\"{}\"/>\n",
                 pixels(sheet.width - 1.0), pixels(sheet.height - 1.0), paint(palette::background),
                 paint(palette::border));
}

std::string SvgCanvas::paint(const Colour& colour) const {
  return medium_ == Medium::page ? fmt::format("var(--{})", colour.role)
                                 : std::string(colour.light);
}

std::string SvgCanvas::attributes(const Fill& fill) const {
  return fmt::format("fill=\"{}\"{}", paint(fill.colour), opacity("fill-opacity", fill.opacity));
}

std::string SvgCanvas::attributes(const Stroke& stroke) const {
  return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}{}", paint(stroke.colour),
                     pixels(stroke.width), stroke.dashed ? " stroke-dasharray=\"7 4\"" : "",
                     opacity("stroke-opacity", stroke.opacity));
}

std::string SvgCanvas::tip_attribute(std::string_view tip) const {
  if (medium_ == Medium::file || tip.empty()) return "";
  return fmt::format(" data-tip=\"{}\"", escape(tip));
}

void SvgCanvas::line(Point from, Point to, const Stroke& stroke) {
  if (!on_paper(from) || !on_paper(to)) return;
  fmt::format_to(std::back_inserter(body_), "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n",
                 pixels(from.x), pixels(from.y), pixels(to.x), pixels(to.y), attributes(stroke));
}

void SvgCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
  const auto kept = only_on_paper(points);
  if (kept.size() < 2) return;
  fmt::format_to(std::back_inserter(body_),
                 "<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n",
                 coordinates(kept), attributes(stroke));
}

void SvgCanvas::polygon(std::span<const Point> corners, const Fill& fill) {
  const auto kept = only_on_paper(corners);
  if (kept.size() < 3) return;
  fmt::format_to(std::back_inserter(body_), "<polygon points=\"{}\" {}/>\n", coordinates(kept),
                 attributes(fill));
}

void SvgCanvas::rectangle(Point corner, double width, double height, const Fill& fill,
                          double radius, std::string_view tip) {
  if (!on_paper(corner) || !on_paper(width) || !on_paper(height) || width < 0.0 || height < 0.0)
    return;
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{} {}{}/>\n", pixels(corner.x),
                 pixels(corner.y), pixels(width), pixels(height),
                 radius > 0.0 ? fmt::format(" rx=\"{}\"", pixels(radius)) : "", attributes(fill),
                 tip_attribute(tip));
}

void SvgCanvas::segments(std::span<const std::pair<Point, Point>> ends, const Stroke& stroke) {
  std::string path;
  for (const auto& [from, to] : ends) {
    if (!on_paper(from) || !on_paper(to)) continue;
    fmt::format_to(std::back_inserter(path), "M{} {}L{} {}", pixels(from.x), pixels(from.y),
                   pixels(to.x), pixels(to.y));
  }
  if (path.empty()) return;
  fmt::format_to(std::back_inserter(body_), "<path d=\"{}\" fill=\"none\" {}/>\n", path,
                 attributes(stroke));
}

void SvgCanvas::circles(std::span<const Point> centres, double radius, const Fill& fill,
                        std::span<const std::string> tips) {
  round_marks(centres, radius, attributes(fill), tips);
}

void SvgCanvas::rings(std::span<const Point> centres, double radius, const Stroke& stroke,
                      std::span<const std::string> tips) {
  round_marks(centres, radius,
              fmt::format("fill=\"{}\" {}", paint(palette::background), attributes(stroke)), tips);
}

void SvgCanvas::round_marks(std::span<const Point> centres, double radius, std::string_view style,
                            std::span<const std::string> tips) {
  if (only_on_paper(centres).empty()) return;
  fmt::format_to(std::back_inserter(body_), "<g {}>\n", style);
  for (std::size_t i = 0; i < centres.size(); ++i) {
    if (!on_paper(centres[i])) continue;
    fmt::format_to(std::back_inserter(body_), "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n",
                   pixels(centres[i].x), pixels(centres[i].y), pixels(radius),
                   i < tips.size() ? tip_attribute(tips[i]) : "");
  }
  body_ += "</g>\n";
}

void SvgCanvas::link(Point from, Point to, const Stroke& stroke, std::string_view tip) {
  if (!on_paper(from) || !on_paper(to)) return;
  const std::string middle = pixels(0.5 * (from.x + to.x));
  const std::string path = fmt::format(
      "<path d=\"M{0} {1}C{2} {1} {2} {3} {4} {3}\" fill=\"none\" stroke-linecap=\"round\"",
      pixels(from.x), pixels(from.y), middle, pixels(to.y), pixels(to.x));
  const std::string attribute = tip_attribute(tip);
  if (attribute.empty()) {
    fmt::format_to(std::back_inserter(body_), "{} {}/>\n", path, attributes(stroke));
    return;
  }
  // A hair line is hard to point at, so a wider one that is not seen lies over it.
  fmt::format_to(std::back_inserter(body_),
                 "<g{}>{} {}/>{} stroke=\"transparent\" stroke-width=\"9\"/></g>\n", attribute,
                 path, attributes(stroke), path);
}

void SvgCanvas::hover_area(Point corner, double width, double height, std::string_view tip) {
  if (medium_ == Medium::file) return;
  if (!on_paper(corner) || !on_paper(width) || !on_paper(height)) return;
  fmt::format_to(std::back_inserter(body_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"transparent\"{}/>\n",
                 pixels(corner.x), pixels(corner.y), pixels(width), pixels(height),
                 tip_attribute(tip));
}

void SvgCanvas::begin_chain(std::size_t chain) {
  fmt::format_to(std::back_inserter(body_), "<g data-chain=\"{}\">\n", chain);
}

void SvgCanvas::end_chain() { body_ += "</g>\n"; }

void SvgCanvas::text(Point at, std::string_view words, const TextStyle& style) {
  if (!on_paper(at) || words.empty()) return;
  const std::string_view anchor = style.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                  : style.anchor == Anchor::end  ? " text-anchor=\"end\""
                                                                 : "";
  const std::string turn =
      style.upward ? fmt::format(" transform=\"rotate(-90 {} {})\"", pixels(at.x), pixels(at.y))
                   : "";
  fmt::format_to(std::back_inserter(body_),
                 "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{}{}{}>{}</text>\n",
                 pixels(at.x), pixels(at.y), pixels(style.size), paint(style.colour), anchor,
                 style.bold ? " font-weight=\"600\"" : "", turn, escape(words));
}

std::string SvgCanvas::finish() const { return body_ + "</svg>\n"; }

}  // namespace lacuna::report
