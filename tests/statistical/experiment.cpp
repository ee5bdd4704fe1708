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
      Experiment{"unit_prior_recovery", unit_prior_recovery},
      Experiment{"dead_prior_recovery", dead_prior_recovery},
      Experiment{"mixture_prior_recovery", mixture_prior_recovery},
      Experiment{"geweke", geweke},
      Experiment{"seven_wide_warm", seven_wide_warm},
      Experiment{"seven_wide_cold", seven_wide_cold},
      Experiment{"seven_deep_warm", seven_deep_warm},
      Experiment{"seven_deep_cold", seven_deep_cold},
      Experiment{"birth_death_four", birth_death_four},
      Experiment{"birth_death_wide", birth_death_wide},
      Experiment{"swap_four", swap_four},
      Experiment{"swap_deep", swap_deep},
      Experiment{"trajectory_four", trajectory_four},
      Experiment{"langevin_four", langevin_four},
      Experiment{"output_four", output_four},
      Experiment{"output_wide", output_wide},
      Experiment{"rescale_wide", rescale_wide},
      Experiment{"rescale_deep", rescale_deep},
      Experiment{"unit_four", unit_four},
      Experiment{"unit_wide", unit_wide},
      Experiment{"unit_deep", unit_deep},
      Experiment{"dead_four", dead_four},
      Experiment{"dead_wide", dead_wide},
      Experiment{"dead_deep", dead_deep},
      Experiment{"mixture_four", mixture_four},
      Experiment{"mixture_wide", mixture_wide},
      Experiment{"mixture_deep", mixture_deep},
      Experiment{"prior_draw_four", prior_draw_four},
      Experiment{"tempered_paper", tempered_paper},
      Experiment{"tempered_mixture", tempered_mixture},
      Experiment{"birth_death_thirteen", birth_death_thirteen},
      Experiment{"swap_thirteen", swap_thirteen},
      Experiment{"trajectory_thirteen", trajectory_thirteen},
      Experiment{"langevin_thirteen", langevin_thirteen},
      Experiment{"output_thirteen", output_thirteen},
      Experiment{"rescale_thirteen", rescale_thirteen},
      Experiment{"mixture_thirteen", mixture_thirteen},
      Experiment{"geweke_mixture", geweke_mixture},
      Experiment{"sbc_mixture", sbc_mixture},
      Experiment{"agreement", agreement},
      Experiment{"annealed_weights", annealed_weights},
      Experiment{"thermodynamic_sums", thermodynamic_sums},
      Experiment{"markov_lower_bounds", markov_lower_bounds},
  };
  return experiments;
}

}  // namespace lacuna::statistical
