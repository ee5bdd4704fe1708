// What is shown of a fit: a report as one HTML page, pictures as self-contained SVG text, and
// summary, theory and certificates as JSON.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "lacuna/certificate.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/fit.hpp"
#include "lacuna/theory.hpp"

namespace lacuna {

// With one input: the fit over the data with both bands, and the truth if it is given (one value
// per row of `data`). With several: predicted against observed, with predictive intervals.
std::string picture_of_fit(const Fit& fit, const Dataset& data, std::span<const double> truth = {},
                           double level = 0.9);

// The probability of each input being connected to the output.
std::string picture_of_inclusion(const Summary& summary);

// Whether it is vacuous, better than that, or better than predicting the mean; in words.
std::string judgement(const Certificate& certificate);

struct ReportOptions {
  std::string file = "the fit";   // its name, for what is said about it
  const Dataset* data = nullptr;  // the training rows; without them what shows rows is left out,
  std::string without_data = {};  // and this sentence says why and what to do
  const CertificateReport* certificates = nullptr;  // shown where given
  std::size_t threads = 0;
};

// `lacuna report`: one HTML page that loads nothing and needs no scripts, under 2 MB.
// Throws Error(bad_data) if the data are not those of the fit.
std::string report_as_html(const Fit& fit, const ReportOptions& options);
void write_report(const Fit& fit, const ReportOptions& options, const std::filesystem::path& path);

// `lacuna summary --json`. Numbers that are not finite are null.
std::string summary_as_json(const Fit& fit, const Summary& summary);

// `lacuna theory --json`, with the rates where a class of functions was given.
std::string theory_as_json(const TheoryReport& report, const RateReport* rates = nullptr);

// `lacuna certify --json`.
std::string certificates_as_json(const CertificateReport& report);

}  // namespace lacuna
