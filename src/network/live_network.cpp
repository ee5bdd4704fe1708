#include "network/live_network.hpp"

#include <algorithm>

namespace lacuna {
namespace {

// Position of `unit` in an increasing list of units, or no_slot.
std::uint32_t find_unit(const std::vector<LiveUnit>& units, std::uint64_t unit) {
  const auto found =
      std::lower_bound(units.begin(), units.end(), unit,
                       [](const LiveUnit& a, std::uint64_t b) { return a.unit < b; });
  if (found == units.end() || found->unit != unit) return no_slot;
  return static_cast<std::uint32_t>(found - units.begin());
}

}  // namespace

LiveNetwork::LiveNetwork(const Architecture& architecture)
    : architecture_(architecture), layers_(architecture.layers()) {}

void LiveNetwork::build(std::span<const std::uint64_t> active) {
  if (built_ && std::ranges::equal(active, active_)) return;
  active_.assign(active.begin(), active.end());
  built_ = true;
  candidates_built_ = false;
  collect_reached();
  mark_live();
  list_outgoing();
  group_units();
}

void LiveNetwork::collect_reached() {
  evaluated_units_ = 0;
  std::size_t begin = 0;
  for (std::size_t l = 1; l <= layers(); ++l) {
    LiveLayer& here = layers_[l - 1];
    here.units.clear();
    here.edges.clear();

    const std::uint64_t first = architecture_.first_index(l);
    const std::uint64_t sources = architecture_.size(l - 1);
    const std::uint64_t first_shift = architecture_.shift_index(l, 0);
    const std::uint64_t end_index = first_shift + architecture_.size(l);
    const auto slot_of = [&](std::uint64_t index) {
      return static_cast<std::size_t>(std::lower_bound(active_.begin(), active_.end(), index) -
                                      active_.begin());
    };
    const std::size_t shifts_begin = slot_of(first_shift);
    const std::size_t end = slot_of(end_index);

    // Weights come in order of destination, then source; shifts in order of destination: merge the
    // two.
    std::size_t weight = begin;
    std::size_t shift = shifts_begin;
    while (weight < shifts_begin || shift < end) {
      const std::uint64_t weight_unit =
          weight < shifts_begin ? (active_[weight] - first) / sources : UINT64_MAX;
      const std::uint64_t shift_unit = shift < end ? active_[shift] - first_shift : UINT64_MAX;
      LiveUnit unit{std::min(weight_unit, shift_unit),
                    static_cast<std::uint32_t>(here.edges.size()), 0, no_slot, false};
      for (; weight < shifts_begin && (active_[weight] - first) / sources == unit.unit; ++weight) {
        const std::uint64_t source = (active_[weight] - first) % sources;
        const std::uint32_t at =
            l == 1 ? static_cast<std::uint32_t>(source) : find_unit(layers_[l - 2].units, source);
        if (at != no_slot) here.edges.push_back({at, static_cast<std::uint32_t>(weight)});
      }
      if (shift_unit == unit.unit) unit.shift_slot = static_cast<std::uint32_t>(shift++);
      unit.last_edge = static_cast<std::uint32_t>(here.edges.size());
      if (unit.last_edge > unit.first_edge || unit.shift_slot != no_slot)
        here.units.push_back(unit);
    }
    if (l == layers() && here.units.empty()) here.units.push_back({0, 0, 0, no_slot, false});
    evaluated_units_ += here.units.size();
    begin = end;
  }
}

void LiveNetwork::mark_live() {
  slot_live_.assign(active_.size(), false);
  live_count_ = 0;
  layers_.back().units.front().live = true;
  for (std::size_t l = layers(); l >= 1; --l) {
    const LiveLayer& here = layers_[l - 1];
    for (const LiveUnit& unit : here.units) {
      if (!unit.live) continue;
      for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e) {
        slot_live_[here.edges[e].slot] = true;
        ++live_count_;
        if (l > 1) layers_[l - 2].units[here.edges[e].neighbour].live = true;
      }
      if (unit.shift_slot != no_slot) {
        slot_live_[unit.shift_slot] = true;
        ++live_count_;
      }
    }
  }
}

void LiveNetwork::list_outgoing() {
  for (std::size_t l = 1; l < layers(); ++l) {
    LiveLayer& here = layers_[l - 1];
    const LiveLayer& next = layers_[l];
    for (LiveUnit& unit : here.units) unit.first_out = unit.last_out = 0;
    const auto for_each_live_edge = [&](auto&& work) {
      for (std::uint32_t d = 0; d < next.units.size(); ++d) {
        if (!next.units[d].live) continue;
        for (std::uint32_t e = next.units[d].first_edge; e < next.units[d].last_edge; ++e)
          work(d, next.edges[e]);
      }
    };
    std::uint32_t count = 0;
    for_each_live_edge([&](std::uint32_t, Link edge) {
      ++here.units[edge.neighbour].last_out;
      ++count;
    });
    std::uint32_t first = 0;
    for (LiveUnit& unit : here.units) {
      unit.first_out = first;
      first += unit.last_out;
      unit.last_out = unit.first_out;
    }
    here.outgoing.resize(count);
    for_each_live_edge([&](std::uint32_t d, Link edge) {
      here.outgoing[here.units[edge.neighbour].last_out++] = {d, edge.slot};
    });
  }
}

void LiveNetwork::group_units() {
  const auto among = [](const std::vector<Link>& links, std::uint32_t first, std::uint32_t last) {
    return std::span<const Link>(links.data() + first, last - first);
  };
  tile_weights_ = 0;
  for (std::size_t l = 1; l <= layers(); ++l) {
    LiveLayer& here = layers_[l - 1];
    here.tiles_in.build(
        here.units.size(),
        [&](std::size_t u) {
          const LiveUnit& unit = here.units[u];
          if (!unit.live) return UnitLinks{};
          return UnitLinks{among(here.edges, unit.first_edge, unit.last_edge), unit.shift_slot,
                           l + 1 == layers() ? here.output_slot(u) : no_slot};
        },
        tile_weights_);
    tile_weights_ += here.tiles_in.weight_count();
  }
  give_lanes();
  for (LiveLayer& here : layers_) {
    here.tiles_out.build(
        here.units.size(),
        [&](std::size_t u) {
          return UnitLinks{among(here.outgoing, here.units[u].first_out, here.units[u].last_out)};
        },
        tile_weights_);
    tile_weights_ += here.tiles_out.weight_count();
  }
}

void LiveNetwork::give_lanes() {
  lane_.assign(active_.size(), no_slot);
  for (const LiveLayer& here : layers_) {
    const std::uint32_t* slot = here.tiles_in.slots(0);
    for (std::size_t k = 0; k < here.tiles_in.weight_count(); ++k)
      if (slot[k] != no_slot)
        lane_[slot[k]] = static_cast<std::uint32_t>(here.tiles_in.first_weight() + k);
  }
  lane_count_ = tile_weights_;
  for (std::uint32_t& lane : lane_)
    if (lane == no_slot) lane = static_cast<std::uint32_t>(lane_count_++);
}

void LiveNetwork::mark_connected_inputs(std::vector<bool>& connected) const {
  connected.assign(architecture_.inputs(), false);
  const LiveLayer& first = layer(1);
  for (const LiveUnit& unit : first.units) {
    for (std::uint32_t e = unit.first_edge; unit.live && e < unit.last_edge; ++e)
      connected[first.edges[e].neighbour] = true;
  }
}

std::size_t LiveNetwork::live_hidden_units() const {
  std::size_t count = 0;
  for (std::size_t l = 1; l < layers(); ++l) {
    for (const LiveUnit& unit : layer(l).units) count += unit.live;
  }
  return count;
}

std::size_t LiveNetwork::most_live_units() const {
  std::size_t most = 0;
  for (std::size_t l = 1; l < layers(); ++l) {
    const auto count = std::ranges::count_if(layer(l).units, &LiveUnit::live);
    most = std::max(most, static_cast<std::size_t>(count));
  }
  return most;
}

UnitPlace LiveNetwork::live_unit(std::size_t k) const {
  for (std::size_t l = 1; l < layers(); ++l) {
    for (const LiveUnit& unit : layer(l).units) {
      if (unit.live && k-- == 0) return {l, unit.unit};
    }
  }
  return {layers(), 0};
}

bool LiveNetwork::is_candidate(std::uint64_t index) const {
  const Place at = architecture_.place(index);
  const std::vector<LiveUnit>& units = layers_[at.layer - 1].units;
  const std::uint32_t destination = find_unit(units, at.destination);
  if (destination == no_slot || !units[destination].live) return false;
  return at.shift || at.layer == 1 || find_unit(layers_[at.layer - 2].units, at.source) != no_slot;
}

std::uint64_t LiveNetwork::count_candidates() const {
  std::uint64_t count = 0;
  for (std::size_t l = 1; l <= layers(); ++l) {
    const std::uint64_t sources = l == 1 ? architecture_.inputs() : layers_[l - 2].units.size();
    for (const LiveUnit& unit : layer(l).units) {
      if (!unit.live) continue;
      count += sources - (unit.last_edge - unit.first_edge) + (unit.shift_slot == no_slot);
    }
  }
  return count;
}

void LiveNetwork::build_candidates(UnitPlace into) {
  if (candidates_built_ && candidates_into_ == into) return;
  candidates_built_ = true;
  candidates_into_ = into;
  candidate_count_ = 0;
  for (std::size_t l = 1; l <= layers(); ++l) {
    LiveLayer& here = layers_[l - 1];
    here.candidates.clear();
    if (into.layer != 0 && into.layer != l) continue;
    const std::uint32_t sources =
        static_cast<std::uint32_t>(l == 1 ? architecture_.inputs() : layers_[l - 2].units.size());
    const auto wanted = [&](const LiveUnit& unit) {
      return unit.live && (into.layer == 0 || unit.unit == into.unit);
    };
    for (std::uint32_t d = 0; d < here.units.size(); ++d) {
      const LiveUnit& unit = here.units[d];
      if (!wanted(unit)) continue;
      std::uint32_t edge = unit.first_edge;
      for (std::uint32_t s = 0; s < sources; ++s) {
        if (edge < unit.last_edge && here.edges[edge].neighbour == s) {
          ++edge;
          continue;
        }
        const std::uint64_t source_unit = l == 1 ? s : layers_[l - 2].units[s].unit;
        here.candidates.push_back({architecture_.weight_index(l, unit.unit, source_unit), d, s});
      }
    }
    for (std::uint32_t d = 0; d < here.units.size(); ++d) {
      const LiveUnit& unit = here.units[d];
      if (wanted(unit) && unit.shift_slot == no_slot) {
        here.candidates.push_back({architecture_.shift_index(l, unit.unit), d, no_slot});
      }
    }
    candidate_count_ += here.candidates.size();
  }
}

}  // namespace lacuna
