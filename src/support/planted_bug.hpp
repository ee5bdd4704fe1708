// Classical mistakes that the statistical tests must catch, compiled into a second copy of the
// library only.
//
// In the library that users get, has_bug() is a constant false and every branch on it vanishes. The
// test target defines LACUNA_PLANTED_BUGS and switches one mistake on at a time.
#pragma once

namespace lacuna {

enum class PlantedBug {
  none,
  prior_without_binomial,       // log pi lacks -log binom(P, k)
  prior_without_box_volume,     // log pi lacks -k log(2B)
  edge_probability,             // 1/4 used where 1/3 belongs, at |I| = 1 and |I| = P
  forward_weight_backward,      // the reverse jump uses the forward selection weight
  gradient_at_wrong_end,        // the reverse normal density uses the gradient at theta
  box_forgotten,                // proposals outside [-B, B] are accepted
  exchange_sign,                // the swap of two rungs has the wrong sign
  stale_cache_after_rejection,  // the proposal's gradient is kept although it was rejected
  ties_counted_below,           // ranks count < where <= belongs
  gradient_through_clip,        // rows with |g| > C contribute to the gradient
  wrong_dimension,              // a jump's normal density has the dimension of the set it leaves
  swap_sign,                    // the ratio of a swap of two weights is turned over
  exchange_one_lambda,          // the exchange ratio uses one lambda for both rungs
  vacant_units_not_counted,     // the birth of a unit forgets the choice among vacant ones
  dead_counted_before_birth,    // the death of a dead weight is chosen among one too few
  count_of_all_active,          // a dead weight to remove counts as one of |I|, not of the dead
  class_probability_missing,    // a birth lacks the probability of choosing its class
  unit_probability_missing,     // a birth lacks the probability of choosing its unit
  langevin_without_normaliser,  // a Langevin density lacks the constant that its scales decide
  momentum_not_turned,          // a trajectory leaves a wall with the momentum it came with
  output_box_forgotten,         // weights of the output layer are accepted outside the box
  rescale_without_jacobian,     // the ratio of a rescaling lacks t^(n_in - n_out)
  scales_of_moving_layer,       // the scales of a trajectory look at the values it moves
};
inline constexpr int planted_bug_count = static_cast<int>(PlantedBug::scales_of_moving_layer);

#ifdef LACUNA_PLANTED_BUGS
inline PlantedBug planted_bug = PlantedBug::none;
inline bool has_bug(PlantedBug bug) { return planted_bug == bug; }
#else
constexpr bool has_bug(PlantedBug) { return false; }
#endif

}  // namespace lacuna
