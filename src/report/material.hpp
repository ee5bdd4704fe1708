// What the sections of a report are made of: the fit, its summary, series by walker, and the
// training rows with their predictions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/report.hpp"

namespace lacuna::report {

// Levels of the intervals in all pictures.
inline constexpr double shown_level = 0.9;

// One quantity over the draws, apart for every walker: element w of `of_walker`.
struct WalkerSeries {
  std::string name;   // as the summary has it
  std::string label;  // with units
  std::vector<std::vector<double>> of_walker;
};

// Training rows, at most `most_rows` of them, with their predictions.
struct FittedRows {
  static constexpr std::size_t most_rows = 4000;
  Dataset data;                  // of these rows
  std::vector<std::size_t> row;  // where each lies in the data as given, from 0
  std::size_t all = 0;           // rows that were fitted
  Prediction prediction;         // at shown_level, scored
  Scores scores;
};

struct Material {
  const Fit& fit;
  FitInfo info;  // with names short enough for a page; so are those of the summary and the rows
  Summary summary;
  std::size_t walkers = 0;  // of all chains together
  WalkerSeries risk, active;
  std::vector<WalkerSeries> probes;  // f, at three rows: low, middle and high targets
  std::vector<double> at_bound;      // per draw: share of its active weights at the box
  std::optional<FittedRows> rows;
  const ReportOptions& options;

  std::string target() const { return info.target_name; }
};

// Throws Error(bad_data) if the data of the options are not those of the fit.
Material gather(const Fit& fit, const ReportOptions& options);

}  // namespace lacuna::report
