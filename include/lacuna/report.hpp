// What is shown of a fit: pictures as self-contained SVG text, and summary, theory and certificates
// as JSON.
#pragma once

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

// `lacuna summary --json`. Numbers that are not finite are null.
std::string summary_as_json(const Fit& fit, const Summary& summary);

// `lacuna theory --json`, with the rates where a class of functions was given.
std::string theory_as_json(const TheoryReport& report, const RateReport* rates = nullptr);

// `lacuna certify --json`.
std::string certificates_as_json(const CertificateReport& report);

}  // namespace lacuna
