// The predictive law of an observation: every draw's f(x) with noise around it, in equal parts.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "estimation/draw_sketch.hpp"
#include "estimation/noise_law.hpp"
#include "support/distribution_table.hpp"

namespace lacuna {

// The equal mixture over draws of the law of f_k + noise at one x, in scaled units.
//
// Distribution and density ask every draw. For quantiles and the ranked probability score, where
// draws lie within sixteen noise scales, those in neighbouring cells of a sketch, up to a quarter
// of the noise scale, are represented by two points with the mass and the first three moments of
// draws that lie anywhere in their cells (Gauss's rule with two nodes), and all points are moved
// and stretched to the mean and variance of all draws. That changes the distribution function by
// less than 1e-4.
class PredictiveLaw {
 public:
  explicit PredictiveLaw(const StudentT& shape) : table_(shape) {}
  // `draws` must outlive this, or the next assignment.
  PredictiveLaw(std::span<const double> draws, const Noise& noise);

  // How narrow the cells of a sketch should be.
  static double width_for(const Noise& noise);
  // Another x; memory is kept. `noise` must have the shape that this was made with.
  void assign(const DrawSketch& draws, const Noise& noise);

  double distribution(double y) const;
  double log_density(double y) const;
  // By Newton's method inside a bracket that is halved where Newton fails.
  double quantile(double q);
  // Continuous ranked probability score, int (F(z) - 1{y <= z})^2 dz, integrated from the
  // distribution function, so that any noise will do, to 1e-5 of the spread of the law. More than
  // 400 points are represented by 200 of their quantiles at equal steps of probability. Lower is
  // better; for a sure forecast it is the absolute error.
  double crps(double y);

 private:
  struct Point {
    double centre, mass;
  };
  // Sums of powers, from the zeroth on.
  struct Powers {
    double count = 0.0, first = 0.0, second = 0.0, third = 0.0;
  };

  void add_points_of(const Powers& powers, double centre, double width);
  void match_moments(double mean, double variance);
  DistributionTable::Value at(double y) const;          // of the points, from the table
  DistributionTable::Value exactly_at(double y) const;  // of all draws
  double standard_quantile(double q);                   // of the noise with scale 1

  DistributionTable table_;
  Noise noise_{1.0};
  std::span<const double> draws_;
  std::vector<Point> points_;
  double lowest_ = 0.0, highest_ = 0.0;  // of draws and points
  double mean_ = 0.0, variance_ = 0.0;   // of the draws
  bool table_serves_ = true;
  bool in_cells_ = false;  // points stand for draws of several cells
  std::vector<std::pair<double, double>> standard_quantiles_;  // those asked for so far
};

}  // namespace lacuna
