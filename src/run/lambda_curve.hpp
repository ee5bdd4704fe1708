// How well held-out rows are predicted along lambda.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "run/trial.hpp"

namespace lacuna {

// One lambda in all folds, as the equal mixture of one or more chains in each.
struct LambdaTrial {
  double factor = 1.0;  // times the Bayes lambda of `error`
  std::size_t chains = 0;
  std::vector<HeldOut> predicted;  // by fold
  double between = 0.0;            // mean variance between the chains of a fold
  HeldOutScore score;
};

struct LambdaChoice {
  double factor = 1.0;
  const LambdaTrial* nearest = nullptr;  // of those compared
};

// `times` the Bayes lambda of the error that the best of them makes on held-out rows, but no colder
// than the coldest of those that predict about as well as the best (and not hotter than Bayes for
// that). Where the Bayes lambda itself is hotter or colder by more than a factor 2 than all of
// these, the hottest of them. Scores of neighbours differ by little more than chance, and the error
// is known much better than which score is largest; a colder posterior is surer of itself and its
// networks are larger, so it has to earn that. `contenders`: best first.
LambdaChoice choose_lambda(const std::vector<LambdaTrial*>& contenders,
                           const std::vector<Fold>& folds, double error, double times = 1.0);

// A single chain lives in one mode, and modes of the same lambda may predict very differently. One
// very short chain at each lambda of a grid finds the region; there longer chains run, round by
// round, each round from networks trained anew. So what is compared in the end is what a fit
// reports, a mean over several chains.
class LambdaCurve {
 public:
  // `error`: root mean square error to expect on held-out rows, the unit of scores and factors.
  // Curves of the same search have different numbers, which name their random streams.
  LambdaCurve(const std::vector<Fold>& folds, const Config& config, std::vector<std::size_t> widths,
              double error, std::size_t threads, const std::function<bool()>& stop,
              std::uint32_t number = 0)
      : folds_(folds),
        config_(config),
        widths_(std::move(widths)),
        error_(error),
        threads_(threads),
        stop_(stop),
        number_(number),
        next_chain_((number + 1) * 1'000'000) {}

  LambdaCurve(const LambdaCurve&) = delete;  // contenders point into it
  LambdaCurve& operator=(const LambdaCurve&) = delete;

  // One chain at each value of the grid, from `trials`, one for each fold.
  void explore(const std::vector<Trial>& trials);
  // Longer chains where the curve is high, as many as the fit has chains: from `trained`, and from
  // networks trained anew in further rounds.
  void compare_contenders(const TrainedRounds& trained);

  const std::vector<LambdaTrial>& tried() const { return tried_; }  // increasing lambda
  LambdaChoice chosen(double times = 1.0) const {
    return choose_lambda(contenders_, folds_, error_, times);
  }
  const LambdaTrial& best() const { return *contenders_.front(); }  // of those followed to the end
  double lambda_of(double factor, double n) const;

 private:
  const LambdaTrial& best_look() const;
  void rank_contenders();
  bool try_factor(double factor, const std::vector<Trial>& trials);
  bool run_chains(const std::vector<LambdaTrial*>& at, const std::vector<Trial>& trials,
                  ShortChain length, bool afresh);
  std::vector<Trial> train(std::size_t round, double factor) const;

  const std::vector<Fold>& folds_;
  const Config& config_;
  std::vector<std::size_t> widths_;
  double error_;
  std::size_t threads_;
  const std::function<bool()>& stop_;
  std::vector<LambdaTrial> tried_;
  std::vector<LambdaTrial*> contenders_;  // that were followed to the end, best first
  std::uint32_t number_;
  std::uint32_t next_chain_;  // far from those of the fit, so that no random stream is used twice
};

}  // namespace lacuna
