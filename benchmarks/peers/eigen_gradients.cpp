// The same gradient as bench_gradients in plain Eigen: matrix products layer by layer over all
// rows, as one would write it down. One thread.
//
// usage: bench_eigen_gradients INPUTS WIDTHS ROWS single|full [SECONDS]
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cstring>

#include "micro/dense_problem.hpp"
#include "micro/timing.hpp"

namespace {

using namespace lacuna::bench;

template <class Real>
class EigenNetwork {
 public:
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

  explicit EigenNetwork(const DenseProblem& problem) {
    const auto x = problem.x(), y = problem.y();
    const auto rows = static_cast<Eigen::Index>(problem.rows);
    signal_.push_back(
        Eigen::Map<const Eigen::MatrixXd>(x.data(), rows, static_cast<Eigen::Index>(problem.inputs))
            .cast<Real>());
    target_ = Eigen::Map<const Eigen::VectorXd>(y.data(), rows).cast<Real>();
    const auto theta = problem.theta().value;
    std::size_t at = 0;
    auto before = static_cast<Eigen::Index>(problem.inputs);
    auto widths = problem.widths;
    widths.push_back(1);
    for (const std::size_t width : widths) {
      const auto units = static_cast<Eigen::Index>(width);
      Matrix weight(units, before);
      for (Eigen::Index d = 0; d < units; ++d) {
        for (Eigen::Index s = 0; s < before; ++s) weight(d, s) = static_cast<Real>(theta[at++]);
      }
      Vector shift(units);
      for (Eigen::Index d = 0; d < units; ++d) shift(d) = static_cast<Real>(theta[at++]);
      weight_.push_back(weight);
      shift_.push_back(shift);
      weight_gradient_.push_back(weight);
      shift_gradient_.push_back(shift);
      signal_.emplace_back(rows, units);
      before = units;
    }
    back_.resize(weight_.size() + 1);
  }

  void gradient() {
    const std::size_t layers = weight_.size();
    for (std::size_t l = 0; l < layers; ++l) {
      signal_[l + 1].noalias() = signal_[l] * weight_[l].transpose();
      signal_[l + 1].rowwise() += shift_[l].transpose();
      if (l + 1 < layers) signal_[l + 1] = signal_[l + 1].cwiseMax(Real(0));
    }
    back_[layers] = signal_[layers] - target_;
    const auto rows = static_cast<Real>(target_.size());
    risk_ = static_cast<double>(back_[layers].squaredNorm() / rows);
    back_[layers] *= Real(2) / rows;
    for (std::size_t l = layers; l-- > 0;) {
      weight_gradient_[l].noalias() = back_[l + 1].transpose() * signal_[l];
      shift_gradient_[l] = back_[l + 1].colwise().sum().transpose();
      if (l == 0) break;
      back_[l].noalias() = back_[l + 1] * weight_[l];
      back_[l].array() *= (signal_[l].array() > Real(0)).template cast<Real>();
    }
  }

  double risk() const { return risk_; }
  double gradient_norm() const {
    double sum = 0.0;
    for (std::size_t l = 0; l < weight_.size(); ++l)
      sum +=
          static_cast<double>(weight_gradient_[l].squaredNorm() + shift_gradient_[l].squaredNorm());
    return std::sqrt(sum);
  }

 private:
  std::vector<Matrix> signal_, weight_, weight_gradient_, back_;
  std::vector<Vector> shift_, shift_gradient_;
  Vector target_;
  double risk_ = 0.0;
};

template <class Real>
void run(const DenseProblem& problem, double seconds) {
  EigenNetwork<Real> network(problem);
  const double rate = rate_of([&] { network.gradient(); }, seconds);
  fmt::print("{{\"gradients_per_second\": {:.2f}, \"risk\": {:.8g}, \"gradient_norm\": {:.8g}}}\n",
             rate, network.risk(), network.gradient_norm());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 64;
  const DenseProblem problem = DenseProblem::read(argv + 1);
  const double seconds = argc > 5 ? std::strtod(argv[5], nullptr) : 1.0;
  if (std::strcmp(argv[4], "single") == 0) {
    run<float>(problem, seconds);
  } else {
    run<double>(problem, seconds);
  }
  return 0;
}
