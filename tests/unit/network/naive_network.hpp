// A ReLU network written out unit by unit over all P parameters: the reference for the passes over
// the live network.
//
// It shares nothing with src/network: the flat order is walked here once more from its definition
// (W1 row by row, v1, W2, v2, ..., paper Section 2.1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lacuna::testing {

template <class Real>
class NaiveNetwork {
 public:
  NaiveNetwork(std::size_t inputs, const std::vector<std::size_t>& widths) : sizes_{inputs} {
    sizes_.insert(sizes_.end(), widths.begin(), widths.end());
    sizes_.push_back(1);
    for (std::size_t l = 1; l < sizes_.size(); ++l)
      hidden_units_ += l + 1 < sizes_.size() ? sizes_[l] : 0;
    for (std::size_t l = 1; l < sizes_.size(); ++l)
      theta.resize(theta.size() + (sizes_[l - 1] + 1) * sizes_[l]);
  }

  std::vector<Real> theta;  // all P parameters, active or not

  std::size_t hidden_units() const { return hidden_units_; }

  // g at one x. The inputs of the hidden units, layer by layer, are left in `pre_activation` where
  // it is given.
  Real output(const double* x, std::vector<Real>* pre_activation = nullptr) const {
    if (pre_activation != nullptr) pre_activation->clear();
    std::vector<Real>& signal = signal_;
    std::vector<Real>& next = next_;
    signal.assign(x, x + sizes_[0]);
    const Real* weight = theta.data();
    for (std::size_t l = 1; l < sizes_.size(); ++l) {
      const Real* shift = weight + sizes_[l] * sizes_[l - 1];
      next.clear();
      for (std::size_t unit = 0; unit < sizes_[l]; ++unit) {
        Real z = shift[unit];
        for (std::size_t source = 0; source < sizes_[l - 1]; ++source)
          z += *weight++ * signal[source];
        if (l + 1 < sizes_.size()) {
          if (pre_activation != nullptr) pre_activation->push_back(z);
          z = std::max(z, Real(0));
        }
        next.push_back(z);
      }
      weight += sizes_[l];
      std::swap(signal, next);
    }
    return signal[0];
  }

 private:
  std::vector<std::size_t> sizes_;
  std::size_t hidden_units_ = 0;
  mutable std::vector<Real> signal_, next_;
};

template <class Real>
Real clipped(Real g, double clip) {
  return std::clamp(g, static_cast<Real>(-clip), static_cast<Real>(clip));
}

}  // namespace lacuna::testing
