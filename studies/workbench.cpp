// The place where one measurement is made.
#include "studies/workbench.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lacuna/errors.hpp"

namespace lacuna::studies {
namespace {

// Passes on the wish to stop, and nothing else: several fits run at a time.
class Silent : public Observer {
 public:
  explicit Silent(Observer& listener) : listener_(listener) {}
  bool stop_requested() override { return listener_.stop_requested(); }

 private:
  Observer& listener_;
};

}  // namespace

Workbench::~Workbench() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

template <class Work>
auto Workbench::unless_stopped(const Work& work) {
  Silent silent(observer_);
  try {
    return work(silent);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw Stopped{};
    throw;
  }
}

Fit Workbench::fit(const Dataset& data, Config config) {
  config.threads = 1;
  return unless_stopped([&](Observer& observer) {
    if (!lacuna::fit(data, config, file_, "lacuna study", observer)) throw Stopped{};
    return Fit::open(file_);
  });
}

CertificateReport Workbench::certify(const Fit& fit, const Dataset& data, CertifyOptions options) {
  options.threads = 1;
  return unless_stopped(
      [&](Observer& observer) { return lacuna::certify(fit, data, options, nullptr, &observer); });
}

SimulatedData test_rows(Simulation what, std::size_t rows) {
  what.rows = rows;
  what.noise_sd = 0.0;
  what.seed += 1'000'000'007;  // far from the seeds of any training data
  return simulate(what);
}

// E|f - f0|^2 over the draws is the squared error of their mean and their variance around it.
Excess excess_of(const Fit& fit, const SimulatedData& test) {
  const Prediction p = fit.predict(test.data.x, test.data.rows, {.threads = 1});
  Excess excess;
  for (std::size_t i = 0; i < test.data.rows; ++i) {
    const double off = p.mean[i] - test.truth[i];
    excess.of_mean += off * off;
    excess.of_draw += off * off + p.sd[i] * p.sd[i];
  }
  const auto rows = static_cast<double>(test.data.rows);
  return {excess.of_mean / rows, excess.of_draw / rows};
}

double mean_of(const Summary& summary, const std::string& quantity) {
  for (const QuantitySummary& q : summary.quantities) {
    if (q.name == quantity) return q.mean;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double jumps_per_step(const Summary& summary) {
  static constexpr std::array jumps = {"add", "remove", "swap", "add-unit", "remove-unit"};
  double accepted = 0.0, steps = 0.0;
  for (const MoveSummary& move : summary.moves) {
    if (std::ranges::find(jumps, move.name) != jumps.end()) {
      accepted += static_cast<double>(move.accepted);
    }
  }
  // Moves are counted after burn-in.
  for (const ChainSummary& chain : summary.chains) {
    steps += static_cast<double>(chain.draws * summary.gap);
  }
  return accepted / steps;
}

double passes(const Summary& summary) {
  double total = 0.0;
  for (const MoveSummary& move : summary.moves) {
    total += static_cast<double>(move.passes.value_or(0));
  }
  return total;
}

}  // namespace lacuna::studies
