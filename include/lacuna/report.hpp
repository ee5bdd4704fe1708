// What is shown of a fit: a report as one HTML page, pictures as self-contained SVG text, and the
// summary as JSON.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/dataset.hpp"
#include "lacuna/fit.hpp"

namespace lacuna {

// With one input: the fit over the data with both bands, and the truth if it is given (one value
// per row of `data`). With several: predicted against observed, with predictive intervals.
std::string picture_of_fit(const Fit& fit, const Dataset& data, std::span<const double> truth = {},
                           double level = 0.9);

// The probability of each input being connected to the output.
std::string picture_of_inclusion(const Summary& summary);

// A bound on the error with its proof's assumptions, for a report to show.
struct CertificateView {
  bool vacuous = false;  // says no more than was known before looking at the data
  std::string sentence;  // what is certified, in words
  std::vector<std::pair<std::string, std::string>> numbers;  // names and values with units
  std::vector<std::string> assumptions;
};

struct ReportOptions {
  std::string file = "the fit";   // its name, for what is said about it
  const Dataset* data = nullptr;  // the training rows; without them what shows rows is left out,
  std::string without_data = {};  // and this sentence says why and what to do
  std::optional<CertificateView> certificate = {};
  std::size_t threads = 0;
};

// `lacuna report`: one HTML page that loads nothing and needs no scripts, under 2 MB.
// Throws Error(bad_data) if the data are not those of the fit.
std::string report_as_html(const Fit& fit, const ReportOptions& options);
void write_report(const Fit& fit, const ReportOptions& options, const std::filesystem::path& path);

// `lacuna summary --json`. Numbers that are not finite are null.
std::string summary_as_json(const Fit& fit, const Summary& summary);

}  // namespace lacuna
