// Learns during burn-in how curvature compares with what the other layers let expect, for the
// scales of trajectories.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "mcmc/curvature.hpp"
#include "posterior/gibbs.hpp"

namespace lacuna {

class CurvatureLearner {
 public:
  explicit CurvatureLearner(const Architecture& architecture);

  void learn(const Point& point);  // if its evaluation has curvature
  std::shared_ptr<const CurvatureTable> table() const;

  // What it has seen: running means and their counts, by coordinate (increasing) and by layer.
  struct Memory {
    std::vector<std::uint64_t> index;
    std::vector<double> mean, count, layer_mean, layer_count;
  };
  Memory memory() const;
  void restore(const Memory& memory);

 private:
  // A mean that forgets: the first points of burn-in say little about the last.
  struct Mean {
    double value = 0.0, count = 0.0;
    void add(double x);
  };
  LiveNetwork network_;
  PathCurvature path_curvature_;
  std::vector<std::uint64_t> layer_begin_;
  std::vector<Mean> layer_;
  std::unordered_map<std::uint64_t, Mean> coordinate_;
};

}  // namespace lacuna
