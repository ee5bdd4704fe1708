// Held-out rows: folds, scores, the noise fitted to them, and the search for lambda and size.
#include "run/search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "network/evaluator.hpp"
#include "run/effort.hpp"
#include "run/folds.hpp"
#include "run/lambda_curve.hpp"
#include "run/noise_fit.hpp"
#include "support/random.hpp"

namespace lacuna {
namespace {

// y = |x1| centred, with noise whose standard deviation is `noise` times exp(`slope` x2).
Dataset data_with_noise(std::size_t rows, double noise, double slope = 0.0) {
  RandomStream stream({7, 0, 0, 0, Purpose::test});
  Dataset data;
  data.rows = rows;
  data.inputs = 2;
  data.input_names = {"x1", "x2"};
  data.target_name = "y";
  for (std::size_t k = 0; k < 2 * rows; ++k) data.x.push_back(stream.normal());
  for (std::size_t i = 0; i < rows; ++i) {
    const double sd = noise * std::exp(slope * data.x[rows + i]);
    data.y.push_back((std::abs(data.x[i]) - 0.8) / 0.6 + sd * stream.normal());
  }
  return data;
}

// The same with `more` inputs that mean nothing at all.
Dataset with_more_inputs(Dataset data, std::size_t more) {
  RandomStream stream({8, 0, 0, 0, Purpose::test});
  for (std::size_t k = 0; k < more * data.rows; ++k) data.x.push_back(stream.normal());
  for (std::size_t j = 0; j < more; ++j)
    data.input_names.push_back("z" + std::to_string(++data.inputs));
  return data;
}

// What a perfect fit would predict for the held-out rows.
std::vector<HeldOut> truth_on(const std::vector<Fold>& folds) {
  std::vector<HeldOut> predicted;
  for (const Fold& fold : folds) {
    HeldOut here;
    for (std::size_t i = 0; i < fold.held_out->rows(); ++i) {
      here.mean.push_back((std::abs(fold.held_out->column(0)[i]) - 0.8) / 0.6);
      here.variance.push_back(0.0);
    }
    predicted.push_back(here);
  }
  return predicted;
}

TEST(Folds, HoldOutDisjointRowsThatTrainingDoesNotSee) {
  const Dataset data = data_with_noise(103, 0.1);
  const std::vector<Fold> folds = make_folds(data, 1);
  ASSERT_EQ(folds.size(), 4u);
  std::multiset<double> held_out;
  for (const Fold& fold : folds) {
    EXPECT_EQ(fold.training->rows() + fold.held_out->rows(), 103u);
    std::set<double> training(fold.training->target(),
                              fold.training->target() + fold.training->rows());
    for (std::size_t i = 0; i < fold.held_out->rows(); ++i) {
      EXPECT_FALSE(training.contains(fold.held_out->target()[i]));
      held_out.insert(fold.held_out->target()[i]);
    }
  }
  EXPECT_EQ(std::set<double>(held_out.begin(), held_out.end()).size(), held_out.size());
  EXPECT_EQ(make_folds(data_with_noise(1500, 0.1), 1).size(), 2u);
}

LambdaTrial trial_on(const std::vector<Fold>& folds) {
  LambdaTrial trial;
  trial.chains = 4;
  trial.predicted = truth_on(folds);
  return trial;
}

// Contenders at these factors, best first; `off` is what each adds to the true mean.
struct Contenders {
  Contenders(const std::vector<Fold>& folds, double error,
             const std::vector<std::pair<double, double>>& factors_and_off) {
    trials.reserve(factors_and_off.size());
    for (const auto& [factor, off] : factors_and_off) {
      LambdaTrial& trial = trials.emplace_back(trial_on(folds));
      trial.factor = factor;
      for (HeldOut& fold : trial.predicted) {
        for (double& mean : fold.mean) mean += off;
      }
      trial.score = score(folds, trial.predicted, error);
      order.push_back(&trial);
    }
  }
  std::vector<LambdaTrial> trials;
  std::vector<LambdaTrial*> order;
};

TEST(ChooseLambda, TakesTheBayesValueOfTheErrorWhereNoScoreObjects) {
  const std::vector<Fold> folds = make_folds(data_with_noise(800, 0.2), 1);
  const Contenders all(folds, 0.4, {{8.0, 0.0}, {4.0, 0.0005}, {2.0, 0.001}, {16.0, 0.001}});
  const LambdaChoice choice = choose_lambda(all.order, folds, 0.4);
  EXPECT_NEAR(choice.factor, 0.4 * 0.4 / (0.2 * 0.2), 0.6);  // the error is known to 7%
  EXPECT_EQ(choice.nearest->factor, 4.0);
  // Hotter than all that were compared, but not as far as the next of the grid.
  const Contenders colder(folds, 0.4, {{6.0, 0.0}, {12.0, 0.0005}});
  EXPECT_EQ(choose_lambda(colder.order, folds, 0.4).factor, choice.factor);
}

TEST(ChooseLambda, TakesTwiceTheBayesValueOnlyAsFarAsColdOnesAreAsGood) {
  const std::vector<Fold> folds = make_folds(data_with_noise(800, 0.2), 1);
  const auto chosen = [&](double coldest, double off, double times) {
    const Contenders all(folds, 0.4, {{4.0, 0.0}, {2.0, 0.0005}, {coldest, off}});
    return choose_lambda(all.order, folds, 0.4, times).factor;
  };
  const double bayes = chosen(8.0, 0.0005, 1.0);
  EXPECT_DOUBLE_EQ(chosen(16.0, 0.0005, 2.0), 2.0 * bayes);
  EXPECT_EQ(chosen(6.0, 0.0005, 2.0), 6.0);
  EXPECT_EQ(chosen(16.0, 0.3, 2.0), std::max(bayes, 4.0));
  // Where scores object to the Bayes value itself, they decide.
  const Contenders cold(folds, 0.4, {{32.0, 0.0}, {16.0, 0.0005}, {4.0, 0.3}});
  EXPECT_EQ(choose_lambda(cold.order, folds, 0.4, 2.0).factor, 16.0);
}

TEST(ChooseLambda, FollowsTheScoresWhereTheyObject) {
  const std::vector<Fold> folds = make_folds(data_with_noise(800, 0.2), 1);
  const Contenders cold(folds, 0.4, {{32.0, 0.0}, {16.0, 0.0005}, {4.0, 0.3}, {2.0, 0.3}});
  EXPECT_EQ(choose_lambda(cold.order, folds, 0.4).factor, 16.0);
  const Contenders hot(folds, 0.4, {{1.0, 0.0}, {0.5, 0.0005}, {4.0, 0.3}, {2.0, 0.3}});
  const LambdaChoice choice = choose_lambda(hot.order, folds, 0.4);
  EXPECT_EQ(choice.factor, 0.5);
  EXPECT_EQ(choice.nearest->factor, 0.5);
}

// The cold one has moved each mean a little towards the observation, so it is certainly better,
// however small the difference.
TEST(ChooseLambda, DoesNotBuyAColdPosteriorForASmallLoss) {
  const std::vector<Fold> folds = make_folds(data_with_noise(800, 0.2), 1);
  const auto shrunk = [&](double factor, double share) {
    LambdaTrial trial = trial_on(folds);
    trial.factor = factor;
    for (std::size_t k = 0; k < folds.size(); ++k) {
      for (std::size_t i = 0; i < trial.predicted[k].mean.size(); ++i) {
        double& mean = trial.predicted[k].mean[i];
        mean += share * (folds[k].held_out->target()[i] - mean);
      }
    }
    trial.score = score(folds, trial.predicted, 0.2);
    return trial;
  };
  for (const auto& [share, chosen] : {std::pair{0.01, 1.0}, std::pair{0.1, 16.0}}) {
    LambdaTrial cold = shrunk(16.0, share), hot = shrunk(1.0, 0.0);
    ASSERT_FALSE(as_good(hot.score, cold.score, 5.0)) << share;
    EXPECT_NEAR(choose_lambda({&cold, &hot}, folds, 0.2).factor, chosen, 0.15 * chosen) << share;
  }
}

TEST(Folds, TheScorePrefersWhatPredictsBetter) {
  const Dataset data = data_with_noise(400, 0.2);
  const std::vector<Fold> folds = make_folds(data, 1);
  const std::vector<HeldOut> truth = truth_on(folds);
  std::vector<HeldOut> worse = truth;
  for (HeldOut& fold : worse) {
    for (double& mean : fold.mean) mean += 0.3;
  }
  const HeldOutScore good = score(folds, truth, 0.2), bad = score(folds, worse, 0.2);
  EXPECT_GT(good.mean(), bad.mean());
  EXPECT_FALSE(as_good(bad, good, 2.0));
  EXPECT_TRUE(as_good(good, good, 0.0));
  EXPECT_NEAR(good.noise_sd, 0.2, 0.05);
}

TEST(NoiseFit, FindsAConstantLevel) {
  const std::vector<Fold> folds = make_folds(data_with_noise(900, 0.2), 1);
  const NoiseModel noise = fit_noise({}, 4, folds, trial_on(folds), 1, [] { return false; });
  EXPECT_FALSE(noise.varies());
  EXPECT_NEAR(noise.sd(), 0.2, 0.02);
}

TEST(NoiseFit, FindsALevelThatVaries) {
  const std::vector<Fold> folds = make_folds(data_with_noise(900, 0.2, 0.8), 1);
  const NoiseModel noise = fit_noise({}, 4, folds, trial_on(folds), 1, [] { return false; });
  ASSERT_TRUE(noise.varies());
  Evaluator evaluator(Architecture(2, noise.widths), largest_noise_level);
  const std::vector<double> x = {0.0, 0.0, -1.5, 1.5};
  std::vector<double> level(2);
  evaluator.predict({noise.index, noise.value}, Samples(2, 2, x, {}), level);
  EXPECT_NEAR(level[1] - level[0], 0.8 * 3.0, 0.8);

  Config constant;
  constant.noise = NoiseKind::constant;
  EXPECT_FALSE(fit_noise(constant, 4, folds, trial_on(folds), 1, [] { return false; }).varies());
}

TEST(NoiseFit, IsRelievedOfWhatChainsDisagreeAbout) {
  const std::vector<Fold> folds = make_folds(data_with_noise(900, 0.2), 1);
  Config config;
  config.noise = NoiseKind::constant;
  const auto variance = [&](double between, std::size_t chains) {
    LambdaTrial trial = trial_on(folds);
    trial.chains = 2;
    trial.between = between;
    const double sd = fit_noise(config, chains, folds, trial, 1, [] { return false; }).sd();
    return sd * sd;
  };
  const double alone = variance(0.0, 4);
  EXPECT_EQ(variance(0.01, 2), alone);
  EXPECT_NEAR(variance(0.01, 4), alone - 0.005, 1e-12);
  EXPECT_GT(variance(0.01, 1), alone);
  EXPECT_NEAR(variance(100.0, 4), 0.25 * alone, 1e-12);
}

TEST(Search, ChoosesLambdaNearTheNoiseAndTheSizeAskedFor) {
  const Dataset data = data_with_noise(200, 0.3);
  Config config;
  config.depth = 1;
  config.width = 8;
  const Search found = search(data, config, 1, [] { return false; });
  EXPECT_EQ(found.widths, (std::vector<std::size_t>{8}));
  ASSERT_GE(found.curve.size(), 7u);
  for (std::size_t k = 1; k < found.curve.size(); ++k)
    EXPECT_LT(found.curve[k - 1].lambda, found.curve[k].lambda);
  EXPECT_GE(found.curve.back().lambda, 10.0 * found.curve.front().lambda);
  EXPECT_NEAR(found.noise.sd(), 0.3, 0.1);
  const double implied = std::sqrt(200.0 / (2.0 * found.lambda));
  EXPECT_GT(implied, 0.1);
  EXPECT_LT(implied, 0.9);
  // The same seed, the same choice, whatever the number of threads.
  const Search again = search(data, config, 3, [] { return false; });
  EXPECT_EQ(again.lambda, found.lambda);
  EXPECT_EQ(again.noise, found.noise);
}

// The target depends on x1 alone.
TEST(Search, LeavesOutInputsThatDoNotMatter) {
  const Dataset data = with_more_inputs(data_with_noise(120, 0.3), 30);
  Config config;
  config.depth = 1;
  config.width = 8;
  const std::function<bool()> go_on = [] { return false; };
  const Search found = search(data, config, 2, go_on);
  EXPECT_EQ(found.inputs, std::vector<std::size_t>{0});
  EXPECT_NEAR(found.noise.sd(), 0.3, 0.1);
  config.inputs = InputRule::all;
  EXPECT_TRUE(search(data, config, 2, go_on).inputs.empty());
}

TEST(Search, KeepsAllInputsWhereAllMatter) {
  Dataset data = data_with_noise(200, 0.1);
  for (std::size_t i = 0; i < data.rows; ++i) data.y[i] += 0.7 * data.x[data.rows + i];
  Config config;
  config.depth = 1;
  config.width = 8;
  EXPECT_TRUE(search(data, config, 2, [] { return false; }).inputs.empty());
}

// The law of the noise may depend on an input that the mean does not depend on.
TEST(Search, NoiseMayVaryWithAnInputThatTheNetworkHasNot) {
  Config config;
  config.depth = 1;
  config.width = 8;
  const Dataset data = with_more_inputs(data_with_noise(400, 0.2, 0.8), 30);
  const Search found = search(data, config, 2, [] { return false; });
  EXPECT_EQ(found.inputs, std::vector<std::size_t>{0});
  ASSERT_TRUE(found.noise.varies());
  Evaluator evaluator(Architecture(32, found.noise.widths), largest_noise_level);
  std::vector<double> x(64), level(2);
  x[2] = -1.5;
  x[3] = 1.5;
  evaluator.predict({found.noise.index, found.noise.value}, Samples(2, 32, x, {}), level);
  EXPECT_NEAR(level[1] - level[0], 0.8 * 3.0, 0.8);
}

// Chains of different modes: what is compared must be their mean, with the disagreement known.
TEST(LambdaCurve, FollowsContendersWithAsManyChainsAsTheFitHas) {
  const Dataset data = data_with_noise(120, 0.3);
  const std::vector<Fold> folds = make_folds(data, 1);
  Config config;
  config.chains = 3;
  const std::function<bool()> go_on = [] { return false; };
  std::vector<Trial> trials;
  for (std::uint32_t k = 0; k < folds.size(); ++k) {
    RandomStream stream({1, k, 0, 0, Purpose::test});
    trials.push_back(make_trial(folds[k], config, {6}, 500.0, stream, go_on));
  }
  LambdaCurve curve(folds, config, {6}, 0.3, 2, go_on);
  curve.explore(trials);
  for (const LambdaTrial& trial : curve.tried()) EXPECT_EQ(trial.chains, 1u);
  curve.compare_contenders({trials});
  const LambdaTrial& chosen = *curve.chosen().nearest;
  EXPECT_EQ(chosen.chains, 3u);
  EXPECT_GT(chosen.between, 0.0);
  EXPECT_LT(chosen.between, 0.3 * 0.3);
  ASSERT_EQ(chosen.predicted.size(), folds.size());
  for (std::size_t k = 0; k < folds.size(); ++k)
    EXPECT_EQ(chosen.predicted[k].mean.size(), folds[k].held_out->rows());
  // No contender that was followed as far is hotter, unless it predicts clearly worse.
  double best = chosen.score.mean();
  for (const LambdaTrial& trial : curve.tried())
    if (trial.chains == 3) best = std::max(best, trial.score.mean());
  EXPECT_GT(chosen.score.mean(), best - 0.3);
}

TEST(Search, SaysSoWhenThereWasNoTime) {
  Config config;
  const Search found = search(data_with_noise(60, 0.3), config, 1, [] { return true; });
  EXPECT_TRUE(found.curve.empty());
  EXPECT_TRUE(found.error > 0.0 && std::isfinite(found.error));
}

TEST(Search, KnowsTheErrorOfTrainedNetworks) {
  Config config;
  config.widths = {8};
  const Search found = search(data_with_noise(300, 0.1), config, 2, [] { return false; });
  // The noise, and a little more.
  EXPECT_GT(found.error, 0.09);
  EXPECT_LT(found.error, 0.2);
}

TEST(Effort, GrowsWithTheRowsUpToAll) {
  Config config;
  EXPECT_EQ(effort_for(2, config), least_effort);
  EXPECT_DOUBLE_EQ(effort_for(200, config), 0.25);
  EXPECT_EQ(effort_for(800, config), 1.0);
  EXPECT_EQ(effort_for(100'000, config), 1.0);
  config.time_limit = 30.0;
  EXPECT_DOUBLE_EQ(effort_for(200, config), 0.5);
  config.draws = 10;  // the clock plans nothing now
  EXPECT_DOUBLE_EQ(effort_for(200, config), 0.25);
  config.draws = {};
  config.time_limit = 3.0;
  EXPECT_DOUBLE_EQ(effort_for(200, config), 0.25);
  EXPECT_EQ(with_effort(0.25, 8'000), 2'000u);
  EXPECT_EQ(with_effort(0.04, 1), 1u);
}

TEST(Narrowed, LeavesRoomForAQuarterMoreUnitsThanAreLive) {
  using Widths = std::vector<std::size_t>;
  EXPECT_EQ(narrowed({32, 32}, 6.3), (Widths{8, 8}));
  EXPECT_EQ(narrowed({32, 32}, 6.5), (Widths{16, 16}));
  EXPECT_EQ(narrowed({64, 64, 64}, 25.0), (Widths{32, 32, 32}));
  EXPECT_EQ(narrowed({32, 32}, 30.0), (Widths{32, 32}));  // never wider than before
  EXPECT_EQ(narrowed({64, 64}, 60.0), (Widths{64, 64}));
}

// The one input is used, and a few units are enough.
TEST(Search, TakesANarrowNetworkForASimpleFunction) {
  Dataset data = data_with_noise(120, 0.1);
  data.inputs = 1;
  data.x.resize(data.rows);
  data.input_names.resize(1);
  Config config;
  config.depth = 1;
  const std::function<bool()> go_on = [] { return false; };
  EXPECT_EQ(search(data, config, 2, go_on).widths, std::vector<std::size_t>{8});
  config.width = 32;
  EXPECT_EQ(search(data, config, 2, go_on).widths, std::vector<std::size_t>{32});
}

}  // namespace
}  // namespace lacuna
