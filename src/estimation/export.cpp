// Draws and predictions as CSV, with numbers that read back to the same bits.
#include <fmt/format.h>

#include <iterator>

#include "lacuna/fit.hpp"
#include "support/output_file.hpp"

namespace lacuna {
namespace {

constexpr std::size_t flush_above = 1 << 20;

}  // namespace

void write_draws_csv(const Fit& fit, const std::filesystem::path& path) {
  OutputFile file(path);
  std::string text = "chain,draw,log_prior,risk,n_active,theta\n";
  fit.for_each_draw([&](const DrawView& draw) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},", draw.chain, draw.draw,
                   draw.log_prior, draw.risk, draw.index.size());
    for (std::size_t k = 0; k < draw.index.size(); ++k) {
      fmt::format_to(std::back_inserter(text), "{}{}:{}", k == 0 ? "" : " ", draw.index[k],
                     draw.value[k]);
    }
    text += '\n';
    if (text.size() > flush_above) {
      file.write(text);
      text.clear();
    }
  });
  file.write(text);
  file.close();
}

void write_prediction_csv(const Prediction& p, const std::filesystem::path& path) {
  OutputFile file(path);
  std::string text = "mean,sd,f_lower,f_upper,y_lower,y_upper";
  std::vector<const std::vector<double>*> columns = {&p.mean,    &p.sd,      &p.f_lower,
                                                     &p.f_upper, &p.y_lower, &p.y_upper};
  for (std::size_t k = 0; k < p.quantiles.size(); ++k) {
    fmt::format_to(std::back_inserter(text), ",q{}", p.quantile_levels[k]);
    columns.push_back(&p.quantiles[k]);
  }
  if (!p.log_score.empty()) {
    text += ",log_score,crps,pit";
    columns.insert(columns.end(), {&p.log_score, &p.crps, &p.pit});
  }
  text += '\n';
  for (std::size_t i = 0; i < p.mean.size(); ++i) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      fmt::format_to(std::back_inserter(text), "{}{}", k == 0 ? "" : ",", (*columns[k])[i]);
    }
    text += '\n';
    if (text.size() > flush_above) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.close();
}

}  // namespace lacuna
