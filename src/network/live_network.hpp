// The part of a network that can matter at given active coordinates, compacted so that passes touch
// nothing else.
//
// A hidden unit is *reached* if an active path leads to it from an input or from an active shift;
// otherwise its activation is zero at every x. It is *live* if it is reached and an active path
// leads from it to the output. f depends on live units only. Reached units that are not live
// ("dangling") matter when inactive coordinates are asked for: switching on a weight from a
// dangling unit to a live one changes f.
//
// The structure is a function of the active indices alone, never of how they came about, and its
// order is the flat order. So the same point gives the same bits whatever the history of the chain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "network/architecture.hpp"
#include "network/tiles.hpp"

namespace lacuna {

// A unit of the full network; layer 0 stands for no unit in particular.
struct UnitPlace {
  std::size_t layer = 0;
  std::uint64_t unit = 0;
  bool operator==(const UnitPlace&) const = default;
};

struct LiveUnit {
  std::uint64_t unit;        // number in its layer of the full network
  std::uint32_t first_edge;  // its incoming edges are edges[first_edge .. last_edge) of its layer
  std::uint32_t last_edge;
  std::uint32_t shift_slot;  // position of its shift among the active coordinates, or no_slot
  bool live;
  // Where its weights to live units lie in `outgoing` of its layer.
  std::uint32_t first_out = 0, last_out = 0;
};

// An inactive coordinate whose derivative can differ from zero: its source carries a signal and its
// destination is live. At an unreached destination the derivative is zero, because a ReLU is given
// derivative zero at its kink.
struct Candidate {
  std::uint64_t index;        // flat index
  std::uint32_t destination;  // position in its layer
  std::uint32_t source;       // position in the layer before, or no_slot for a shift
};

struct LiveLayer {
  std::vector<LiveUnit>
      units;  // reached units in increasing order; the output layer always has its one unit
  std::vector<Link> edges;            // to sources
  std::vector<Link> outgoing;         // to live units of the next layer, unit by unit
  Tiles tiles_in, tiles_out;          // of live units, towards sources and destinations
  std::vector<Candidate> candidates;  // in flat order; only after build_candidates()

  // In the last hidden layer: where the weight of a live unit to the output is among the active
  // coordinates.
  std::uint32_t output_slot(std::size_t u) const { return outgoing[units[u].first_out].slot; }
};

class LiveNetwork {
 public:
  explicit LiveNetwork(const Architecture& architecture);

  // Rebuilds for these active indices (strictly increasing); does nothing if they are the ones
  // already there.
  void build(std::span<const std::uint64_t> active);

  // Lists the candidates of the structure last built: of all layers, or those into one unit.
  void build_candidates(UnitPlace into = {});

  const Architecture& architecture() const { return architecture_; }
  std::size_t layers() const { return architecture_.layers(); }
  const LiveLayer& layer(std::size_t l) const { return layers_[l - 1]; }  // l = 1 .. L+1
  std::size_t evaluated_units() const { return evaluated_units_; }  // reached units and the output
  std::size_t candidate_count() const { return candidate_count_; }
  std::size_t tile_weights() const { return tile_weights_; }  // of all tiles, packed
  // Where passes collect the derivative by an active coordinate: first those of tiles towards
  // sources, in the order in which their weights are packed (with places for weights that a tile
  // lacks), then all others.
  std::size_t lane(std::size_t slot) const { return lane_[slot]; }
  std::size_t lane_count() const { return lane_count_; }

  // Whether the weight or shift at this position of the active coordinates can influence f.
  bool slot_is_live(std::size_t slot) const { return slot_live_[slot]; }
  // The inputs from which an active path leads to the output.
  void mark_connected_inputs(std::vector<bool>& connected) const;
  std::size_t live_hidden_units() const;
  std::size_t most_live_units() const;       // of all hidden layers, in the one that has most
  UnitPlace live_unit(std::size_t k) const;  // the k-th of the live hidden units; then the output
  // Whether this inactive coordinate would be listed, and how many would be, without listing them.
  bool is_candidate(std::uint64_t index) const;
  std::uint64_t count_candidates() const;
  std::size_t active_count() const { return active_.size(); }  // |I|
  std::size_t live_count() const { return live_count_; }

 private:
  void collect_reached();
  void mark_live();
  void list_outgoing();
  void group_units();
  void give_lanes();

  Architecture architecture_;
  std::vector<std::uint64_t> active_;
  bool built_ = false;
  bool candidates_built_ = false;
  UnitPlace candidates_into_;
  std::vector<LiveLayer> layers_;
  std::vector<bool> slot_live_;
  std::size_t live_count_ = 0;
  std::size_t evaluated_units_ = 0;
  std::size_t tile_weights_ = 0, lane_count_ = 0;
  std::vector<std::uint32_t> lane_;
  std::size_t candidate_count_ = 0;
};

}  // namespace lacuna
