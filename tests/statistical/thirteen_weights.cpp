// Functionals of the active set, tabulated for all sets.
#include "statistical/thirteen_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "statistical/naive_live.hpp"

namespace lacuna::statistical {
namespace {

constexpr std::size_t largest_size = 11;  // larger ones are counted with it
constexpr std::size_t largest_live = 10;

struct CoordinateClass {
  std::string_view name;
  std::size_t first, last;
};
constexpr std::array<CoordinateClass, 6> classes = {
    {CoordinateClass{"W1", 0, 2}, CoordinateClass{"v1", 2, 4}, CoordinateClass{"W2", 4, 8},
     CoordinateClass{"v2", 8, 10}, CoordinateClass{"W3", 10, 12}, CoordinateClass{"v3", 12, 13}}};

// Live units by layer. A live unit of the first layer needs one of the second above it; the second
// can live on its shifts, with one unit or, rarely, two.
std::string_view units_cell(const std::vector<std::size_t>& units) {
  if (units[1] == 0) return "0 + 0";
  if (units[0] == 0) return "0 + 1 or 2";
  if (units[0] == 1) return units[1] == 1 ? "1 + 1" : "1 + 2";
  return units[1] == 1 ? "2 + 1" : "2 + 2";
}
constexpr std::array<std::string_view, 6> units_cells = {"0 + 0", "0 + 1 or 2", "1 + 1",
                                                         "1 + 2", "2 + 1",      "2 + 2"};

}  // namespace

ThirteenFunctionals::ThirteenFunctionals() {
  const NaiveNetwork network = thirteen_weights().naive();
  const std::size_t total = network.parameter_count();
  of_set_.resize(std::size_t{1} << total);
  for (std::size_t set = 0; set < of_set_.size(); ++set) {
    const LivePart live = live_part(network, set);
    live_.push_back(live.set);
    std::vector<double>& values = of_set_[set];
    std::vector<std::string> names;
    const auto add = [&](std::string name, double value) {
      names.push_back(std::move(name));
      values.push_back(value);
    };
    const auto size = static_cast<std::size_t>(std::popcount(set));
    const auto live_size = static_cast<std::size_t>(std::popcount(live.set));
    for (std::size_t k = 1; k <= largest_size; ++k) {
      add(fmt::format("|I| = {}", k), std::min(size, largest_size) == k);
    }
    for (std::size_t k = 0; k <= largest_live; ++k) {
      add(fmt::format("live |I| = {}", k), std::min(live_size, largest_live) == k);
    }
    for (const std::string_view cell : units_cells) {
      add(fmt::format("live units {}", cell), units_cell(live.units) == cell);
    }
    for (std::size_t i = 0; i < total; ++i) {
      add(fmt::format("{} active", i), static_cast<double>(set >> i & 1));
    }
    for (const CoordinateClass& c : classes) {
      const std::size_t mask = (std::size_t{1} << c.last) - (std::size_t{1} << c.first);
      add(fmt::format("live in {}", c.name), std::popcount(live.set & mask));
    }
    if (set + 1 == of_set_.size()) names_ = std::move(names);
  }
  for (const std::string_view name : {"risk", "risk^2", "f(a)", "f(b)", "f(a) f(b)"}) {
    names_.emplace_back(name);
  }
  for (std::size_t c = 0; c < ThirteenValues{}.squares.size(); ++c) {
    names_.push_back(fmt::format("live {} squared", classes[c].name));
  }
}

ThirteenValues ThirteenFunctionals::values_at(const Model& model, const std::vector<double>& theta,
                                              std::size_t live, double risk) {
  ThirteenValues values{risk, model.f(theta, {first_probe}), model.f(theta, {second_probe}), {}};
  for (std::size_t c = 0; c < values.squares.size(); ++c) {
    for (std::size_t i = classes[c].first; i < classes[c].last; ++i) {
      if ((live >> i & 1) != 0) values.squares[c] += theta[i] * theta[i];
    }
  }
  return values;
}

std::array<double, ThirteenFunctionals::value_size> ThirteenFunctionals::of_values(
    const ThirteenValues& values) {
  std::array<double, value_size> out = {values.risk, values.risk * values.risk, values.first,
                                        values.second, values.first * values.second};
  std::copy(values.squares.begin(), values.squares.end(), out.begin() + 5);
  return out;
}

}  // namespace lacuna::statistical
