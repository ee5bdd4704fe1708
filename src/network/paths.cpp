#include "network/paths.hpp"

#include <algorithm>
#include <iterator>

namespace lacuna {
namespace {

bool contains(const std::vector<std::uint64_t>& units, std::uint64_t unit) {
  return std::binary_search(units.begin(), units.end(), unit);
}

void sort_unique(std::vector<std::uint64_t>& units) {
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
}

}  // namespace

Paths::Paths(const Architecture& architecture)
    : architecture_(architecture),
      reached_(architecture.layers() + 1),
      leading_(architecture.layers() + 1),
      occupied_(architecture.layers() + 1) {}

void Paths::build(std::span<const std::uint64_t> active) {
  const std::size_t output = architecture_.layers();
  places_.clear();
  for (const std::uint64_t index : active) places_.push_back(architecture_.place(index));
  for (std::size_t l = 0; l <= output; ++l) {
    reached_[l].clear();
    leading_[l].clear();
    occupied_[l].clear();
  }
  // Places come layer by layer, so the layer before is complete when a layer begins.
  std::size_t layer = 0;
  for (const Place& place : places_) {
    if (place.layer != layer) {
      sort_unique(reached_[layer]);
      layer = place.layer;
    }
    if (place.shift || layer == 1 || contains(reached_[layer - 1], place.source))
      reached_[layer].push_back(place.destination);
  }
  sort_unique(reached_[layer]);
  leading_[output].push_back(0);
  layer = output;
  for (auto place = places_.rbegin(); place != places_.rend(); ++place) {
    if (place->layer != layer) {
      sort_unique(leading_[layer - 1]);
      layer = place->layer;
    }
    if (!place->shift && contains(leading_[layer], place->destination))
      leading_[layer - 1].push_back(place->source);
  }
  sort_unique(leading_[layer - 1]);
  for (std::size_t l = 1; l < output; ++l)
    std::ranges::set_union(reached_[l], leading_[l], std::back_inserter(occupied_[l]));
}

bool Paths::is_live(std::uint64_t index) const {
  const Place place = architecture_.place(index);
  if (!contains(leading_[place.layer], place.destination)) return false;
  return place.shift || place.layer == 1 || contains(reached_[place.layer - 1], place.source);
}

std::uint64_t Paths::vacant_units(std::size_t l) const {
  return architecture_.size(l) - occupied_[l].size();
}

std::uint64_t Paths::vacant_unit(std::size_t l, std::uint64_t k) const {
  for (const std::uint64_t unit : occupied_[l]) {
    if (unit > k) break;
    ++k;
  }
  return k;
}

}  // namespace lacuna
