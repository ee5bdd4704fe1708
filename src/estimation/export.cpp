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
  std::string text = "mean,sd,f_lower,f_upper,y_lower,y_upper\n";
  for (std::size_t i = 0; i < p.mean.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", p.mean[i], p.sd[i],
                   p.f_lower[i], p.f_upper[i], p.y_lower[i], p.y_upper[i]);
  }
  file.write(text);
  file.close();
}

}  // namespace lacuna
