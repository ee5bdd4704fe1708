// The sections of a report, in the order in which they are read. One without anything to say is
// empty.
#pragma once

#include "report/html.hpp"
#include "report/material.hpp"
#include "report/svg.hpp"

namespace lacuna::report {

// Figures of a page: two of them fit beside each other on a wide screen, one fills a phone.
inline constexpr Sheet page_sheet = {.medium = Medium::page, .width = 440.0, .height = 320.0};

std::string verdict_html(const Material& material);  // stands above the sections
Section fit_section(const Material& material);
Section calibration_section(const Material& material);
Section sparsity_section(const Material& material);
Section network_section(const Material& material);
Section sampling_section(const Material& material);
Section certificate_section(const Material& material);
Section origin_section(const Material& material);

}  // namespace lacuna::report
