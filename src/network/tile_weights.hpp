// The weights that tiles multiply with, packed in their order, and what the sums that they collect
// are multiplied with afterwards.
#pragma once

#include <vector>

#include "network/evaluator.hpp"
#include "network/live_network.hpp"

namespace lacuna {

// Signals of the last hidden layer are gates (gates.hpp), so its weights to the output join those
// that lead into it from a tile below, where a gradient is asked for.
template <class Real>
void pack_tile_weights(const LiveNetwork& network, const std::vector<Real>& theta,
                       const Request& request, std::vector<Real>& packed) {
  for (std::size_t l = 1; l <= network.layers(); ++l) {
    for (const Tiles* tiles : {&network.layer(l).tiles_in, &network.layer(l).tiles_out}) {
      const std::uint32_t* slot = tiles->slots(0);
      for (std::size_t k = 0; k < tiles->weight_count(); ++k)
        packed[tiles->first_weight() + k] = slot[k] == no_slot ? Real(0) : theta[slot[k]];
    }
  }
  if (!request.gradient || network.layers() == 2) return;
  const LiveLayer& last = network.layer(network.layers() - 1);
  const Tiles& tiles = network.layer(network.layers() - 2).tiles_out;
  Real* weight = packed.data() + tiles.first_weight();
  for (const Tile& tile : tiles.tiles()) {
    for (std::uint32_t r = tile.first_row; r < tile.last_row; ++r)
      for (std::size_t j = 0; j < tile_units; ++j)
        weight[r * tile_units + j] *= theta[last.output_slot(tiles.row(r))];
  }
}

// Derivatives by weights into tiles of the last hidden layer were summed where a unit is on: its
// weight to the output is a factor of all of them, and its square one of curvatures.
template <class Real>
void scale_gated_sums(const LiveNetwork& network, const std::vector<Real>& theta,
                      const Request& request, std::vector<double>& gradient,
                      std::vector<double>& curvature) {
  const std::size_t last_hidden = network.layers() - 1;
  if (!request.gradient || (request.layer != 0 && request.layer != last_hidden)) return;
  const LiveLayer& last = network.layer(last_hidden);
  const Tiles& tiles = last.tiles_in;
  for (const Tile& tile : tiles.tiles()) {
    for (std::size_t j = 0; j < tile_units; ++j) {
      const auto weight = static_cast<double>(theta[last.output_slot(tile.unit[j])]);
      for (std::uint32_t r = tile.first_row; r <= tile.last_row; ++r) {
        const std::size_t lane = tiles.first_weight() + r * tile_units + j;
        gradient[lane] *= weight;
        if (request.curvature) curvature[lane] *= weight * weight;
      }
    }
  }
}

}  // namespace lacuna
