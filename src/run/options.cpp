#include "lacuna/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "lacuna/errors.hpp"
#include "lacuna/suggest.hpp"

namespace lacuna {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& text,
                         const std::string& rule) {
  throw Error(ErrorKind::usage, fmt::format("{}={}: {}", name, text, rule));
}

template <class T>
bool parse_all(const std::string& text, T& value) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto [stop, trouble] = std::from_chars(begin, end, value);
  return trouble == std::errc() && stop == end && begin != end;
}

template <class T>
T choice(const std::string& name, const std::string& text,
         const std::vector<std::pair<std::string, T>>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  return choices[choice_from(name, text, words)].second;
}

std::size_t at_least_one(const std::string& name, const std::string& text) {
  const std::uint64_t count = count_from(name, text);
  if (count == 0) refuse(name, text, "must be >= 1");
  return count;
}

void set_widths(Config& config, const std::string& text) {
  config.widths.clear();
  for (const std::string& word : list_from(text))
    config.widths.push_back(at_least_one("widths", word));
  if (config.widths.empty()) refuse("widths", text, "must be a list such as 64,32");
}

void set_lambda(Config& config, const std::string& text) {
  static const std::map<std::string, LambdaRule> rules = {{"auto", LambdaRule::automatic},
                                                          {"bayes", LambdaRule::bayes},
                                                          {"theory", LambdaRule::theory}};
  if (const auto found = rules.find(text); found != rules.end()) {
    config.lambda_rule = found->second;
    return;
  }
  if (!parse_all(text, config.lambda))
    refuse("lambda", text, "must be auto, bayes, theory or a number >= 0");
  config.lambda_rule = LambdaRule::number;
}

void set_start(Config& config, const std::string& text) {
  config.start = text == "auto" ? StartKind::automatic
                                : (text == "prior" ? StartKind::prior : StartKind::file);
  config.start_file = config.start == StartKind::file ? text : "";
}

using Text = const std::string&;

std::vector<ConfigOption> make_options() {
  return {
      {"scale", "auto|none", "Data",
       "standardise inputs and target, or use them exactly as given [auto]",
       [](Config& c, Text t) {
         c.standardise = choice<bool>("scale", t, {{"auto", true}, {"none", false}});
       }},

      {"prior", "sparse|dense", "Model", "most weights exactly zero, or none [sparse]",
       [](Config& c, Text t) {
         c.prior = choice<PriorKind>("prior", t,
                                     {{"sparse", PriorKind::sparse}, {"dense", PriorKind::dense}});
       }},
      {"base", "a", "Model", "a network of k weights has prior mass ~ a^-k [2]",
       [](Config& c, Text t) { c.base = number_from("base a", t); }},
      {"depth", "L", "Model", "hidden layers, or auto [auto]",
       [](Config& c, Text t) {
         if (t != "auto") c.depth = at_least_one("depth", t);
       }},
      {"width", "r", "Model", "units in each hidden layer, or auto [auto]",
       [](Config& c, Text t) {
         if (t != "auto") c.width = at_least_one("width", t);
       }},
      {"widths", "64,32", "Model", "units layer by layer, instead of --depth and --width",
       set_widths},
      {"inputs", "auto|all", "Model",
       "leave out inputs that held-out rows are predicted as well without, or none [auto]",
       [](Config& c, Text t) {
         c.inputs = choice<InputRule>("inputs", t,
                                      {{"auto", InputRule::automatic}, {"all", InputRule::all}});
       }},
      {"bound", "B", "Model", "weights live in [-B, B], B >= 1 [3]",
       [](Config& c, Text t) { c.bound = number_from("bound B", t); }},
      {"clip", "C", "Model", "predictions live in [-C, C] in scaled units, C >= 1 [5]",
       [](Config& c, Text t) { c.clip = number_from("clip C", t); }},
      {"lambda", "auto|bayes|theory|NUMBER", "Model",
       "inverse temperature: by held-out rows, from the noise level, the theorem, or given [auto]",
       set_lambda},
      {"noise", "auto|constant|varying", "Model",
       "noise of predictive intervals: one level for all x, one that varies, or by the data [auto]",
       [](Config& c, Text t) {
         c.noise = choice<NoiseKind>("noise", t,
                                     {{"auto", NoiseKind::automatic},
                                      {"constant", NoiseKind::constant},
                                      {"varying", NoiseKind::varying}});
       }},
      {"noise-sd", "S", "Model", "noise level in units of the target, if known",
       [](Config& c, Text t) { c.noise_sd = number_from("noise-sd", t); }},
      {"noise-tail", "G", "Model", "Gamma of the theorem, for --lambda theory [the noise level]",
       [](Config& c, Text t) { c.noise_tail = number_from("noise-tail", t); }},

      {"sampler", "auto|paper", "Sampler",
       "auto: a mixture of exact moves that explores; paper: its reversible-jump MALA to the "
       "letter [auto]",
       [](Config& c, Text t) {
         c.sampler = choice<SamplerKind>(
             "sampler", t, {{"auto", SamplerKind::automatic}, {"paper", SamplerKind::paper}});
       }},
      {"learning-rate", "gamma", "Sampler",
       "of the paper's kernel: drift along the gradient [lambda s^2 / 2]",
       [](Config& c, Text t) { c.learning_rate = number_from("learning-rate gamma", t); }},
      {"proposal-sd", "s", "Sampler",
       "of the paper's kernel: standard deviation of proposals [tuned in burn-in]",
       [](Config& c, Text t) { c.proposal_sd = number_from("proposal-sd s", t); }},
      {"rungs", "K", "Sampler",
       "temperatures of each chain, which exchange points; K times the work [1: no tempering]",
       [](Config& c, Text t) { c.rungs = at_least_one("rungs", t); }},
      {"start", "auto|prior|FILE", "Sampler",
       "a trained and pruned network, a prior draw, or an earlier fit [auto]", set_start},

      {"chains", "M", "Length", "independent chains [4]",
       [](Config& c, Text t) { c.chains = at_least_one("chains", t); }},
      {"walkers", "W", "Length",
       "networks that each chain moves side by side, or auto: 4 where steps are cheap and none are "
       "given, else 1 [auto]",
       [](Config& c, Text t) {
         if (t != "auto") c.walkers = at_least_one("walkers", t);
       }},
      {"burn-in", "b", "Length",
       "steps before the first draw [by the number of rows; paper: 10000]",
       [](Config& c, Text t) { c.burn_in = count_from("burn-in", t); }},
      {"gap", "c", "Length", "steps between draws [by the number of rows; paper: 20]",
       [](Config& c, Text t) { c.gap = count_from("gap", t); }},
      {"draws", "N", "Length", "draws per chain [1000]",
       [](Config& c, Text t) { c.draws = count_from("draws", t); }},
      {"time-limit", "SECONDS", "Length",
       "end cleanly inside this time; alone, it plans burn-in and draws",
       [](Config& c, Text t) { c.time_limit = number_from("time-limit", t); }},
      {"checkpoint-every", "SECONDS", "Length", "how often draws are forced to the disk [30]",
       [](Config& c, Text t) { c.checkpoint_every = number_from("checkpoint-every", t); }},
      {"seed", "S", "Length", "the same seed gives the same draws, whatever the threads [1]",
       [](Config& c, Text t) { c.seed = count_from("seed", t); }},
      {"threads", "T", "Length", "threads to use [one per core]",
       [](Config& c, Text t) { c.threads = at_least_one("threads", t); }},
  };
}

}  // namespace

double number_from(const std::string& name, const std::string& text) {
  double value = 0.0;
  if (!parse_all(text, value)) refuse(name, text, "must be a number");
  return value;
}

std::uint64_t count_from(const std::string& name, const std::string& text) {
  std::uint64_t value = 0;
  if (parse_all(text, value)) return value;
  double real = 0.0;  // 1e5 is a count too
  if (parse_all(text, real) && real >= 0.0 && real <= 9e15 && real == std::floor(real)) {
    return static_cast<std::uint64_t>(real);
  }
  refuse(name, text, "must be a whole number >= 0");
}

std::size_t choice_from(const std::string& name, const std::string& text,
                        const std::vector<std::string>& words) {
  const auto found = std::ranges::find(words, text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::string near = did_you_mean(text, words);
  refuse(name, text,
         fmt::format("must be {}{}", fmt::join(words, " or "),
                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

std::vector<std::string> list_from(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

const std::vector<ConfigOption>& config_options() {
  static const std::vector<ConfigOption> options = make_options();
  return options;
}

void refuse_unknown(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = did_you_mean(name, known);
  throw Error(ErrorKind::usage,
              fmt::format("unknown key '{}'{}", name,
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace lacuna
