// How much slower predictions are than the passes in them: seconds of Fit::predict, with both
// intervals, beside those of forward passes alone over the same rows and draws.
//
// usage: bench_prediction FIT.lacuna [ROWS] [THREADS]. Inputs are uniform, with the mean and
// variance of those that the fit was made from.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "lacuna/fit.hpp"
#include "micro/timing.hpp"
#include "network/evaluator.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"

namespace {

using namespace lacuna;
using bench::seconds_of;

constexpr std::size_t rows_at_a_time = 8192;  // so many that what a draw costs once does not count

// Forward passes only, rows in the same pieces and on as many threads as a prediction has them.
void forward(const Fit& fit, const std::vector<SparseTheta>& draws, const std::vector<double>& x,
             std::size_t rows, std::size_t threads) {
  const std::size_t inputs = fit.info().input_names.size();
  const Architecture shape(inputs, fit.info().config.widths);
  const std::size_t pieces = (rows + rows_at_a_time - 1) / rows_at_a_time;
  parallel_for(pieces, threads, [&](std::size_t piece) {
    const std::size_t first = piece * rows_at_a_time,
                      count = std::min(rows_at_a_time, rows - first);
    std::vector<double> part(count * inputs), f(count);
    for (std::size_t j = 0; j < inputs; ++j)
      std::copy_n(&x[j * rows + first], count, &part[j * count]);
    const Samples samples(count, inputs, part, {});
    Evaluator evaluator(shape, fit.info().config.clip);
    for (const SparseTheta& draw : draws) evaluator.predict(draw, samples, f);
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 64;
  const Fit fit = Fit::open(argv[1]);
  const std::size_t rows = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100'000;
  const std::size_t threads = thread_count(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0);

  const std::size_t inputs = fit.info().input_names.size();
  std::vector<SparseTheta> draws;
  double live = 0.0;
  LiveNetwork network(Architecture(inputs, fit.info().config.widths));
  fit.for_each_draw([&](const DrawView& draw) {
    draws.push_back(
        {{draw.index.begin(), draw.index.end()}, {draw.value.begin(), draw.value.end()}});
    network.build(draws.back().index);
    live += static_cast<double>(network.live_count());
  });
  const Scaling& scaling = fit.info().scaling;
  RandomStream stream({1, 0, 0, 0, Purpose::simulation});
  std::vector<double> scaled(rows * inputs), x(rows * inputs);
  for (std::size_t j = 0; j < inputs; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      scaled[j * rows + i] = std::sqrt(3.0) * (2.0 * stream.uniform() - 1.0);
      x[j * rows + i] = scaling.input_shift[j] + scaling.input_scale[j] * scaled[j * rows + i];
    }
  }
  const double passes = seconds_of([&] { forward(fit, draws, scaled, rows, threads); });
  PredictOptions options;
  options.threads = threads;
  const double prediction = seconds_of([&] { fit.predict(x, rows, options); });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      "{{\"rows\": {}, \"draws\": {}, \"live\": {:.1f}, \"threads\": {}, \"forward_seconds\": "
      "{:.4f}, "
      "\"predict_seconds\": {:.4f}, \"share\": {:.3f}, \"peak_mib\": {:.1f}}}\n",
      rows, draws.size(), live / static_cast<double>(draws.size()), threads, passes, prediction,
      passes / prediction, static_cast<double>(usage.ru_maxrss) / 1024.0);
  return 0;
}
