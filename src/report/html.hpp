// The parts that a page is put together from: paragraphs, tables, figures with their data,
// sections.
//
// Text is given as it is and escaped here; only what is called `html` or `svg` is taken verbatim.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::report {

// The first cell of each row names it.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::string note = {};  // what the table leaves out, for instance
};
std::string table_html(const Table& table);

// A picture, one sentence on how to read it, and the numbers behind it.
struct Figure {
  std::string heading;
  std::string reading;
  std::string svg;
  Table table;
  std::string note = {};  // what is not shown
  bool wide = false;      // takes the whole width of the page
};
std::string figure_html(const Figure& figure);
// Side by side where there is room.
std::string figures_html(const std::vector<Figure>& figures);

std::string paragraph_html(std::string_view text, std::string_view kind = {});

// Names and what they stand for.
std::string list_html(const std::vector<std::pair<std::string, std::string>>& entries);

struct Section {
  std::string id, heading;
  std::string question;  // that the section answers
  std::string html;      // nothing: the section is left out
};
std::string section_html(const Section& section);

}  // namespace lacuna::report
