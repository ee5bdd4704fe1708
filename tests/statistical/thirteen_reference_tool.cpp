// Posterior means of the functionals of thirteen_weights.hpp by numerical integration, which prints
// thirteen_reference.hpp.
//
// f depends on the live part of an active set alone, and not on how the units of a layer are
// numbered, so the 8191 sets share 246 integrals. Each is taken over the box of the live
// coordinates with a randomly shifted Kronecker sequence; dead coordinates integrate to one. The
// spread over shifts gives the errors.
//
// Usage: thirteen_reference_tool print | check. `check` integrates anew, with other shifts and
// fewer of them, and compares with the table: |z| below 6, since errors over few shifts are
// themselves uncertain.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <string_view>

#include "statistical/inference.hpp"
#include "statistical/quadrature.hpp"
#include "statistical/thirteen_reference.hpp"
#include "statistical/thirteen_weights.hpp"

namespace {

using namespace lacuna;
using namespace lacuna::statistical;

constexpr std::size_t points = std::size_t{1} << 16;

// The set after exchanging the two units of the first and of the second layer, or not.
std::size_t renumbered(std::size_t set, bool first, bool second) {
  const auto unit = [](std::size_t u, bool exchange) { return exchange ? 1 - u : u; };
  std::size_t image = set & std::size_t{1} << 12;
  const auto move = [&](std::size_t from, std::size_t to) { image |= (set >> from & 1) << to; };
  for (std::size_t u = 0; u < 2; ++u) {
    for (const std::size_t base : {0, 2}) move(base + u, base + unit(u, first));
    for (const std::size_t base : {8, 10}) move(base + u, base + unit(u, second));
    for (std::size_t d = 0; d < 2; ++d) {
      move(4 + 2 * d + u, 4 + 2 * unit(d, second) + unit(u, first));
    }
  }
  return image;
}

std::size_t representative(std::size_t live) {
  return std::min(std::min(live, renumbered(live, true, false)),
                  std::min(renumbered(live, false, true), renumbered(live, true, true)));
}

constexpr std::size_t value_size = ThirteenFunctionals::value_size;

// Means over the box of w, w g and w g^2, with w = exp(-lambda R_n) and g the functionals of
// values.
struct Integral {
  double mass = 0.0;
  std::array<double, value_size> mean{}, square{};
};

Integral integrate(const Model& model, std::size_t live, RandomStream& stream) {
  const Problem& problem = model.problem();
  const NaiveNetwork network = problem.naive();
  const NaiveData<double> data = problem.naive_data();
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < network.parameter_count(); ++i) {
    if ((live >> i & 1) != 0) axes.push_back(i);
  }
  KroneckerSequence sequence(axes.size(), stream);
  std::vector<double> theta(network.parameter_count(), 0.0);
  Integral sum;
  for (std::size_t i = 0; i < points; ++i) {
    const std::vector<double>& position = sequence.next();
    for (std::size_t d = 0; d < axes.size(); ++d) {
      theta[axes[d]] = problem.bound * (2.0 * position[d] - 1.0);
    }
    const double risk = naive_risk(network, theta, data, problem.clip);
    const double weight = std::exp(-thirteen_lambda * risk) / static_cast<double>(points);
    const auto g =
        ThirteenFunctionals::of_values(ThirteenFunctionals::values_at(model, theta, live, risk));
    sum.mass += weight;
    for (std::size_t k = 0; k < value_size; ++k) {
      sum.mean[k] += weight * g[k];
      sum.square[k] += weight * g[k] * g[k];
    }
  }
  return sum;
}

// Means of all functionals and then of their squares, with one shift per integral.
std::vector<double> means(const ThirteenFunctionals& functionals, RandomStream& stream) {
  const Model model(thirteen_weights());
  const std::size_t total = model.problem().naive().parameter_count(), size = functionals.size();
  std::map<std::size_t, Integral> integrals;
  std::vector<double> sums(2 * size, 0.0);
  double mass = 0.0;
  for (std::size_t set = 1; set < std::size_t{1} << total; ++set) {
    const std::size_t key = representative(functionals.live_part_of(set));
    auto found = integrals.find(key);
    if (found == integrals.end()) {
      found = integrals.emplace(key, integrate(model, key, stream)).first;
    }
    const Integral& integral = found->second;
    const double prior = set_prior_mass(model.problem(), total, std::popcount(set));
    mass += prior * integral.mass;
    const std::vector<double>& of_set = functionals.of_set(set);
    for (std::size_t k = 0; k < of_set.size(); ++k) {
      sums[k] += prior * integral.mass * of_set[k];
      sums[size + k] += prior * integral.mass * of_set[k] * of_set[k];
    }
    for (std::size_t k = 0; k < value_size; ++k) {
      sums[of_set.size() + k] += prior * integral.mean[k];
      sums[size + of_set.size() + k] += prior * integral.square[k];
    }
  }
  for (double& s : sums) s /= mass;
  return sums;
}

Batches replicates(const ThirteenFunctionals& functionals, std::size_t shifts, std::uint64_t seed) {
  RandomStream stream({seed, 0, 0, 0, Purpose::simulation});
  Batches batches(2 * functionals.size());
  for (std::size_t s = 0; s < shifts; ++s) batches.add(means(functionals, stream));
  return batches;
}

int print() {
  const ThirteenFunctionals functionals;
  const std::size_t shifts = 16, size = functionals.size();
  const Batches batches = replicates(functionals, shifts, 1);
  fmt::print(
      "// Posterior means of the functionals of thirteen_weights.hpp, their errors (standard "
      "errors\n"
      "// over {} shifts of {} points) and posterior standard deviations. Printed by\n"
      "// thirteen_reference_tool; do not edit.\n#pragma once\n\n#include <array>\n\n"
      "namespace lacuna::statistical {{\n\nstruct ThirteenReference {{\n"
      "  double mean, error, sd;\n}};\n\n"
      "inline constexpr std::array<ThirteenReference, {}> thirteen_reference = {{{{\n",
      shifts, points, size);
  for (std::size_t k = 0; k < size; ++k) {
    const double mean = batches.mean()[k];
    fmt::print("    {{{:.7f}, {:.1e}, {:.5f}}},  // {}\n", mean, batches.standard_error(k),
               std::sqrt(batches.mean()[size + k] - mean * mean), functionals.name(k));
  }
  fmt::print("}}}};\n\n}}  // namespace lacuna::statistical\n");
  return 0;
}

int check() {
  const ThirteenFunctionals functionals;
  std::vector<double> mean, error;
  for (const ThirteenReference& r : thirteen_reference) {
    mean.push_back(r.mean);
    error.push_back(r.error);
  }
  const WorstScore worst = worst_score(replicates(functionals, 6, 2), mean, error);
  fmt::print("worst |z| {:.2f} at {}\n", worst.z, functionals.name(worst.where));
  return worst.z <= 6.0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc == 2 ? argv[1] : "";
  if (command == "print") return print();
  if (command == "check") return check();
  fmt::print(stderr, "usage: thirteen_reference_tool print | check\n");
  return 2;
}
