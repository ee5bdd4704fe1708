// Each distinct row once, with the weight of all its copies.
#include <algorithm>
#include <numeric>

#include "data/row_order.hpp"
#include "support/random.hpp"

namespace lacuna {
namespace {

// -1, 0 or 1 as row a comes before, is equal to or comes after row b, value by value.
int compare(const Dataset& data, std::size_t a, std::size_t b) {
  for (std::size_t j = 0; j < data.inputs; ++j) {
    const double* x = data.x.data() + j * data.rows;
    if (x[a] != x[b]) return x[a] < x[b] ? -1 : 1;
  }
  return data.y[a] == data.y[b] ? 0 : (data.y[a] < data.y[b] ? -1 : 1);
}

double weight_of(const Dataset& data, std::size_t i) {
  return data.weight.empty() ? 1.0 : data.weight[i];
}

}  // namespace

bool equal_rows(const Dataset& data, std::size_t a, std::size_t b) {
  return compare(data, a, b) == 0;
}

std::vector<std::size_t> row_order(const Dataset& data) {
  std::vector<std::size_t> order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (const int sign = compare(data, a, b); sign != 0) return sign < 0;
    // Equal rows by weight, so that their sum is rounded the same way in any order of the data.
    const double u = weight_of(data, a), v = weight_of(data, b);
    return u != v ? u < v : a < b;
  });
  return order;
}

double total_weight(const Dataset& data) {
  return data.weight.empty() ? static_cast<double>(data.rows)
                             : std::accumulate(data.weight.begin(), data.weight.end(), 0.0);
}

DistinctRows distinct_rows(const Dataset& data) {
  DistinctRows out;
  Dataset& rows = out.data;
  rows.inputs = data.inputs;
  rows.input_names = data.input_names;
  rows.target_name = data.target_name;
  std::size_t last = 0;  // the last row taken, as given
  for (const std::size_t i : row_order(data)) {
    const double weight = weight_of(data, i);
    if (weight == 0.0) continue;
    if (!out.origin.empty() && equal_rows(data, last, i)) {
      rows.weight.back() += weight;
      out.origin.back() = std::min(out.origin.back(), i);
    } else {
      rows.weight.push_back(weight);
      out.origin.push_back(i);
    }
    last = i;
  }
  rows.rows = out.origin.size();
  // Sorted rows would make every part of them special.
  RandomStream stream({0, 0, 0, 0, Purpose::row_order});
  for (std::size_t i = rows.rows; i > 1; --i) {
    const std::size_t other = stream.below(i);
    std::swap(out.origin[i - 1], out.origin[other]);
    std::swap(rows.weight[i - 1], rows.weight[other]);
  }
  rows.x.reserve(rows.rows * data.inputs);
  for (std::size_t j = 0; j < data.inputs; ++j)
    for (const std::size_t i : out.origin) rows.x.push_back(data.x[j * data.rows + i]);
  for (const std::size_t i : out.origin) rows.y.push_back(data.y[i]);
  return out;
}

}  // namespace lacuna
