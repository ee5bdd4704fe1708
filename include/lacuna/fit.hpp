// Fitting, and everything that can be asked of a fit: predictions, draws, a summary.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/config.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/sinks.hpp"

namespace lacuna {

// How well rows that were held out are predicted at one lambda.
struct LambdaScore {
  double lambda = 0.0;
  double log_score = 0.0;  // mean log predictive density, in scaled units
  double noise_sd = 0.0;   // at which it is largest
};

// |g| of a noise model never exceeds this: noise varies by a factor of at most exp(4) either way.
inline constexpr double largest_noise_level = 4.0;

// The law of y - f(x), in scaled units: Student's t, or normal without degrees of freedom, with
// scale `scale`, or `scale` exp(g(x)) where g is a small sparse network.
struct NoiseModel {
  double scale = 0.0;
  double mean_level = 0.0;  // root mean square of the scale over held-out rows
  std::optional<unsigned> degrees;
  std::vector<std::size_t> widths;   // hidden layers of g; empty: the noise is the same at all x
  std::vector<std::uint64_t> index;  // its active coordinates and their values
  std::vector<double> value;

  bool operator==(const NoiseModel&) const = default;
  bool varies() const { return !widths.empty(); }
  double sd() const;  // standard deviation, averaged over held-out rows where it varies
};

// Training rows at which `summary` follows f, which unlike single weights means the same in every
// chain.
struct ProbePoints {
  std::vector<std::size_t> rows;  // from 0
  std::vector<double> x;          // their scaled inputs, column by column
};

// What a fit file says about itself before its first draw.
struct FitInfo {
  std::string version;  // of the library that wrote it
  std::string command;  // how the run was started
  Config config;
  std::size_t rows = 0;
  std::vector<std::string> input_names;
  std::string target_name;
  // Where the data were read from, for `extend`; no path if they came from memory.
  std::string data_path;
  std::vector<std::string> ignored;
  MissingValues missing = MissingValues::error;
  std::string weight_name;  // of the column, or empty
  // Rows that differ, each with the weight of all its copies; none in files of the versions that
  // took the rows as they came.
  std::optional<std::size_t> distinct_rows;
  double total_weight = 0.0;  // n of all formulas: the number of rows, or the sum of their weights
  std::uint64_t data_hash = 0;
  Scaling scaling;
  // Inputs that the network has, increasing, where the data left some out; empty: all.
  std::vector<std::size_t> network_inputs;
  std::uint64_t parameter_count = 0;  // P, of the network over these
  std::vector<std::string> network_input_names() const;
  double lambda = 0.0;
  std::string lambda_origin;              // in words: where lambda comes from
  std::vector<LambdaScore> lambda_curve;  // with --lambda auto
  NoiseModel noise;                       // of predictive intervals
  std::string noise_origin;
  double clipped_share = 0.0;  // of training targets beyond the clip level
  ProbePoints probes;          // empty in files of versions that did not keep them
};

// Samples the posterior and writes the fit to `out` as it goes. Returns true if the run came to its
// planned end, false if it was stopped early (then everything sampled so far is in the file).
bool fit(const Dataset& data, const Config& config, const std::filesystem::path& out,
         const std::string& command, Observer& observer);

// How a run goes on. What is not given stays as it was.
struct Continuation {
  std::optional<std::uint64_t> draws;  // per chain, those that are there included
  std::optional<double> time_limit;    // seconds from now
  std::size_t threads = 0;
};

// Goes on with the fit in `file`, stopped or finished, as if it had never been interrupted: the
// same seed gives the same draws. `data` must be those it was fitted to. Returns as `fit` does.
bool go_on(const Dataset& data, const std::filesystem::path& file, const Continuation& how,
           Observer& observer);

// Whether `file` holds a run to go on with. Not where it is missing, or where the run that wrote it
// was killed before it could record anything.
bool can_go_on(const std::filesystem::path& file);

// What `file` says about itself; its draws are not read.
FitInfo read_info(const std::filesystem::path& file);

// Draws recorded in `file`, all chains together.
std::uint64_t count_draws(const std::filesystem::path& file);

// Draws per chain that the run in `file` has planned, or been asked for, and `more`.
std::uint64_t planned_draws(const std::filesystem::path& file, std::uint64_t more = 0);

// Throws Error(usage) naming the first option in which `asked` is another run than the one in
// `file`. The length may differ, and so may what does not change draws.
void check_same_run(const Config& asked, const std::filesystem::path& file);

enum class PointEstimator { mean, draw, map };

// One entry per row, in the units of the target.
struct Prediction {
  std::vector<double> mean;              // the point estimate asked for
  std::vector<double> sd;                // posterior standard deviation of f, noise not included
  std::vector<double> f_lower, f_upper;  // credible interval of the function
  std::vector<double> y_lower, y_upper;  // predictive interval of an observation, noise included

  // Of the predictive law of an observation, noise included, as far as they were asked for.
  std::vector<double> quantile_levels;
  std::vector<std::vector<double>> quantiles;  // one column per level
  std::vector<double> log_score;               // log predictive density at what was observed
  std::vector<double> crps;                    // continuous ranked probability score
  std::vector<double> pit;                     // predictive probability of no more than observed
};

struct PredictOptions {
  PointEstimator estimator = PointEstimator::mean;
  double level = 0.9;
  std::vector<double> quantiles = {};  // levels between 0 and 1
  std::vector<double> observed = {};   // targets to score the predictions with, or none
  std::size_t threads = 0;
};

// How well observations were predicted, over all rows. Lower is better for rmse and crps, higher
// for log_score; coverage should be near the level of the interval.
struct Scores {
  double rmse = 0.0, log_score = 0.0, crps = 0.0;
  double coverage = 0.0;  // share of observations between y_lower and y_upper
};
Scores mean_scores(const Prediction& prediction, const std::vector<double>& observed);

// A draw as the command `lacuna draws` shows it. The spans are valid only during the call.
struct DrawView {
  std::size_t chain;
  std::uint64_t draw;
  double log_prior, risk;
  std::span<const std::uint64_t> index;  // active coordinates, flat order
  std::span<const double> value;
};

// One quantity over all draws. Numbers that cannot be had (R-hat of a constant, or of three draws)
// are NaN.
struct QuantitySummary {
  std::string name;
  double mean, sd, q05, median, q95, rhat, ess_bulk, ess_tail, mcse;
  // The spread of the chains' means over what their own Monte Carlo errors explain, and the sum of
  // the effective draws of every chain alone.
  double separation, ess_within;
  bool constant = false;  // every draw has the same value: there is nothing to compare
};

// f at one probe point, in units of the target.
struct ProbeSummary {
  std::size_t row = 0;  // of the training data, from 0
  QuantitySummary f;
  double between_share = 0.0;  // of the variance of f: differences between the means of chains
};

struct MoveSummary {
  std::string name;
  std::uint64_t proposed = 0, accepted = 0, invalid = 0;
  // What it cost: passes over the rows, and the work in them, in multiply-adds. None in files that
  // do not say.
  std::optional<std::uint64_t> passes, work;
};

// Whether an input is connected to the output, draw by draw.
struct InputInclusion {
  std::string name;
  double probability = 0.0;  // share of draws in which it is
  std::size_t chains = 0;    // chains (walkers) in which it is in more than half of the draws
  double rhat = 0.0, ess_bulk = 0.0, ess_tail = 0.0, mcse = 0.0;
  bool constant = false;  // in every draw, or in none
};

// One temperature of a tempered chain.
struct RungSummary {
  double lambda = 0.0;
  double mean_risk = 0.0, mcse_risk = 0.0;  // after burn-in; the error is that of batch means
};

// Exchanges tried between a rung and the next hotter one, after burn-in.
struct ExchangeSummary {
  std::uint64_t proposed = 0, accepted = 0;
  double rejection = 0.0;  // mean probability of being rejected
};

// A chain with several rungs. Empty for a chain with one.
struct TemperingSummary {
  std::vector<RungSummary> rungs;  // coldest first
  std::vector<ExchangeSummary> exchanges;
  double barrier = 0.0;                    // the sum of the rejections
  std::vector<std::uint64_t> round_trips;  // coldest to hottest and back, by replica
};

// A chain, or a walker of one where chains have several: each is judged on its own.
struct ChainSummary {
  std::uint64_t draws = 0, steps = 0;
  std::map<std::string, double> kernel;  // its settings after burn-in
  bool tuned = false;                    // whether they were learnt in burn-in
  double mean_log_posterior = 0.0, sd_log_posterior = 0.0;
  double changed_share = 0.0;  // of draws that differ from the draw before
  bool stuck = false;          // no draw of one of its halves differs from the draw before
  // From its first to its second half: the log posterior in standard deviations of this chain, f in
  // posterior standard deviations, root mean square over the probe points. NaN where unknown.
  double log_posterior_shift = 0.0, f_shift = 0.0;
  TemperingSummary tempering;
};

struct ChainDisagreement {
  double log_posterior_range = 0.0;        // of the chains' means
  double log_posterior_range_in_sd = 0.0;  // in standard deviations within a chain
  double f_between_share = 0.0;            // of the variance of f, mean over probe points
};

enum class Trust { converged, mixed_over_modes, not_usable };

struct Judgement {
  Trust trust = Trust::not_usable;
  std::string sentence;  // one line that begins with the words for `trust`
  std::string meaning;   // what can be read from the draws, and what not
  std::string advice;    // what to do next; may be empty
};

struct Summary {
  std::uint64_t draws = 0;
  std::uint64_t burn_in = 0, gap = 0;
  bool finished = false;
  std::optional<double> seconds;            // only files of the first versions say it
  std::optional<double> time_limit;         // that was given
  Judgement verdict;                        // can these draws be trusted?
  std::vector<QuantitySummary> quantities;  // risk, active, live and dead weights, log posterior
  std::vector<ProbeSummary> probes;
  std::vector<MoveSummary> moves;  // after burn-in, over all chains
  std::vector<InputInclusion> inclusion;
  std::map<std::uint64_t, double> size_posterior;  // |I| -> share of draws
  std::map<std::uint64_t, double> size_prior;      // the same sizes under the prior
  std::size_t walkers = 1;                         // of each chain
  std::vector<ChainSummary> chains;  // walker by walker: those of the first chain come first
  ChainDisagreement disagreement;
  std::vector<std::string> notes;  // damage found in the file, early stops, and the like
};

// Share of proposals accepted; 0 if there were none.
double acceptance(const MoveSummary& move);
// Shares of the passes, and of the work, of all moves; NaN if the file does not say.
double passes_share(const Summary& summary, const MoveSummary& move);
double work_share(const Summary& summary, const MoveSummary& move);
// Share of exchanges accepted (NaN if none was tried), and round trips over all replicas.
double exchange_rate(const ExchangeSummary& exchange);
std::uint64_t round_trips(const TemperingSummary& tempering);

// A network weight by weight, in scaled units. Units count from 0 in their layer; layer 1 is the
// first hidden one, and the last layer has one unit, the output.
struct WeightView {
  std::size_t layer, destination;
  std::size_t source;  // a unit of the layer before, or an input; no meaning for a shift
  bool shift;
  double value;
  bool live;  // lies on an active path from an input, or a shift, to the output
};
struct NetworkView {
  std::size_t inputs;
  std::vector<std::size_t> widths;
  std::vector<WeightView> weights;
};

// Quantities that mean the same in every chain, draw by draw in the order of Fit::for_each_draw.
struct DrawSeries {
  std::vector<double> live, log_posterior;
  std::vector<double> f;               // at the probe points: f[k * probes + i]
  std::vector<std::uint8_t> included;  // of each input: included[k * inputs + j], 0 or 1
};

// A fit read from its file.
class Fit {
 public:
  // Throws Error naming what is wrong with the file. A damaged tail is left out and noted in the
  // summary.
  static Fit open(const std::filesystem::path& path);
  Fit(Fit&&) noexcept;
  Fit& operator=(Fit&&) noexcept;
  ~Fit();

  const FitInfo& info() const;
  std::uint64_t draws() const;  // over all chains
  void for_each_draw(
      const std::function<void(const DrawView&)>& visit) const;  // by chain, then by draw
  // x column by column in the units of the training data, columns in the order of
  // info().input_names.
  Prediction predict(const std::vector<double>& x, std::size_t rows,
                     const PredictOptions& options) const;
  // f at each row for each draw, in the order of for_each_draw: value[k * rows + i]. With a seed,
  // observations: f and a draw of the noise there.
  std::vector<double> predict_draws(const std::vector<double>& x, std::size_t rows,
                                    std::optional<std::uint64_t> noise_seed = {},
                                    std::size_t threads = 0) const;
  // The log predictive density of each observation given each draw, in the same order; in units of
  // the target.
  std::vector<double> log_density_draws(const std::vector<double>& x,
                                        const std::vector<double>& observed,
                                        std::size_t threads = 0) const;
  DrawSeries series() const;
  NetworkView best_network() const;  // the draw with the largest posterior density
  Summary summary() const;

 private:
  struct Content;
  explicit Fit(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

// `lacuna draws`: chain,draw,log_prior,risk,n_active,theta.
void write_draws_csv(const Fit& fit, const std::filesystem::path& path);
// `lacuna predict`: mean,sd,f_lower,f_upper,y_lower,y_upper, then what else the prediction holds:
// q0.05 and the like, log_score,crps,pit.
void write_prediction_csv(const Prediction& prediction, const std::filesystem::path& path);

const char* library_version();

}  // namespace lacuna
