// How far the draws of one scalar quantity can be trusted: R-hat, effective sample sizes, Monte
// Carlo error.
//
// Definitions of Vehtari, Gelman, Simpson, Carpenter and Buerkner (2021), "Rank-normalization,
// folding, and localization: an improved R-hat for assessing convergence of MCMC", with the
// conventions of ArviZ and of the R package posterior. Rules for all functions here: chains of
// unequal length are cut to the shortest; each chain is split into halves, the middle draw of an
// odd number left out; fewer than four draws, or any draw that is not finite, give NaN.
#pragma once

#include <vector>

namespace lacuna {

using ChainDraws = std::vector<std::vector<double>>;  // chains x draws

// The larger of the R-hats of rank-normalised and of folded rank-normalised draws. NaN when all
// draws are equal; infinite when every half chain stands still at a value of its own. One chain is
// judged by its halves alone.
double split_rhat(const ChainDraws& chains);

// Effective sample sizes: of the rank-normalised draws, of the 5% and 95% quantile indicators (the
// smaller), of the plain draws. Antithetic chains are capped at S log10 S for S draws; draws that
// are all equal count in full.
double ess_bulk(const ChainDraws& chains);
double ess_tail(const ChainDraws& chains);
double ess_mean(const ChainDraws& chains);

// Standard error of the mean of all draws: sd / sqrt(ess_mean).
double mcse_mean(const ChainDraws& chains);

struct Diagnosis {
  double mean;
  double sd;
  double q05;
  double median;
  double q95;
  double rhat;
  double ess_bulk;
  double ess_tail;
  double mcse_mean;
};

// All of it, with the shared work done once. Mean, sd and quantiles are given for fewer than four
// draws too.
Diagnosis diagnose(const ChainDraws& chains);

}  // namespace lacuna
