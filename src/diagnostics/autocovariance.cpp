// A radix-2 transform without bit reversal: the power spectrum may stay in scrambled order.
#include "diagnostics/autocovariance.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

#include "diagnostics/moments.hpp"

namespace lacuna::diagnostics {
namespace {

// Not std::complex: its product tests for NaN in the innermost loop.
struct Complex {
  double re = 0.0;
  double im = 0.0;
};

class Transform {
 public:
  explicit Transform(std::size_t size) : roots_(size) {
    const std::size_t top = size / 2;
    for (std::size_t j = 0; j < top; ++j) {
      const double angle = std::numbers::pi * static_cast<double>(j) / static_cast<double>(top);
      roots_[top + j] = {std::cos(angle), std::sin(angle)};
    }
    for (std::size_t half = top / 2; half > 0; half /= 2) {
      for (std::size_t j = 0; j < half; ++j) roots_[half + j] = roots_[2 * (half + j)];
    }
  }

  // Decimation in frequency: natural order in, bit-reversed order out. Recursion keeps the working
  // set in cache.
  void forward(Complex* a, std::size_t size) const {
    if (size == 1) return;
    const std::size_t half = size / 2;
    for (std::size_t j = 0; j < half; ++j) {
      const Complex u = a[j];
      const Complex v = a[j + half];
      const Complex w = roots_[half + j];
      const Complex d = {u.re - v.re, u.im - v.im};
      a[j] = {u.re + v.re, u.im + v.im};
      a[j + half] = {d.re * w.re + d.im * w.im, d.im * w.re - d.re * w.im};
    }
    forward(a, half);
    forward(a + half, half);
  }

  // Decimation in time: bit-reversed order in, natural order out, not divided by the size.
  void backward(Complex* a, std::size_t size) const {
    if (size == 1) return;
    const std::size_t half = size / 2;
    backward(a, half);
    backward(a + half, half);
    for (std::size_t j = 0; j < half; ++j) {
      const Complex u = a[j];
      const Complex v = a[j + half];
      const Complex w = roots_[half + j];
      const Complex t = {v.re * w.re - v.im * w.im, v.im * w.re + v.re * w.im};
      a[j] = {u.re + t.re, u.im + t.im};
      a[j + half] = {u.re - t.re, u.im - t.im};
    }
  }

 private:
  std::vector<Complex>
      roots_;  // roots_[half + j] = exp(i pi j / half), so every pass reads in order
};

}  // namespace

std::vector<double> mean_autocovariance(std::span<const double> values, std::size_t length) {
  assert(length > 0 && !values.empty() && values.size() % length == 0);
  const std::size_t n_chains = values.size() / length;
  const std::size_t size = std::bit_ceil(2 * length);
  const Transform transform(size);

  // Two chains travel as real and imaginary part: the real part of the transform of |Z|^2 is the
  // sum of both autocovariances. Only the sum over chains is wanted, so one way back serves them
  // all.
  std::vector<Complex> signal(size);
  std::vector<Complex> power(size);
  for (std::size_t chain = 0; chain < n_chains; chain += 2) {
    signal.assign(size, Complex{});
    const auto first = values.subspan(chain * length, length);
    const double first_mean = mean_of(first);
    for (std::size_t i = 0; i < length; ++i) signal[i].re = first[i] - first_mean;
    if (chain + 1 < n_chains) {
      const auto second = values.subspan((chain + 1) * length, length);
      const double second_mean = mean_of(second);
      for (std::size_t i = 0; i < length; ++i) signal[i].im = second[i] - second_mean;
    }
    transform.forward(signal.data(), size);
    for (std::size_t k = 0; k < size; ++k) {
      power[k].re += signal[k].re * signal[k].re + signal[k].im * signal[k].im;
    }
  }
  transform.backward(power.data(), size);

  const double divisor =
      static_cast<double>(size) * static_cast<double>(length) * static_cast<double>(n_chains);
  std::vector<double> covariance(length);
  for (std::size_t t = 0; t < length; ++t) covariance[t] = power[t].re / divisor;
  return covariance;
}

}  // namespace lacuna::diagnostics
