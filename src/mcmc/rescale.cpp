#include "mcmc/rescale.hpp"

namespace lacuna {

void weights_around(const LiveNetwork& network, std::uint64_t k, RescaleScratch& scratch) {
  scratch.incoming.clear();
  scratch.outgoing.clear();
  for (std::size_t l = 1; l < network.layers(); ++l) {
    const LiveLayer& here = network.layer(l);
    for (std::uint32_t u = 0; u < here.units.size(); ++u) {
      const LiveUnit& unit = here.units[u];
      if (!unit.live || k-- > 0) continue;
      for (std::uint32_t e = unit.first_edge; e < unit.last_edge; ++e)
        scratch.incoming.push_back(here.edges[e].slot);
      if (unit.shift_slot != no_slot) scratch.incoming.push_back(unit.shift_slot);
      const LiveLayer& next = network.layer(l + 1);
      for (const LiveUnit& destination : next.units) {
        for (std::uint32_t e = destination.first_edge;
             destination.live && e < destination.last_edge; ++e) {
          if (next.edges[e].neighbour == u) scratch.outgoing.push_back(next.edges[e].slot);
        }
      }
      return;
    }
  }
}

}  // namespace lacuna
