// A quantity as chains saw it: draw by draw, and by rank among all draws.
#pragma once

#include <string>
#include <vector>

#include "report/svg.hpp"

namespace lacuna::report {

struct SeriesPicture {
  std::string title, label;
  std::vector<std::vector<double>> series;  // one for each walker
  std::size_t walkers = 1;                  // of a chain; series of one chain have one colour
  Sheet sheet = {.medium = Medium::page, .width = 440.0, .height = 260.0};
};

// Of more draws than are worth drawing an even choice is shown; `shown_draws` says how many of a
// walker.
std::string draw_trace(const SeriesPicture& picture);
std::size_t shown_draws(const SeriesPicture& picture);

// Vehtari et al. (2021): how the draws of each walker rank among all, as a histogram with about 20
// draws to a bin, as a share of what is expected. The band holds 95% of the steps of independent
// draws.
std::string draw_ranks(const SeriesPicture& picture);
// Histograms of fewer draws say nothing.
inline constexpr std::size_t fewest_for_ranks = 40;
struct RankHistogram {
  std::size_t bins = 0;
  std::vector<std::vector<double>> heights;  // of each walker; 1 is what is expected
  double spread = 0.0;                       // half the width of the band
};
RankHistogram rank_histogram(const std::vector<std::vector<double>>& series);

}  // namespace lacuna::report
