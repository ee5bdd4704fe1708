#include "run/folds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/random.hpp"
#include "support/student_t.hpp"

namespace lacuna {
namespace {

constexpr std::size_t parts = 5, most_rows = 20'000, few_rows = 1000;

const StudentT scoring_law(5);

double log_density(double mean, double variance, double y) {
  const double scale = std::sqrt(variance);
  return scoring_law.log_density((y - mean) / scale) - std::log(scale);
}

}  // namespace

std::vector<Fold> make_folds(const Dataset& data, std::uint64_t seed) {
  RandomStream stream({seed, 0, 0, 0, Purpose::search});
  std::vector<std::size_t> order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = data.rows; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  order.resize(std::min(order.size(), most_rows));

  const Samples all(data.rows, data.inputs, data.x, data.y, Precision::full, data.weight);
  std::vector<Fold> folds;
  for (std::size_t number = 0; number < (data.rows < few_rows ? 4u : 2u); ++number) {
    std::vector<std::size_t> in, out;
    for (std::size_t i = 0; i < order.size(); ++i)
      (i % parts == number ? out : in).push_back(order[i]);
    folds.push_back({std::make_shared<const Samples>(all.subset(in, Precision::single)),
                     std::make_shared<const Samples>(all.subset(out, Precision::single))});
  }
  return folds;
}

Fold Fold::with_inputs(std::span<const std::size_t> inputs) const {
  return {std::make_shared<const Samples>(training->with_inputs(inputs)),
          std::make_shared<const Samples>(held_out->with_inputs(inputs))};
}

double weighted_mean(const std::vector<double>& values, const std::vector<double>& weight) {
  return std::inner_product(values.begin(), values.end(), weight.begin(), 0.0) /
         std::accumulate(weight.begin(), weight.end(), 0.0);
}

HeldOutScore score(const std::vector<Fold>& folds, const std::vector<HeldOut>& predicted,
                   double error) {
  std::vector<double> squares, weight;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    for (std::size_t i = 0; i < predicted[k].mean.size(); ++i) {
      const double r = predicted[k].mean[i] - folds[k].held_out->target()[i];
      squares.push_back(r * r);
      weight.push_back(folds[k].held_out->weight(i));
    }
  }
  // The best s is at most the root mean square residual; sixty values find it to 6%.
  const double largest = std::max(std::sqrt(weighted_mean(squares, weight)), 1e-12);
  HeldOutScore best;
  for (int g = 0; g < 60; ++g) {
    HeldOutScore at{{}, weight, largest * std::pow(0.94, g)};
    for (std::size_t k = 0; k < folds.size(); ++k) {
      const HeldOut& f = predicted[k];
      for (std::size_t i = 0; i < f.mean.size(); ++i) {
        const double y = folds[k].held_out->target()[i], miss = (f.mean[i] - y) / error;
        at.rows.push_back(log_density(f.mean[i], f.variance[i] + at.noise_sd * at.noise_sd, y) -
                          0.5 * miss * miss);
      }
    }
    if (best.rows.empty() || at.mean() > best.mean()) best = std::move(at);
  }
  return best;
}

double HeldOutScore::standard_error() const {
  const double centre = mean(), n = std::accumulate(weight.begin(), weight.end(), 0.0);
  double squares = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    squares += weight[i] * (rows[i] - centre) * (rows[i] - centre);
  return std::sqrt(squares) / n;
}

bool as_good(const HeldOutScore& other, const HeldOutScore& best, double tolerance) {
  HeldOutScore loss{best.rows, best.weight};
  for (std::size_t i = 0; i < loss.rows.size(); ++i) loss.rows[i] -= other.rows[i];
  return loss.mean() <= tolerance * loss.standard_error();
}

}  // namespace lacuna
