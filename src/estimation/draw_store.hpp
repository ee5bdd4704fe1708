// All draws of a fit in memory, flat, ordered by chain and then by draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/fit.hpp"
#include "network/sparse_theta.hpp"

namespace lacuna {

class DrawStore {
 public:
  void add(const DrawView& draw);

  std::size_t size() const { return chain_.size(); }
  DrawView operator[](std::size_t k) const;
  SparseTheta theta(std::size_t k) const;

 private:
  std::vector<std::uint32_t> chain_;
  std::vector<std::uint64_t> draw_;
  std::vector<double> log_prior_, risk_;
  std::vector<std::size_t> begin_ = {0};  // of each draw's weights; one entry more than draws
  std::vector<std::uint64_t> index_;
  std::vector<double> value_;
};

inline void DrawStore::add(const DrawView& draw) {
  chain_.push_back(static_cast<std::uint32_t>(draw.chain));
  draw_.push_back(draw.draw);
  log_prior_.push_back(draw.log_prior);
  risk_.push_back(draw.risk);
  index_.insert(index_.end(), draw.index.begin(), draw.index.end());
  value_.insert(value_.end(), draw.value.begin(), draw.value.end());
  begin_.push_back(index_.size());
}

inline DrawView DrawStore::operator[](std::size_t k) const {
  const std::size_t begin = begin_[k], count = begin_[k + 1] - begin;
  return {chain_[k],
          draw_[k],
          log_prior_[k],
          risk_[k],
          std::span(index_).subspan(begin, count),
          std::span(value_).subspan(begin, count)};
}

inline SparseTheta DrawStore::theta(std::size_t k) const {
  const DrawView view = (*this)[k];
  return {{view.index.begin(), view.index.end()}, {view.value.begin(), view.value.end()}};
}

}  // namespace lacuna
