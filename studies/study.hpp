// What a study is made of. To add one: write a file that returns a `Study`, name it below and in
// run.cpp.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "studies/ledger.hpp"
#include "studies/run.hpp"
#include "studies/workbench.hpp"

namespace lacuna::studies {

// One row of the ledger, and how it is measured.
struct Task {
  Key key;
  std::function<Values(Workbench&)> measure;
  double cost = 1.0;  // relative to the others, for the time that is left
};

// What a study shows at its end.
struct Page {
  std::string text;                                           // Markdown, below the title
  std::vector<std::pair<std::string, std::string>> pictures;  // name of the file and SVG
};

struct Study {
  std::string name, title, about;
  std::vector<std::string> keys, values;  // columns of data.csv
  std::vector<Task> (*plan)(const StudyOptions& options);
  Page (*summarise)(const Ledger& ledger, const StudyOptions& options);
};

Study rates_study();
Study oracle_study();
Study coverage_study();
Study lambda_study();
Study authors_study();
Study mixing_study();

}  // namespace lacuna::studies
