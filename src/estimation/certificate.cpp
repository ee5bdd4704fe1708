// Certificates of a fit: the theorem's, PAC-Bayes-kl, and that of a test set.
#include "lacuna/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "estimation/sweep_progress.hpp"
#include "posterior/lambda.hpp"
#include "run/evidence.hpp"
#include "run/info_json.hpp"
#include "run/search.hpp"
#include "run/setup.hpp"
#include "support/check.hpp"
#include "support/parallel.hpp"
#include "theory/certificate_formulas.hpp"
#include "theory/constants.hpp"
#include "warmup/start.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_centres = 64;
constexpr double errors_allowed = 3.0;  // Monte Carlo errors by which the mean risk may be off
constexpr double fewest_rows = 8.0;     // of the PAC-Bayes-kl bound
constexpr std::uint64_t estimates = 2;  // of D_lambda: for the theorem and for PAC-Bayes-kl

void check_options(const CertifyOptions& o) {
  if (!(o.delta > 0.0 && o.delta < 1.0)) refuse("delta", o.delta, "must lie between 0 and 1");
  if (o.noise_sd) check_above("noise-sd", *o.noise_sd, 0.0);
  if (o.noise_tail) check_above("noise-tail", *o.noise_tail, 0.0);
  if (o.target_range) {
    for (const double end : {o.target_range->first, o.target_range->second})
      check_finite("target-range", end);
    if (!(o.target_range->first < o.target_range->second))
      refuse("target-range", o.target_range->first, "the lower end must be below the upper one");
  }
  check_at_least<std::size_t>("runs", o.runs, 2);
  check_at_least<std::uint64_t>("rungs", o.rungs, 1);
  check_at_least<std::uint64_t>("steps", o.steps_per_rung, 1);
  if (o.runs > 100'000) refuse("runs", o.runs, "must be <= 100000");
  if (o.rungs > 10'000'000) refuse("rungs", o.rungs, "must be <= 10000000");
  if (o.steps_per_rung > 10'000'000) refuse("steps", o.steps_per_rung, "must be <= 10000000");
}

EvidenceSummary summary_of(const Evidence& e) {
  return {e.lambda,     e.log_annealed(), e.annealed_error(), e.log_local,
          e.left_sum(), e.right_sum(),    e.sum_error()};
}

class Certifier {
 public:
  Certifier(const Fit& fit, const Dataset& training, const CertifyOptions& options,
            Observer* observer)
      : fit_(fit),
        info_(fit.info()),
        options_(options),
        setup_(set_up_again(training, info_, "the fit", Precision::full)),
        n_(info_.total_weight),
        unit_(info_.scaling.target_scale),
        clip_(info_.config.clip),
        assumed_noise_(noise_of_fit(training)),
        priors_(priors_in_search(info_)),
        progress_(estimates * rungs_in_all(effort()), observer) {
    if (!(n_ >= fewest_rows))
      throw Error(ErrorKind::bad_data,
                  fmt::format("{:g} rows; a certificate needs at least {:g}", n_, fewest_rows));
    if (fit.draws() == 0) throw Error(ErrorKind::bad_data, "the fit holds no draws; run it longer");
    find_range();
  }

  void add_theorem(CertificateReport& report);
  void add_pac_bayes_kl(CertificateReport& report);
  void add_test(const Dataset& test, CertificateReport& report) const;

 private:
  double noise_of_fit(const Dataset& training) const;
  void find_range();
  double cut_off(double y) const { return std::clamp(y, low_, high_); }
  double scaled_target(double y) const { return (y - info_.scaling.target_shift) / unit_; }
  EvidenceEffort effort() const;
  Evidence evidence_of(const Target& target);
  SparseTheta centre() const;
  double reference() const;
  Certificate begin(const char* key, const char* title, double trivial) const;
  void finish(Certificate& certificate, double bound, CertificateReport& report) const;
  void assume_data(Certificate& certificate) const;
  void assume_range(Certificate& certificate) const;

  const Fit& fit_;
  const FitInfo& info_;
  const CertifyOptions& options_;
  Setup setup_;
  double n_, unit_, clip_;
  double assumed_noise_;           // in scaled units
  double priors_;                  // among which the data chose
  double low_ = 0.0, high_ = 0.0;  // targets, in scaled units
  double range_ = 0.0;             // the largest squared error
  SweepProgress progress_;
};

// What the fit was told, or found on held-out rows; else the estimate that --lambda theory uses
// too. The noise of predictive intervals may be the one that lambda implies, which is another
// thing.
double Certifier::noise_of_fit(const Dataset& training) const {
  if (info_.config.noise_sd) return *info_.config.noise_sd / unit_;
  if (!info_.lambda_curve.empty()) return info_.noise.sd();
  return estimate_noise_sd(scaled(distinct_rows(training).data, info_.scaling));
}

void Certifier::find_range() {
  low_ = -clip_;
  high_ = clip_;
  if (options_.target_range) {
    low_ = scaled_target(options_.target_range->first);
    high_ = scaled_target(options_.target_range->second);
    const Samples& samples = *setup_.target.samples;
    for (std::size_t i = 0; i < samples.rows(); ++i) {
      // Scaling and back may cost a rounding.
      const double slack = 1e-9 * (1.0 + std::abs(samples.target()[i]));
      if (samples.target()[i] >= low_ - slack && samples.target()[i] <= high_ + slack) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("target-range={:g},{:g}: the training data have a target of {:g}",
                              options_.target_range->first, options_.target_range->second,
                              info_.scaling.target_shift + unit_ * samples.target()[i]));
    }
  }
  // Predictions beyond the range of targets are cut off too, which can only bring them closer.
  const double most = std::max(high_ - cut_off(-clip_), cut_off(clip_) - low_);
  range_ = most * most;
}

EvidenceEffort Certifier::effort() const {
  EvidenceEffort effort;
  effort.runs = options_.runs;
  effort.rungs = options_.rungs;
  effort.steps_per_rung = options_.steps_per_rung;
  effort.seed = options_.seed;
  effort.threads = thread_count(options_.threads);
  return effort;
}

Evidence Certifier::evidence_of(const Target& target) {
  const Engine engine = uses_paper_kernel(info_.config)
                            ? Engine(PaperEngine(target, info_.config, 1))
                            : Engine(MixtureEngine(target));
  return estimate_evidence(target, engine, effort(), [this] { return progress_.rung_done(); });
}

// Of some of the draws, the one with the largest approximate posterior mass around it.
SparseTheta Certifier::centre() const {
  const Target& target = setup_.target;
  EmpiricalRisk risk(target.samples, target.architecture, target.clip);
  const std::uint64_t stride = std::max<std::uint64_t>(1, fit_.draws() / most_centres);
  std::uint64_t k = 0;
  SparseTheta best;
  double best_mass = -std::numeric_limits<double>::infinity();
  fit_.for_each_draw([&](const DrawView& draw) {
    if (k++ % stride != 0) return;
    SparseTheta theta{{draw.index.begin(), draw.index.end()},
                      {draw.value.begin(), draw.value.end()}};
    input_choice(info_).to_left(theta.index);
    Evaluation at;
    risk.evaluate(theta, {.gradient = true, .curvature = true}, at);
    const double mass =
        approximate_log_mass(target.prior, target.lambda, theta, at.risk, at.curvature);
    if (best.size() > 0 && !(mass > best_mass)) return;
    best = theta;
    best_mass = mass;
  });
  return best;
}

double Certifier::reference() const {
  const Samples& samples = *setup_.target.samples;
  double sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < samples.rows(); ++i) {
    sum += samples.weight(i) * samples.target()[i];
    squares += samples.weight(i) * samples.target()[i] * samples.target()[i];
  }
  return squares / n_ - sum / n_ * sum / n_;
}

Certificate Certifier::begin(const char* key, const char* title, double trivial) const {
  Certificate certificate;
  certificate.key = key;
  certificate.title = title;
  certificate.trivial = trivial;
  certificate.reference = reference();
  certificate.confidence = 1.0 - options_.delta;
  return certificate;
}

void Certifier::finish(Certificate& certificate, double bound, CertificateReport& report) const {
  certificate.bound = bound;
  certificate.bound_original = unit_ * unit_ * bound;
  certificate.vacuous = !(bound < certificate.trivial);
  report.certificates.push_back(std::move(certificate));
}

void Certifier::assume_data(Certificate& certificate) const {
  const bool weighted =
      !info_.weight_name.empty() || n_ != static_cast<double>(info_.rows);  // Python names none
  certificate.assumptions.push_back(
      fmt::format("rows are independent and come from one distribution{}",
                  weighted ? "; a weight of k stands for k such rows" : ""));
  if (info_.config.standardise) {
    certificate.assumptions.push_back(
        "shift and scale of every column are taken as if they had been known before: they were "
        "computed from the same rows, which no theorem here covers");
  }
  if (priors_ > 1.0) {
    certificate.assumptions.push_back(fmt::format(
        "size and inputs of the network, as far as they were not given, were chosen with the same "
        "rows; the bound holds for all choices at once, this one with 1/{:g} of delta",
        priors_));
  }
}

void Certifier::assume_range(Certificate& certificate) const {
  if (options_.target_range) {
    certificate.assumptions.push_back(
        fmt::format("every target lies in [{:g}, {:g}]; predictions beyond are cut off there",
                    options_.target_range->first, options_.target_range->second));
    return;
  }
  certificate.assumptions.push_back(
      fmt::format("targets beyond the clip level, here {:.3g}% of the training rows, count as if "
                  "they lay on it",
                  100.0 * info_.clipped_share));
}

// The posterior that the theorem covers is the fit's own if its lambda was fixed and is admissible.
void Certifier::add_theorem(CertificateReport& report) {
  const bool known = options_.noise_sd.has_value();
  const double sigma = known ? *options_.noise_sd / unit_ : assumed_noise_;
  const BernsteinAssumption assumption{clip_, sigma,
                                       options_.noise_tail ? *options_.noise_tail / unit_ : sigma};
  const bool fixed = info_.config.lambda_rule == LambdaRule::theory ||
                     info_.config.lambda_rule == LambdaRule::number;
  const bool own =
      fixed && info_.lambda > 0.0 && bernstein_factor(assumption, n_, info_.lambda) < 1.0;
  Target target = setup_.target;
  target.lambda = own ? info_.lambda : theory_lambda(n_, clip_, sigma, assumption.tail);
  const Evidence evidence = evidence_of(target);
  report.evidence.push_back(summary_of(evidence));

  const double share = options_.delta / (known ? 3.0 : 2.0);
  ExcessTerms terms{evidence.log_estimate() + std::log(share), target.lambda,
                    bernstein_factor(assumption, n_, target.lambda), share / priors_,
                    known ? normal_noise_floor(sigma, n_, share) : 0.0};
  Certificate c = begin("theorem", "The theorem's bound on the excess risk", 4.0 * clip_ * clip_);
  c.bounds = fmt::format(
      "E(f_hat(X) - f(X))^2 of one posterior draw, and of the posterior mean, at lambda = {:.6g}{}",
      target.lambda,
      own ? ", that of the fit"
          : fmt::format(", the theorem's; the fit's own is {:.6g} and not covered", info_.lambda));
  c.terms = {{"lambda", "inverse temperature", target.lambda},
             {"c_n_lambda", "C_(n,lambda), must be below 1", terms.factor},
             {"log_d_estimate", "log of the estimate of D_lambda", evidence.log_estimate()},
             {"markov_delta", "probability that D_lambda is less than that share of it", share},
             {"theorem_delta", "probability that the theorem's event fails", terms.delta},
             {"noise_floor", "lower bound of the mean squared noise", terms.noise_floor},
             {"evidence_term", "(-log D_lambda) / lambda, with Markov's share",
              -terms.log_d / terms.lambda},
             {"confidence_term", "log(1 / delta) / lambda", -std::log(terms.delta) / terms.lambda}};
  assume_data(c);
  c.assumptions.push_back(fmt::format(
      "the regression function is bounded by the clip level, {:g} in scaled units", clip_));
  c.assumptions.push_back(fmt::format(
      "E|noise|^k <= k!/2 sigma^2 Gamma^(k-2) with sigma = {:.4g}, Gamma = {:.4g} in "
      "units of the target, {}",
      sigma * unit_, assumption.tail * unit_,
      known ? "as given; and the noise is normal with this standard deviation"
            : (info_.config.noise_sd ? "as the fit was told" : "estimated from the same rows")));
  if (!known && !info_.config.noise_sd)
    c.assumptions.push_back(
        "sigma, and lambda where it follows from it, are taken as fixed in advance");
  c.monte_carlo =
      "D_lambda is estimated without bias by annealed importance sampling; Markov's inequality "
      "makes that a lower bound, whose chance of failing is part of the confidence";
  finish(c, excess_bound(terms), report);
}

void Certifier::add_pac_bayes_kl(CertificateReport& report) {
  const Target& target = setup_.target;
  Evidence evidence = evidence_of(target);
  evidence.log_local = local_log_evidence(target, centre(), effort());
  report.evidence.push_back(summary_of(evidence));
  const double share = 0.5 * options_.delta;
  const GibbsTerms terms{evidence.log_estimate() + std::log(share), target.lambda, n_,
                         share / priors_, range_};
  const auto describe = [&](Certificate& c) {
    c.bounds = fmt::format(
        "E(Y - f_hat(X))^2, the risk, of one posterior draw on average, and of the posterior mean, "
        "at the fit's lambda = {:.6g}",
        target.lambda);
    c.terms = {{"lambda", "inverse temperature", target.lambda},
               {"log_d_estimate", "log of the estimate of D_lambda", evidence.log_estimate()},
               {"markov_delta", "probability that D_lambda is less than that share of it", share},
               {"pac_bayes_delta", "probability that the PAC-Bayes event fails", terms.delta},
               {"range", "largest squared error that there can be", range_}};
    assume_data(c);
    assume_range(c);
  };
  Certificate c =
      begin("pac_bayes_kl", "PAC-Bayes-kl bound on the risk, whatever the chains did", range_);
  describe(c);
  c.monte_carlo =
      "D_lambda is estimated without bias, or too small, by annealed importance sampling and by "
      "sampling around a network of the fit; Markov's inequality makes that a lower bound, whose "
      "chance of failing is part of the confidence. The mean risk E_lambda[R_n] is taken at its "
      "worst";
  finish(c, gibbs_risk_bound(terms, 0.0, std::numeric_limits<double>::infinity()), report);

  const Summary summary = fit_.summary();
  const auto risk = std::ranges::find(summary.quantities, "risk", &QuantitySummary::name);
  if (risk == summary.quantities.end() || !std::isfinite(risk->mcse)) return;
  const double low = risk->mean - errors_allowed * risk->mcse;
  const double high = risk->mean + errors_allowed * risk->mcse;
  Certificate d = begin("pac_bayes_kl_draws",
                        "PAC-Bayes-kl bound on the risk, if the chains have "
                        "converged",
                        range_);
  describe(d);
  d.terms.push_back({"mean_risk", "E_lambda[R_n], mean over the draws", risk->mean});
  d.terms.push_back(
      {"mean_risk_error", "its Monte Carlo error; the bound allows for three", risk->mcse});
  d.terms.push_back(
      {"kl", "KL(Pi_lambda | Pi) at most", std::max(0.0, -terms.lambda * low - terms.log_d)});
  d.assumptions.push_back("the draws represent the posterior: see the verdict of lacuna summary");
  d.monte_carlo =
      "as above; and E_lambda[R_n] comes from the draws, which is an estimate and not part of the "
      "confidence";
  finish(d, gibbs_risk_bound(terms, low, high), report);
}

void Certifier::add_test(const Dataset& test, CertificateReport& report) const {
  if (hash_dataset(test) == info_.data_hash)
    throw Error(ErrorKind::usage,
                "test: these are the training data; give rows that were held out");
  if (test.rows < 2) throw Error(ErrorKind::bad_data, "test: needs at least 2 rows");
  PredictOptions options;
  options.threads = options_.threads;
  const Prediction prediction = fit_.predict(test.x, test.rows, options);
  const auto rows = static_cast<double>(test.rows);
  double mean = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < test.rows; ++i) {
    const double y = scaled_target(test.y[i]);
    if (options_.target_range && !(y >= low_ - 1e-9 && y <= high_ + 1e-9)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("target-range={:g},{:g}: the test rows have a target of {:g}",
                      options_.target_range->first, options_.target_range->second, test.y[i]));
    }
    const double error = cut_off(y) - cut_off(scaled_target(prediction.mean[i]));
    const double loss = std::min(1.0, error * error / range_);
    mean += loss / rows;
    squares += loss * loss / rows;
  }
  const double variance = std::max(0.0, squares - mean * mean) * rows / (rows - 1.0);
  const double by_kl = test_bound_kl(mean, rows, 0.5 * options_.delta);
  const double by_variance = test_bound_bernstein(mean, variance, rows, 0.5 * options_.delta);
  Certificate c = begin("test_set", "Bound on the risk from held-out rows", range_);
  c.bounds = "E(Y - f_hat(X))^2, the risk, of what lacuna predict gives (the mean over the draws)";
  c.terms = {{"rows", "held-out rows", rows},
             {"mean_loss", "mean squared error on them", range_ * mean},
             {"bound_kl", "by Chernoff's inequality, at half of delta", range_ * by_kl},
             {"bound_variance", "by the empirical Bernstein inequality, at half of delta",
              range_ * by_variance},
             {"range", "largest squared error that there can be", range_}};
  c.assumptions.push_back(
      "held-out rows are independent, come from one distribution, and had no part in the fit");
  assume_range(c);
  c.monte_carlo = "none: it holds for the predictions as they are, converged or not";
  finish(c, range_ * std::min({by_kl, by_variance, 1.0}), report);
}

}  // namespace

CertificateReport certify(const Fit& fit, const Dataset& training, const CertifyOptions& options,
                          const Dataset* test, Observer* observer) {
  check_options(options);
  Certifier certifier(fit, training, options, observer);
  CertificateReport report;
  report.delta = options.delta;
  report.target_scale = fit.info().scaling.target_scale;
  // Before the sweeps: a mistake in the test rows should not take minutes to be found.
  CertificateReport held_out;
  if (test != nullptr) certifier.add_test(*test, held_out);
  certifier.add_theorem(report);
  certifier.add_pac_bayes_kl(report);
  for (Certificate& c : held_out.certificates) report.certificates.push_back(std::move(c));
  return report;
}

}  // namespace lacuna
