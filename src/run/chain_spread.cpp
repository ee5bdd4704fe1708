#include "run/chain_spread.hpp"

#include <algorithm>

namespace lacuna {
namespace {

constexpr std::size_t most_rows = 256;

Samples some_rows(const Samples& all) {
  const std::size_t count = std::min(all.rows(), most_rows);
  std::vector<double> x;
  for (std::size_t j = 0; j < all.inputs(); ++j) {
    for (std::size_t i = 0; i < count; ++i) x.push_back(all.column(j)[i * all.rows() / count]);
  }
  return Samples(count, all.inputs(), x, {});
}

}  // namespace

ChainSpread::ChainSpread(const Target& target, std::size_t chains)
    : rows_(some_rows(*target.samples)),
      evaluator_(target.architecture, target.clip),
      sum_(chains, std::vector<double>(rows_.rows())),
      count_(chains),
      f_(rows_.rows()) {}

void ChainSpread::add(const Chain& chain) {
  evaluator_.predict(chain.state().theta, rows_, f_);
  std::vector<double>& sum = sum_[chain.number()];
  for (std::size_t i = 0; i < f_.size(); ++i) sum[i] += f_[i];
  count_[chain.number()] += 1.0;
}

double ChainSpread::between_chains() const {
  const auto chains = static_cast<double>(sum_.size());
  if (sum_.size() < 2 || std::ranges::min(count_) == 0.0) return 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < rows_.rows(); ++i) {
    double mean = 0.0, squares = 0.0;
    for (std::size_t c = 0; c < sum_.size(); ++c) mean += sum_[c][i] / count_[c] / chains;
    for (std::size_t c = 0; c < sum_.size(); ++c) {
      const double gap = sum_[c][i] / count_[c] - mean;
      squares += gap * gap;
    }
    total += squares / (chains - 1.0);
  }
  return total / static_cast<double>(rows_.rows());
}

}  // namespace lacuna
