// The list of experiments, cheapest first.
#include "statistical/experiment.hpp"

#include <array>

namespace lacuna::statistical {

std::span<const Experiment> all_experiments() {
  static constexpr std::array experiments = {
      Experiment{"exchange_ratio", exchange_ratio},
      Experiment{"acceptance_ratio", acceptance_ratio},
      Experiment{"cache_consistency", cache_consistency},
      Experiment{"four_prior", four_prior},
      Experiment{"four_warm", four_warm},
      Experiment{"four_cold", four_cold},
      Experiment{"exchange_ladder", exchange_ladder},
      Experiment{"dense_mala", dense_mala},
      Experiment{"dense_prior_recovery", dense_prior_recovery},
      Experiment{"prior_recovery", prior_recovery},
      Experiment{"geweke", geweke},
      Experiment{"seven_wide_warm", seven_wide_warm},
      Experiment{"seven_wide_cold", seven_wide_cold},
      Experiment{"seven_deep_warm", seven_deep_warm},
      Experiment{"seven_deep_cold", seven_deep_cold},
  };
  return experiments;
}

}  // namespace lacuna::statistical
