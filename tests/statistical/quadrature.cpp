// Integration rules on the box of each active set, with the naive network as integrand.
#include "statistical/quadrature.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "statistical/inference.hpp"

namespace lacuna::statistical {
namespace {

constexpr std::size_t fine = 20, coarse = 15;  // nodes per panel

struct Rule {
  std::vector<double> node, weight;  // weights sum to one
};

// Gauss-Legendre on (-1, 1) by Newton's method, then copied to the panels [-B, 0] and [0, B].
Rule two_panels(std::size_t nodes, double bound) {
  Rule rule;
  const double n = static_cast<double>(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    double slope = 1.0;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double p = 1.0, before = 0.0;
      for (std::size_t k = 1; k <= nodes; ++k) {
        const double j = static_cast<double>(k);
        const double next = ((2.0 * j - 1.0) * x * p - (j - 1.0) * before) / j;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1.0);
      x -= p / slope;
      if (std::abs(p / slope) < 1e-15) break;
    }
    const double weight = 1.0 / ((1.0 - x * x) * slope * slope);  // half of the usual: sum is one
    for (const double side : {-0.5, 0.5}) {
      rule.node.push_back(bound * (side + 0.5 * x));
      rule.weight.push_back(0.5 * weight);
    }
  }
  return rule;
}

std::vector<std::size_t> members(std::size_t set) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; set >> i != 0; ++i) {
    if ((set >> i & 1) != 0) list.push_back(i);
  }
  return list;
}

// visit(theta, weight) at every node of the tensor rule on the box of one set.
template <class Visit>
void for_each_node(const Rule& rule, std::size_t parameters, std::size_t set, Visit&& visit) {
  const std::vector<std::size_t> axes = members(set);
  std::vector<std::size_t> at(axes.size(), 0);
  std::vector<double> theta(parameters, 0.0);
  while (true) {
    double weight = 1.0;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      theta[axes[d]] = rule.node[at[d]];
      weight *= rule.weight[at[d]];
    }
    visit(theta, weight);
    std::size_t d = 0;
    while (d < axes.size() && ++at[d] == rule.node.size()) at[d++] = 0;
    if (d == axes.size()) return;
  }
}

void normalise(std::vector<double>& mass) {
  double total = 0.0;
  for (const double m : mass) total += m;
  for (double& m : mass) m /= total;
}

std::vector<double> tensor_masses(const Problem& problem, double lambda, std::size_t nodes) {
  const NaiveNetwork network = problem.naive();
  const NaiveData<double> data = problem.naive_data();
  const std::size_t parameters = network.parameter_count();
  const Rule rule = two_panels(nodes, problem.bound);
  std::vector<double> mass(std::size_t{1} << parameters, 0.0);
  for (std::size_t set = 1; set < mass.size(); ++set) {
    for_each_node(rule, parameters, set, [&](const std::vector<double>& theta, double weight) {
      mass[set] += weight * std::exp(-lambda * naive_risk(network, theta, data, problem.clip));
    });
    mass[set] *= set_prior_mass(problem, parameters, std::popcount(set));
  }
  normalise(mass);
  return mass;
}

}  // namespace

double set_prior_mass(const Problem& problem, std::size_t parameters, std::size_t k) {
  double sum = 0.0, binomial = 1.0;
  for (std::size_t j = 1; j <= parameters; ++j) sum += std::pow(problem.base, -double(j));
  for (std::size_t j = 1; j <= k; ++j) binomial *= double(parameters - k + j) / double(j);
  return std::pow(problem.base, -double(k)) / sum / binomial;
}

KroneckerSequence::KroneckerSequence(std::size_t dimension, RandomStream& stream) {
  double g = 1.5;
  for (int i = 0; i < 60; ++i) g = std::pow(1.0 + g, 1.0 / (double(dimension) + 1.0));
  for (std::size_t d = 0; d < dimension; ++d) {
    position_.push_back(stream.uniform());
    increment_.push_back(std::pow(g, -double(d + 1)));
  }
}

const std::vector<double>& KroneckerSequence::next() {
  for (std::size_t d = 0; d < position_.size(); ++d) {
    position_[d] += increment_[d];
    position_[d] -= std::floor(position_[d]);
  }
  return position_;
}

SetLaw tensor_law(const Problem& problem, double lambda) {
  SetLaw law{tensor_masses(problem, lambda, fine), 0.0};
  law.error = total_variation(law.mass, tensor_masses(problem, lambda, coarse));
  return law;
}

namespace {

// visit(set, risk) at every point of one random shift in the boxes of all sets.
template <class Visit>
void for_each_lattice_point(const Problem& problem, std::size_t points, RandomStream& stream,
                            Visit&& visit) {
  const NaiveNetwork network = problem.naive();
  const NaiveData<double> data = problem.naive_data();
  const std::size_t parameters = network.parameter_count();
  for (std::size_t set = 1; set < std::size_t{1} << parameters; ++set) {
    const std::vector<std::size_t> axes = members(set);
    KroneckerSequence sequence(axes.size(), stream);
    std::vector<double> theta(parameters, 0.0);
    for (std::size_t i = 0; i < points; ++i) {
      const std::vector<double>& position = sequence.next();
      for (std::size_t d = 0; d < axes.size(); ++d) {
        theta[axes[d]] = problem.bound * (2.0 * position[d] - 1.0);
      }
      visit(set, naive_risk(network, theta, data, problem.clip));
    }
  }
}

}  // namespace

SetLaw lattice_law(const Problem& problem, double lambda) {
  constexpr std::size_t points = 16384, shifts = 8;
  const std::size_t parameters = problem.naive().parameter_count();
  RandomStream stream({20, 0, 0, 0, Purpose::simulation});
  Batches replicates(std::size_t{1} << parameters);
  for (std::size_t shift = 0; shift < shifts; ++shift) {
    std::vector<double> mass(replicates.mean().size(), 0.0);
    for_each_lattice_point(problem, points, stream, [&](std::size_t set, double risk) {
      mass[set] += std::exp(-lambda * risk) / points;
    });
    for (std::size_t set = 1; set < mass.size(); ++set)
      mass[set] *= set_prior_mass(problem, parameters, std::popcount(set));
    normalise(mass);
    replicates.add(std::move(mass));
  }
  SetLaw law{replicates.mean(), 0.0};
  for (std::size_t set = 1; set < law.mass.size(); ++set) {
    law.error += 0.5 * replicates.standard_error(set);
  }
  return law;
}

std::vector<EvidenceIntegral> lattice_evidence(const Problem& problem,
                                               const std::vector<double>& lambdas) {
  constexpr std::size_t points = 4096, shifts = 8;
  const std::size_t parameters = problem.naive().parameter_count();
  RandomStream stream({21, 0, 0, 0, Purpose::simulation});
  std::vector<double> share = {0.0};  // of a point, by size of its set
  for (std::size_t k = 1; k <= parameters; ++k)
    share.push_back(set_prior_mass(problem, parameters, k) / points);
  Batches replicates(lambdas.size());
  for (std::size_t shift = 0; shift < shifts; ++shift) {
    std::vector<double> sums(lambdas.size(), 0.0);
    for_each_lattice_point(problem, points, stream, [&](std::size_t set, double risk) {
      const double mass = share[static_cast<std::size_t>(std::popcount(set))];
      for (std::size_t l = 0; l < lambdas.size(); ++l)
        sums[l] += mass * std::exp(-lambdas[l] * risk);
    });
    replicates.add(std::move(sums));
  }
  std::vector<EvidenceIntegral> found;
  for (std::size_t l = 0; l < lambdas.size(); ++l)
    found.push_back({replicates.mean()[l], replicates.standard_error(l)});
  return found;
}

DenseMeans tensor_means(const Problem& problem, double lambda, std::size_t dimension,
                        const Functionals& functionals) {
  const NaiveNetwork network = problem.naive();
  const NaiveData<double> data = problem.naive_data();
  const std::size_t parameters = network.parameter_count();
  const auto means = [&](std::size_t nodes) {
    std::vector<double> sum(dimension, 0.0), value(dimension);
    double total = 0.0;
    for_each_node(two_panels(nodes, problem.bound), parameters, (std::size_t{1} << parameters) - 1,
                  [&](const std::vector<double>& theta, double weight) {
                    const double risk = naive_risk(network, theta, data, problem.clip);
                    functionals(theta, risk, value.data());
                    const double mass = weight * std::exp(-lambda * risk);
                    total += mass;
                    for (std::size_t i = 0; i < dimension; ++i) sum[i] += mass * value[i];
                  });
    for (double& s : sum) s /= total;
    return sum;
  };
  DenseMeans answer{means(fine), means(coarse)};
  for (std::size_t i = 0; i < dimension; ++i) {
    answer.error[i] = std::abs(answer.error[i] - answer.mean[i]);
  }
  return answer;
}

}  // namespace lacuna::statistical
