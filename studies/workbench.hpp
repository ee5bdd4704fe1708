// The place where one measurement is made: a fit in a file of its own, and numbers from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lacuna/certificate.hpp"
#include "lacuna/config.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/fit.hpp"
#include "lacuna/sinks.hpp"

namespace lacuna::studies {

// Thrown out of a measurement when the user wants to stop; nothing of it is recorded.
struct Stopped {};

class Workbench {
 public:
  Workbench(std::filesystem::path file, Observer& observer)
      : file_(std::move(file)), observer_(observer) {}
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  // On one thread, the fit forgotten with the next one. Throw Stopped.
  Fit fit(const Dataset& data, Config config);
  CertificateReport certify(const Fit& fit, const Dataset& data, CertifyOptions options);

 private:
  template <class Work>
  auto unless_stopped(const Work& work);

  std::filesystem::path file_;
  Observer& observer_;
};

// Rows that no fit has seen, without noise: for the error of f.
SimulatedData test_rows(Simulation what, std::size_t rows = 5000);

// Mean squared distance from the truth: of the posterior mean, and of a draw on average over the
// draws.
struct Excess {
  double of_mean = 0.0, of_draw = 0.0;
};
Excess excess_of(const Fit& fit, const SimulatedData& test);

double mean_of(const Summary& summary, const std::string& quantity);
// Jumps between active sets that were accepted, per step of a chain.
double jumps_per_step(const Summary& summary);
double passes(const Summary& summary);

}  // namespace lacuna::studies
