// The network of the paper, written down once more as plainly as possible: all P weights, no
// tricks, nothing shared with the code under test.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace lacuna::statistical {

// Flat order: W1 row by row (row = destination unit), v1, W2, v2, ..., W_{L+1}, v_{L+1}.
class NaiveNetwork {
 public:
  NaiveNetwork(std::size_t inputs, const std::vector<std::size_t>& widths) : sizes_{inputs} {
    sizes_.insert(sizes_.end(), widths.begin(), widths.end());
    sizes_.push_back(1);
  }

  std::size_t inputs() const { return sizes_.front(); }
  std::size_t layers() const { return sizes_.size() - 1; }
  std::size_t size(std::size_t layer) const { return sizes_[layer]; }

  std::size_t parameter_count() const {
    std::size_t count = 0;
    for (std::size_t l = 1; l <= layers(); ++l) count += sizes_[l] * (sizes_[l - 1] + 1);
    return count;
  }

  // Units of every layer before and after the ReLU; layer 0 is the input, the last one is g.
  template <class Real>
  struct Trace {
    std::vector<std::vector<Real>> before, after;
  };

  template <class Real>
  Trace<Real> trace(const std::vector<Real>& theta, const std::vector<Real>& x) const {
    Trace<Real> t;
    t.before.push_back(x);
    t.after.push_back(x);
    std::size_t offset = 0;
    for (std::size_t l = 1; l <= layers(); ++l) {
      std::vector<Real> z(sizes_[l]), a(sizes_[l]);
      for (std::size_t d = 0; d < sizes_[l]; ++d) {
        z[d] = theta[offset + sizes_[l] * sizes_[l - 1] + d];
        for (std::size_t s = 0; s < sizes_[l - 1]; ++s) {
          z[d] += theta[offset + d * sizes_[l - 1] + s] * t.after[l - 1][s];
        }
        a[d] = l < layers() && z[d] < 0 ? Real(0) : z[d];
      }
      t.before.push_back(std::move(z));
      t.after.push_back(std::move(a));
      offset += sizes_[l] * (sizes_[l - 1] + 1);
    }
    return t;
  }

  // g alone, without storing anything on the heap: quadrature calls this millions of times.
  template <class Real>
  Real output(const std::vector<Real>& theta, const Real* x) const {
    Real even[max_width], odd[max_width];
    const Real* a = x;
    const Real* w = theta.data();
    for (std::size_t l = 1; l <= layers(); ++l) {
      Real* z = l % 2 == 0 ? even : odd;
      const Real* v = w + sizes_[l] * sizes_[l - 1];
      for (std::size_t d = 0; d < sizes_[l]; ++d) {
        z[d] = v[d];
        for (std::size_t s = 0; s < sizes_[l - 1]; ++s) z[d] += w[d * sizes_[l - 1] + s] * a[s];
        if (l < layers() && z[d] < 0) z[d] = 0;
      }
      w = v + sizes_[l];
      a = z;
    }
    return a[0];
  }

 private:
  static constexpr std::size_t max_width = 8;

  std::vector<std::size_t> sizes_;  // p, widths, 1
};

template <class Real>
Real clipped(Real g, Real clip) {
  return std::max(-clip, std::min(g, clip));
}

// Rows one after another, x[i][j].
template <class Real>
struct NaiveData {
  std::vector<std::vector<Real>> x;
  std::vector<Real> y;
};

template <class Real>
Real naive_risk(const NaiveNetwork& network, const std::vector<Real>& theta,
                const NaiveData<Real>& data, Real clip) {
  Real sum = 0;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    const Real r = clipped(network.output(theta, data.x[i].data()), clip) - data.y[i];
    sum += r * r;
  }
  return sum / static_cast<Real>(data.y.size());
}

// Plain backpropagation on all P coordinates. The derivative of the clip is zero where |g| > C, and
// that of the ReLU is zero at zero.
template <class Real>
std::vector<Real> naive_gradient(const NaiveNetwork& network, const std::vector<Real>& theta,
                                 const NaiveData<Real>& data, Real clip) {
  std::vector<Real> gradient(theta.size(), Real(0));
  const std::size_t last = network.layers();
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    const auto t = network.trace(theta, data.x[i]);
    const Real g = t.after[last][0];
    if (std::abs(g) > clip) continue;
    std::vector<Real> delta = {2 * (g - data.y[i]) / static_cast<Real>(data.y.size())};
    std::size_t end = theta.size();
    for (std::size_t l = last; l >= 1; --l) {
      const std::size_t rows = network.size(l), columns = network.size(l - 1);
      const std::size_t offset = end - rows * (columns + 1);
      std::vector<Real> previous(columns, Real(0));
      for (std::size_t d = 0; d < rows; ++d) {
        for (std::size_t s = 0; s < columns; ++s) {
          gradient[offset + d * columns + s] += delta[d] * t.after[l - 1][s];
          previous[s] += delta[d] * theta[offset + d * columns + s];
        }
        gradient[offset + rows * columns + d] += delta[d];
      }
      for (std::size_t s = 0; s < columns; ++s) {
        if (!(t.before[l - 1][s] > 0)) previous[s] = 0;
      }
      delta = std::move(previous);
      end = offset;
    }
  }
  return gradient;
}

}  // namespace lacuna::statistical
