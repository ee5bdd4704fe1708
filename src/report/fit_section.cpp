// Does it fit? The training rows against what the fit says of them, and what it says of each input.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/fit_picture.hpp"
#include "report/partial_dependence.hpp"
#include "report/picture_support.hpp"
#include "report/scatter_picture.hpp"
#include "report/sections.hpp"

namespace lacuna::report {
namespace {

constexpr std::size_t most_shown = 1000;  // rows in pictures and tables
constexpr std::size_t most_inputs = 6;    // with a picture of their own
constexpr double least_probability = 0.05;

ScatterPicture scatter_of(const Material& m, const std::vector<std::size_t>& shown) {
  const FittedRows& rows = *m.rows;
  ScatterPicture picture;
  picture.sheet = page_sheet;
  picture.level = shown_level;
  for (const std::size_t i : shown) {
    picture.rows.push_back(rows.row[i]);
    picture.observed.push_back(rows.data.y[i]);
    picture.mean.push_back(rows.prediction.mean[i]);
    picture.y_lower.push_back(rows.prediction.y_lower[i]);
    picture.y_upper.push_back(rows.prediction.y_upper[i]);
  }
  return picture;
}

Table table_of_rows(const Material& m, const std::vector<std::size_t>& shown) {
  const std::string level = percent(shown_level);
  Table table{{"row", "observed", "mean of f", "residual", "f from", "f to", "y from", "y to"},
              {},
              fmt::format("Rows count from 0. f from/to: {0} credible interval of the function; y "
                          "from/to: {0} predictive interval of an observation, noise included.",
                          level)};
  const Prediction& p = m.rows->prediction;
  for (const std::size_t i : shown) {
    const double y = m.rows->data.y[i];
    table.rows.push_back({std::to_string(m.rows->row[i]), number(y), number(p.mean[i]),
                          number(y - p.mean[i]), number(p.f_lower[i]), number(p.f_upper[i]),
                          number(p.y_lower[i]), number(p.y_upper[i])});
  }
  return table;
}

std::string shown_note(const Material& m, std::size_t shown) {
  if (shown == m.rows->all) return "";
  return fmt::format("Showing {} of {} rows, evenly chosen.", with_separators(shown),
                     with_separators(m.rows->all));
}

Figure curve_figure(const Material& m) {
  const Dataset& data = m.rows->data;
  FitPicture picture = picture_with_one_input(m.fit, data, shown_level);
  picture.sheet = page_sheet;
  picture.title = fmt::format("{} given {}", m.target(), data.input_names[0]);
  Figure figure;
  figure.heading = picture.title;
  figure.reading = fmt::format(
      "The line is the posterior mean of f. The dark band is where the curve f is with "
      "{0} probability; the pale band is where {0} of observations y fall, noise "
      "included.",
      percent(shown_level));
  figure.table = {{data.input_names[0], "mean of f", "f from", "f to", "y from", "y to"}, {}, {}};
  for (std::size_t i = 0; i < picture.x.size(); i += 4) {
    figure.table.rows.push_back({number(picture.x[i]), number(picture.mean[i]),
                                 number(picture.f_lower[i]), number(picture.f_upper[i]),
                                 number(picture.y_lower[i]), number(picture.y_upper[i])});
  }
  figure.note = thinning_note(data.rows, "rows");
  figure.svg = draw_fit(picture);
  return figure;
}

std::vector<Figure> row_figures(const Material& m) {
  const std::vector<std::size_t> shown = evenly_chosen(m.rows->row.size(), most_shown);
  ScatterPicture picture = scatter_of(m, shown);
  std::vector<Figure> figures(2);
  Figure& predicted = figures[0];
  Figure& residuals = figures[1];
  predicted.heading = picture.title = "Predicted against observed";
  predicted.reading =
      "Each point is a training row; the nearer to the dashed line, the better. Its bar is the " +
      percent(shown_level) + " predictive interval of y, noise included.";
  predicted.svg = draw_observed_against_predicted(picture);
  predicted.table = table_of_rows(m, shown);
  predicted.note = shown_note(m, shown.size());
  residuals.heading = picture.title = "Residuals";
  residuals.reading =
      "What the prediction leaves over. A shape in the cloud, other than a level band around zero, "
      "is something that the fit has missed.";
  residuals.svg = draw_residuals(picture);
  residuals.table = predicted.table;
  residuals.note = predicted.note;
  return figures;
}

Figure dependence_figure(const Material& m, std::size_t input, const PartialDependence& found,
                         Range y_range) {
  const std::string& name = m.info.input_names[input];
  FitPicture picture;
  picture.sheet = {.medium = Medium::page, .width = 440.0, .height = 220.0};
  picture.legend = false;
  picture.y_range = y_range;
  picture.title = fmt::format("Effect of {}", name);
  picture.x_label = name;
  picture.y_label = fmt::format("mean of f ({})", m.target());
  picture.level = shown_level;
  picture.x = found.x;
  picture.mean = found.mean;
  picture.f_lower = found.lower;
  picture.f_upper = found.upper;
  const auto first =
      m.rows->data.x.begin() + static_cast<std::ptrdiff_t>(input * m.rows->data.rows);
  picture.rug.assign(first, first + static_cast<std::ptrdiff_t>(m.rows->data.rows));
  Figure figure;
  figure.heading = picture.title;
  figure.reading = fmt::format(
      "The mean of f when {} is set to each value and the other inputs stay as they are; the band "
      "is its {} credible band, without noise. Ticks are data.",
      name, percent(shown_level));
  figure.svg = draw_fit(picture);
  figure.table = {{name, "mean of f", "f from", "f to"}, {}, {}};
  for (std::size_t i = 0; i < found.x.size(); ++i) {
    figure.table.rows.push_back({number(found.x[i]), number(found.mean[i]), number(found.lower[i]),
                                 number(found.upper[i])});
  }
  return figure;
}

// On one scale, so that effects can be compared.
std::vector<Figure> dependence_figures(const Material& m, const std::vector<std::size_t>& inputs) {
  std::vector<PartialDependence> found;
  std::vector<double> ends;
  for (const std::size_t j : inputs) {
    found.push_back(partial_dependence(m.fit, m.rows->data, j, shown_level, m.options.threads));
    ends.insert(ends.end(), found.back().lower.begin(), found.back().lower.end());
    ends.insert(ends.end(), found.back().upper.begin(), found.back().upper.end());
  }
  std::vector<Figure> figures;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    figures.push_back(dependence_figure(m, inputs[k], found[k], range_of({ends})));
  return figures;
}

// The inputs that are used most, in their own order.
std::vector<std::size_t> inputs_shown(const Summary& s) {
  std::vector<std::size_t> inputs;
  for (std::size_t j = 0; j < s.inclusion.size(); ++j) {
    if (s.inclusion[j].probability >= least_probability) inputs.push_back(j);
  }
  std::ranges::stable_sort(inputs, std::greater<>(),
                           [&](std::size_t j) { return s.inclusion[j].probability; });
  if (inputs.size() > most_inputs) inputs.resize(most_inputs);
  std::ranges::sort(inputs);
  return inputs;
}

double explained(const Material& m) {
  const std::vector<double>& y = m.rows->data.y;
  const double n = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : y) squares += (value - mean) * (value - mean) / n;
  return 1.0 - m.rows->scores.rmse * m.rows->scores.rmse / squares;
}

std::string opening(const Material& m) {
  const double share = explained(m);
  std::string words = fmt::format(
      "On the training rows the posterior mean is off by {} root mean square, in units of {}",
      number(m.rows->scores.rmse), m.target());
  if (std::isfinite(share))
    words += fmt::format("; it explains {:.1f}% of the variance", 100.0 * share);
  words += fmt::format(
      ". The noise of observations is taken to have standard deviation {}{}. These rows were "
      "fitted, so new rows will be predicted a little less well.",
      number(m.info.noise.sd() * m.info.scaling.target_scale),
      m.info.noise.varies() ? " on average, and to vary with the inputs" : "");
  if (!m.info.weight_name.empty()) words += " Rows count once here, whatever their weight.";
  return words;
}

}  // namespace

Section fit_section(const Material& m) {
  Section section{"fit", "Fit", "Does it fit, and what does it say about each input?", ""};
  if (m.summary.draws == 0) return section;
  if (!m.rows) {
    section.html = paragraph_html(m.options.without_data);
    return section;
  }
  std::vector<Figure> figures;
  if (m.info.input_names.size() == 1) figures.push_back(curve_figure(m));
  for (Figure& figure : row_figures(m)) figures.push_back(std::move(figure));
  section.html = paragraph_html(opening(m)) + figures_html(figures);
  if (m.info.input_names.size() == 1) return section;
  const std::vector<std::size_t> inputs = inputs_shown(m.summary);
  figures.clear();
  if (inputs.empty()) return section;
  for (Figure& figure : dependence_figures(m, inputs)) figures.push_back(std::move(figure));
  const std::size_t left = m.info.input_names.size() - inputs.size();
  const std::string shown =
      inputs.size() == 1
          ? "The effect of the input that is used most"
          : fmt::format("The effects of the {} inputs that are used most", inputs.size());
  section.html += paragraph_html(
      left == 0 ? "The effect of each input (partial dependence), all on one scale:"
                : fmt::format("{} (partial dependence), on one scale; {} left out here.", shown,
                              left == 1 ? "another one is" : fmt::format("{} others are", left)));
  section.html += figures_html(figures);
  return section;
}

}  // namespace lacuna::report
