#include "report/html.hpp"

#include <fmt/format.h>

#include <iterator>

#include "report/svg.hpp"

namespace lacuna::report {
namespace {

void add_row(std::string& html, const std::vector<std::string>& cells, bool header) {
  html += "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string_view tag = header || i == 0 ? "th" : "td";
    fmt::format_to(std::back_inserter(html), "<{0}{1}>{2}</{0}>", tag,
                   header   ? " scope=\"col\""
                   : i == 0 ? " scope=\"row\""
                            : "",
                   escape(cells[i]));
  }
  html += "</tr>\n";
}

}  // namespace

std::string table_html(const Table& table) {
  std::string html =
      "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table>\n<thead>";
  add_row(html, table.header, true);
  html += "</thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) add_row(html, row, false);
  html += "</tbody>\n</table></div>\n";
  if (!table.note.empty()) html += paragraph_html(table.note, "note");
  return html;
}

std::string paragraph_html(std::string_view text, std::string_view kind) {
  if (kind.empty()) return fmt::format("<p>{}</p>\n", escape(text));
  return fmt::format("<p class=\"{}\">{}</p>\n", kind, escape(text));
}

std::string list_html(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string html = "<dl>\n";
  for (const auto& [name, meaning] : entries) {
    fmt::format_to(std::back_inserter(html), "<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name),
                   escape(meaning));
  }
  return html + "</dl>\n";
}

std::string figure_html(const Figure& figure) {
  std::string html = fmt::format(
      "<figure{}>\n<figcaption><h3>{}</h3>\n<p>{}</p></figcaption>\n<div class=\"plot\">{}</div>\n",
      figure.wide ? " class=\"wide\"" : "", escape(figure.heading), escape(figure.reading),
      figure.svg);
  if (!figure.note.empty()) html += paragraph_html(figure.note, "note");
  fmt::format_to(std::back_inserter(html),
                 "<details><summary>The numbers: {}</summary>\n{}</details>\n</figure>\n",
                 escape(figure.heading), table_html(figure.table));
  return html;
}

std::string figures_html(const std::vector<Figure>& figures) {
  std::string html = "<div class=\"figures\">\n";
  for (const Figure& figure : figures) html += figure_html(figure);
  return html + "</div>\n";
}

std::string section_html(const Section& section) {
  if (section.html.empty()) return "";
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n"
      "<p class=\"question\">{2}</p>\n{3}</section>\n",
      section.id, escape(section.heading), escape(section.question), section.html);
}

}  // namespace lacuna::report
