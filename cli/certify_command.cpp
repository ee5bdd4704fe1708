// `lacuna certify`: bounds on the error of a fit, with every term and every assumption.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "cli/training_data.hpp"
#include "lacuna/certificate.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/options.hpp"
#include "lacuna/report.hpp"

namespace lacuna::cli {
namespace {

struct CertifyArguments {
  std::string fit, data, test, delta = "0.05", noise_sd, noise_tail, range, runs = "16",
                               rungs = "500", steps = "20", seed = "1", threads = "0";
  bool json = false, quiet = false;
};

CertifyOptions options_from(const CertifyArguments& a) {
  CertifyOptions options;
  options.delta = number_from("delta", a.delta);
  if (!a.noise_sd.empty()) options.noise_sd = number_from("noise-sd", a.noise_sd);
  if (!a.noise_tail.empty()) options.noise_tail = number_from("noise-tail", a.noise_tail);
  if (!a.range.empty()) {
    const std::vector<std::string> ends = list_from(a.range);
    if (ends.size() != 2) {
      throw Error(ErrorKind::usage,
                  fmt::format("target-range={}: must be two numbers, such as 0,100", a.range));
    }
    options.target_range = {number_from("target-range", ends[0]),
                            number_from("target-range", ends[1])};
  }
  options.runs = count_from("runs", a.runs);
  options.rungs = count_from("rungs", a.rungs);
  options.steps_per_rung = count_from("steps", a.steps);
  options.seed = count_from("seed", a.seed);
  options.threads = count_from("threads", a.threads);
  return options;
}

void put_wrapped(const std::string& label, const std::string& words) {
  fmt::print("{}", wrapped(label, words, 88));
}

void put_certificate(const Certificate& c, const std::string& target) {
  fmt::print("\n{}\n", c.title);
  put_wrapped("  of        ", c.bounds);
  fmt::print("  at most   {:.6g} in scaled units, {:.6g} in squared units of '{}'\n", c.bound,
             c.bound_original, target);
  put_wrapped("  that is   ", judgement(c));
  fmt::print("  with probability {:g}\n", c.confidence);
  for (const BoundTerm& term : c.terms)
    fmt::print("    {:<18} {:>13.6g}  {}\n", term.key, term.value, term.words);
  for (const std::string& assumption : c.assumptions) put_wrapped("  assumes   ", assumption);
  put_wrapped("  simulated ", c.monte_carlo);
}

void put_evidence(const EvidenceSummary& e) {
  fmt::print("\n-log D at lambda = {:.6g}\n", e.lambda);
  fmt::print("    {:>13.6g}  by annealed importance sampling (relative error of D: {:.2g})\n",
             -e.log_annealed, e.annealed_error);
  if (std::isfinite(e.log_local))
    fmt::print("    {:>13.6g}  at most, from networks around one of the fit\n", -e.log_local);
  fmt::print(
      "    {:>13.6g}  by thermodynamic integration (right sum {:.6g}, error {:.2g}); an estimate\n",
      e.left_sum, e.right_sum, e.sum_error);
}

int certify_fit(const CertifyArguments& a) {
  const CertifyOptions options = options_from(a);
  const Fit fit = Fit::open(a.fit);
  const FitInfo& info = fit.info();
  const Dataset training = read_training_data(a.fit, info, a.data);
  std::optional<Dataset> test;
  if (!a.test.empty())
    test = read_observations(a.test, info.input_names, info.target_name, info.missing);
  CertificateReport report;
  {
    Terminal terminal(a.quiet);
    report = certify(fit, training, options, test ? &*test : nullptr, &terminal);
  }
  if (a.json) {
    fmt::print("{}\n", certificates_as_json(report));
    return 0;
  }
  fmt::print("Certificates of {} ({:g} rows; one scaled unit of '{}' is {:.6g})\n", a.fit,
             info.total_weight, info.target_name, report.target_scale);
  for (const Certificate& c : report.certificates) put_certificate(c, info.target_name);
  for (const EvidenceSummary& e : report.evidence) put_evidence(e);
  return 0;
}

}  // namespace

void add_certify(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "certify", "Bound the error of a fit with a stated probability, or say that it cannot be");
  command->footer(
      "Examples:\n"
      "  lacuna certify houses.lacuna\n"
      "  lacuna certify houses.lacuna --test held-out.csv --target-range 0,500\n"
      "Each bound comes with its terms and assumptions, and the word 'vacuous' where it says no\n"
      "more than would be true without data. Bounds from the training data are loose by nature:\n"
      "expect them to help with 10^4 rows and more, and prefer held-out rows where there are any.");
  auto a = std::make_shared<CertifyArguments>();
  command->add_option("FILE", a->fit, "the fit, FILE.lacuna")->required();
  const auto option = [&](const char* name, std::string& where, const char* help,
                          const char* value) {
    command->add_option(name, where, help)->type_name(value);
  };
  option("--delta", a->delta, "probability that a bound may fail [0.05]", "D");
  option("--data", a->data, "the training data, if they lie elsewhere now", "DATA.csv");
  option("--test", a->test, "rows that were held out, with the target", "TEST.csv");
  option("--noise-sd", a->noise_sd, "noise is normal with this known standard deviation", "S");
  option("--noise-tail", a->noise_tail, "Gamma of the theorem, see lacuna theory [noise level]",
         "G");
  option("--target-range", a->range, "all targets lie in it [they are cut off at the clip level]",
         "LOW,HIGH");
  option("--runs", a->runs, "sweeps from the prior, 2 or more [16]", "M");
  option("--rungs", a->rungs, "temperatures of a sweep [500]", "T");
  option("--steps", a->steps, "steps at each [20]", "N");
  option("--seed", a->seed, "the same seed gives the same certificates [1]", "S");
  option("--threads", a->threads, "threads to use [one per core]", "T");
  command->add_flag("--json", a->json, "everything as one JSON object on standard output");
  command->add_flag("--quiet", a->quiet, "no progress");
  command->callback([a, &action] { action = [a] { return certify_fit(*a); }; });
}

}  // namespace lacuna::cli
