// `lacuna theory`: the theorem's constants, bounds and rates as a table or as JSON.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <memory>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/options.hpp"
#include "lacuna/report.hpp"
#include "lacuna/theory.hpp"

namespace lacuna::cli {
namespace {

struct TheoryArguments {
  std::string n, p, depth, width, bound = "3", clip = "5", base = "2", sigma = "1", tail,
                                  second_moment = "1", delta = "0.05", lambda, eta,
                                  approximation = "0", active, q, d, t, beta, radius = "1";
  bool json = false;
};

std::vector<std::uint64_t> counts_from(const std::string& name, const std::string& text) {
  std::vector<std::uint64_t> counts;
  for (const std::string& part : list_from(text)) counts.push_back(count_from(name, part));
  return counts;
}

// What has no default: a bound without it would be one for another problem.
void check_given(const TheoryArguments& a) {
  const std::pair<const char*, const std::string*> needed[] = {{"--n ROWS", &a.n},
                                                               {"--p INPUTS", &a.p},
                                                               {"--depth LAYERS", &a.depth},
                                                               {"--width UNITS", &a.width}};
  for (const auto& [option, text] : needed) {
    if (!text->empty()) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format("theory: needs {}; for example lacuna theory --n 10000 --p 10 --depth 2 "
                    "--width 32",
                    option));
  }
}

TheorySetting setting_from(const TheoryArguments& a) {
  check_given(a);
  TheorySetting s;
  s.n = number_from("n", a.n);
  s.inputs = count_from("p", a.p);
  s.depth = count_from("depth", a.depth);
  s.width = count_from("width", a.width);
  s.bound = number_from("bound", a.bound);
  s.clip = number_from("clip", a.clip);
  s.base = number_from("base", a.base);
  s.sigma = number_from("sigma", a.sigma);
  if (!a.tail.empty()) s.tail = number_from("gamma", a.tail);
  s.second_moment = number_from("k", a.second_moment);
  s.delta = number_from("delta", a.delta);
  if (!a.lambda.empty()) s.lambda = number_from("lambda", a.lambda);
  if (!a.eta.empty()) s.eta = number_from("eta", a.eta);
  s.approximation = number_from("approximation", a.approximation);
  s.active = counts_from("active", a.active);
  return s;
}

std::optional<HierarchicalClass> class_from(const TheoryArguments& a) {
  if (a.t.empty() && a.beta.empty()) {
    if (a.d.empty() && a.q.empty()) return std::nullopt;
    throw Error(ErrorKind::usage, "a class of functions needs --t and --beta, one entry per level");
  }
  HierarchicalClass c;
  c.components = counts_from("d", a.d);
  c.arguments = counts_from("t", a.t);
  for (const std::string& part : list_from(a.beta))
    c.smoothness.push_back(number_from("beta", part));
  c.radius = number_from("c0", a.radius);
  if (!a.q.empty() && count_from("q", a.q) != c.components.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("q={}: --d must have as many entries, d_1 .. d_q; it has {}", a.q,
                            c.components.size()));
  }
  return c;
}

class Table {
 public:
  void line(const std::string& name, const std::string& value, const std::string& words) {
    fmt::format_to(std::back_inserter(text_), "{:<16} {:>14}  {}\n", name, value, words);
  }
  void line(const std::string& name, double value, const std::string& words) {
    line(name, fmt::format("{:.6g}", value), words);
  }
  template <class... Args>
  void words(fmt::format_string<Args...> format, Args&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(arguments)...);
    text_ += '\n';
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

// exp(x) for people, also where it is no double any more.
std::string power(double log_value) {
  if (std::abs(log_value) < 600.0) return fmt::format("{:.6g}", std::exp(log_value));
  return fmt::format("10^{:.2f}", log_value / std::log(10.0));
}

void put_constants(Table& table, const TheoryReport& r) {
  const TheorySetting& s = r.setting;
  table.words("Assumed: |f| <= C = {:g}, E|noise|^k <= k!/2 sigma^2 Gamma^(k-2) with sigma = {:g},",
              s.clip, s.sigma);
  table.words("Gamma = {:g}, E|X|^2 <= p K with K = {:g}; all in the units the network sees.\n",
              *s.tail, s.second_moment);
  table.line("P", grouped(r.parameters), "weights and shifts of the network");
  table.line("Xi_0", r.xi_0, "constant of the theorem");
  table.line("w", r.w, "16 C max(Gamma, 2C)");
  table.line("n / Xi_0", r.theory_lambda, "the theorem's lambda");
  table.line("lambda", *s.lambda, "taken here");
  table.line("C_(n,lambda)", r.factor, "1/2 at the theorem's lambda; the bound ends at 1");
  table.line("largest lambda", r.lambda_largest, "where C_(n,lambda) = 1");
  table.line("n / w", r.lambda_limit, "where C_(n,lambda) is infinite");
  table.line("n_0", r.n_0,
             s.n >= r.n_0 ? "n is large enough for the theorem as it is stated"
                          : "n is smaller: the theorem's short form is not claimed");
  table.line("Lipschitz", power(r.log_lipschitz),
             "4 (2 r B)^L: |f - f'| over max(|x|_1, 1) |theta - theta'|");
  table.line("eta", power(r.log_eta), "radius of the cube around theta in the KL below");
  table.line("trivial bound", r.trivial, "4 C^2: holds for every clipped network");
}

void put_oracle(Table& table, const TheoryReport& r) {
  const TheorySetting& s = r.setting;
  table.words(
      "\nExcess risk of one posterior draw, with probability {:g}, if a network with |I| weights",
      1.0 - s.delta);
  table.words(
      "has excess risk {:g}. KL: of the cube around it, theta inside the box / in a corner;",
      s.approximation);
  table.words("the paper's bounds by its lemma / in short.\n");
  table.words("{:>8} {:>11} {:>11} {:>11} {:>11} {:>12} {:>12}  rows needed", "|I|", "KL inside",
              "KL corner", "KL lemma", "KL short", "PAC-Bayes", "oracle");
  for (const OracleRow& row : r.oracle) {
    table.words("{:>8} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>12.5g} {:>12.5g}  {}{}",
                row.active, row.kl_inside, row.kl_corner, row.kl_lemma, row.kl_simple,
                row.pac_bayes, row.oracle,
                std::isfinite(row.rows_needed) ? fmt::format("{:.3g}", row.rows_needed) : "never",
                row.vacuous ? "  vacuous" : "");
  }
  table.words("\nFor the posterior mean add {:.5g}. 'vacuous': no less than the trivial bound.",
              2.0 / (*s.lambda * (1.0 - r.factor)));
}

void put_rates(Table& table, const RateReport& r) {
  table.words(
      "\nRate over the class of functions, up to a constant that the paper does not give\n");
  table.line("beta*", fmt::format("{:.6g}", fmt::join(r.effective_smoothness, ", ")),
             "effective smoothness of each level");
  table.line("worst level", static_cast<double>(r.worst_level), "the one that decides");
  table.line("exponent", r.exponent, "2 beta* / (2 beta* + t*)");
  table.line("rate", r.rate, "(log(max(p, n)) log^2 n / n)^exponent");
  table.line("M", r.m,
             r.m >= r.smallest_m
                 ? "of the proof"
                 : fmt::format("of the proof, which asks for {:.6g} or more: n is too small",
                               r.smallest_m));
  table.line("depth L", r.depth, "hidden layers of the proof's network");
  table.line("width r", r.width, "units of each");
  table.line("|J| at most", r.active, "its weights that are not zero");
  if (!r.inputs_few_enough)
    table.words("log p > n / log^2 n: too many inputs for the proposition.");
}

int theory(const TheoryArguments& a) {
  const TheorySetting setting = setting_from(a);
  const std::optional<HierarchicalClass> functions = class_from(a);
  const TheoryReport report = theory_report(setting);
  std::optional<RateReport> rates;
  if (functions) rates = rate_report(*functions, setting.n, setting.inputs);
  if (a.json) {
    fmt::print("{}\n", theory_as_json(report, rates ? &*rates : nullptr));
    return 0;
  }
  Table table;
  put_constants(table, report);
  put_oracle(table, report);
  if (rates) put_rates(table, *rates);
  fmt::print("{}", std::move(table).text());
  return 0;
}

}  // namespace

void add_theory(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("theory", "Say what the theorem guarantees, in numbers, before any data");
  command->footer(
      "Examples:\n"
      "  lacuna theory --n 10000 --p 10 --depth 2 --width 32\n"
      "  lacuna theory --n 1e6 --p 10 --depth 2 --width 32 --clip 1 --sigma 0.1 --active 20,50\n"
      "  lacuna theory --n 1e6 --p 10 --depth 2 --width 32 --q 1 --d 2 --t 2,2 --beta 2,1\n"
      "Gamma says how heavy the tails of the noise are: E|noise|^k <= k!/2 sigma^2 Gamma^(k-2) for "
      "all k.\n"
      "For normal noise any Gamma of 0.532 sigma or more will do; for noise bounded by M, Gamma = "
      "M.");
  auto a = std::make_shared<TheoryArguments>();
  const auto option = [&](const char* name, std::string& where, const char* help,
                          const char* value) {
    command->add_option(name, where, help)->type_name(value);
  };
  option("--n", a->n, "rows (required)", "N");
  option("--p", a->p, "inputs (required)", "P");
  option("--depth", a->depth, "hidden layers (required)", "L");
  option("--width", a->width, "units of each (required)", "r");
  option("--bound", a->bound, "weights live in [-B, B] [3]", "B");
  option("--clip", a->clip, "|f| and predictions are at most C [5]", "C");
  option("--base", a->base, "a set of k weights has prior weight a^-k [2]", "a");
  option("--sigma", a->sigma, "standard deviation of the noise, or more [1]", "S");
  option("--gamma", a->tail, "tail of the noise, see below [sigma]", "G");
  option("--k", a->second_moment, "E|X|^2 <= p K [1: standardised inputs]", "K");
  option("--delta", a->delta, "probability of being wrong [0.05]", "D");
  option("--lambda", a->lambda, "inverse temperature [n / Xi_0]", "NUMBER");
  option("--eta", a->eta, "radius of the cube in KL [that of the proof]", "ETA");
  option("--active", a->active, "sizes of active sets [1,10,100,1000]", "K,K");
  option("--approximation", a->approximation, "excess risk of the best such network [0]", "E");
  option("--q", a->q, "class of functions: levels below the output", "Q");
  option("--d", a->d, "components d_1 .. d_q", "D,D");
  option("--t", a->t, "arguments t_0 .. t_q", "T,T");
  option("--beta", a->beta, "smoothness beta_0 .. beta_q", "B,B");
  option("--c0", a->radius, "radius of the Hoelder balls [1]", "C");
  command->add_flag("--json", a->json, "everything as one JSON object on standard output");
  command->callback([a, &action] { action = [a] { return theory(*a); }; });
}

}  // namespace lacuna::cli
