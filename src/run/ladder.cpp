#include "run/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "run/rung_placement.hpp"
#include "run/state_json.hpp"
#include "support/bounded_json.hpp"
#include "support/parallel.hpp"

namespace lacuna {
namespace {

// Rates are measured over windows of burn-in that grow by half: early ones, while points still
// settle, are soon forgotten, late ones are long enough to be trusted.
constexpr std::uint64_t first_window = 50;  // sweeps
// Two groups of the evaluator: fewer cannot be shared.
constexpr std::size_t fewest_rows_to_share = 4096;

double risk_of_zero(const Samples& samples) {
  double squares = 0.0;
  for (std::size_t i = 0; i < samples.rows(); ++i)
    squares += samples.weight(i) * samples.target()[i] * samples.target()[i];
  return squares / samples.total_weight();
}

// 1 / R_0, from where on lambda is placed on a logarithmic scale.
double reach_of(const Target& target) {
  const double zero = risk_of_zero(*target.samples);
  return zero > 0.0 ? 1.0 / zero : target.lambda;
}

}  // namespace

double ExchangeCount::mean_rejection() const {
  return proposed > 0 ? rejection / static_cast<double>(proposed)
                      : std::numeric_limits<double>::quiet_NaN();
}

Ladder::Ladder(Chain coldest, std::size_t rungs)
    : exchanges_(rungs - 1),
      trips_(rungs),
      reach_(reach_of(coldest.target())),
      sweeps_until_placement_(first_window),
      sweeps_of_window_(first_window) {
  const Target& target = coldest.target();
  rungs_.reserve(rungs);
  rungs_.push_back(std::move(coldest));
  if (rungs == 1) return;
  const std::vector<double> lambda = first_rungs(target.lambda, reach_, rungs);
  for (std::size_t r = 1; r < rungs; ++r)
    rungs_.push_back(rungs_.front().on_rung(static_cast<std::uint32_t>(r), lambda[r]));
}

Ladder::Ladder(std::uint32_t number, const Target& target, const Engine& engine, std::size_t rungs,
               const nlohmann::json& state)
    : exchanges_(rungs - 1),
      trips_(rungs),
      reach_(reach_of(target)),
      burning_(state.at("burning-in")),
      sweeps_until_placement_(first_window),
      sweeps_of_window_(first_window) {
  rungs_.reserve(rungs);
  rungs_.emplace_back(number, target, engine, state);
  if (rungs == 1) return;
  const nlohmann::json& tempering = state.at("tempering");
  for (std::size_t r = 1; r < rungs; ++r) {
    const nlohmann::json& rung = tempering.at("rungs").at(r);
    rungs_.push_back(Chain(number, target, engine, rung)
                         .on_rung(static_cast<std::uint32_t>(r),
                                  number_between(0.0, target.lambda, rung.at("lambda"))));
    if (rungs_[r].iteration() != coldest().iteration())
      throw std::runtime_error("rungs of different length");
  }
  for (std::size_t k = 0; k < exchanges_.size(); ++k) {
    const nlohmann::json& count = tempering.at("exchanges").at(k);
    exchanges_[k] = {count.at("proposed"), count.at("accepted"), count.at("invalid"),
                     count.at("rejection-sum")};
  }
  trips_ = round_trips_from(tempering.at("travels"), rungs);
  sweeps_until_placement_ = tempering.at("sweeps-until-placement");
  sweeps_of_window_ = tempering.at("sweeps-of-window");
  if (sweeps_until_placement_ == 0) throw std::runtime_error("impossible ladder");
}

void Ladder::refresh() {
  for (Chain& chain : rungs_) chain.refresh();
}

template <class Work>
void Ladder::advance(std::uint64_t steps, std::size_t threads, const Work& work) {
  if (rungs_.size() == 1) {
    const bool shared = threads > 1 && coldest().target().samples->rows() >= fewest_rows_to_share;
    if (shared && (!team_ || team_->size() != threads)) team_ = std::make_unique<Team>(threads);
    coldest().work_with(shared ? team_.get() : nullptr);
    work(coldest(), steps);
    coldest().work_with(nullptr);
    return;
  }
  while (steps > 0) {
    const std::uint64_t since = coldest().iteration() % steps_between_exchanges;
    if (since == 0) exchange_neighbours();
    const std::uint64_t part = std::min(steps, steps_between_exchanges - since);
    parallel_for(rungs_.size(), threads, [&](std::size_t r) { work(rungs_[r], part); });
    steps -= part;
  }
}

void Ladder::burn_in(std::uint64_t steps, std::size_t threads) {
  advance(steps, threads, [](Chain& chain, std::uint64_t part) { chain.burn_in(part); });
}

void Ladder::end_burn_in() {
  for (Chain& chain : rungs_) chain.end_burn_in();
  burning_ = false;
  forget_exchanges();
}

void Ladder::sample(std::uint64_t steps, std::uint64_t gap, std::size_t threads) {
  advance(steps, threads, [&](Chain& chain, std::uint64_t part) { chain.sample(part, gap); });
}

void Ladder::exchange_neighbours() {
  const std::uint64_t iteration = coldest().iteration();
  const std::size_t first = iteration / steps_between_exchanges % 2;
  for (std::size_t r = first; r + 1 < rungs_.size(); r += 2) {
    RandomStream stream = coldest().stream_of(static_cast<std::uint32_t>(r), Purpose::exchange);
    ExchangeCount& count = exchanges_[r];
    double log_ratio = 0.0;
    const Verdict verdict = rungs_[r].exchange_with(rungs_[r + 1], stream, log_ratio);
    ++count.proposed;
    count.accepted += verdict == Verdict::accepted;
    count.invalid += verdict == Verdict::invalid;
    count.rejection += std::isnan(log_ratio) ? 1.0 : 1.0 - std::exp(std::min(0.0, log_ratio));
    if (verdict == Verdict::accepted) trips_.exchanged(r);
  }
  if (burning_ && --sweeps_until_placement_ == 0) place_rungs();
}

void Ladder::place_rungs() {
  std::vector<double> lambda, rejection;
  for (const Chain& chain : rungs_) lambda.push_back(chain.lambda());
  for (const ExchangeCount& count : exchanges_) rejection.push_back(count.mean_rejection());
  const std::vector<double> placed = placed_rungs(lambda, rejection, reach_);
  for (std::size_t r = 1; r < rungs_.size(); ++r) rungs_[r].set_lambda(placed[r]);
  forget_exchanges();
  sweeps_of_window_ += sweeps_of_window_ / 2;
  sweeps_until_placement_ = sweeps_of_window_;
}

void Ladder::forget_exchanges() {
  exchanges_.assign(exchanges_.size(), {});
  trips_ = RoundTrips(rungs_.size());
}

std::string Ladder::checkpoint() const {
  nlohmann::json j = coldest().to_json();
  if (rungs_.size() == 1) return j.dump();
  nlohmann::json rungs = nlohmann::json::array(), exchanges = nlohmann::json::array();
  for (std::size_t r = 0; r < rungs_.size(); ++r) {
    const Chain& chain = rungs_[r];
    // Rung 0 is the chain itself, whose state stands outside.
    nlohmann::json rung = r == 0 ? nlohmann::json::object() : chain.to_json();
    rung["lambda"] = chain.lambda();
    rung["replica"] = trips_.replica_at()[r];
    rung["risk-mean"] = json_of(chain.risks());
    rungs.push_back(std::move(rung));
  }
  double barrier = 0.0;
  for (const ExchangeCount& count : exchanges_) {
    barrier += count.mean_rejection();
    exchanges.push_back({{"proposed", count.proposed},
                         {"accepted", count.accepted},
                         {"invalid", count.invalid},
                         {"rejection-sum", count.rejection},
                         {"mean-rejection", count.mean_rejection()}});
  }
  j["tempering"] = {{"steps-between-exchanges", steps_between_exchanges},
                    {"rungs", std::move(rungs)},
                    {"exchanges", std::move(exchanges)},
                    {"barrier", barrier},
                    {"round-trips", trips_.trips()},
                    {"travels", json_of(trips_)},
                    {"sweeps-until-placement", sweeps_until_placement_},
                    {"sweeps-of-window", sweeps_of_window_}};
  return j.dump();
}

double Ladder::work() const {
  double sum = 0.0;
  for (const Chain& rung : rungs_) sum += static_cast<double>(rung.work());
  return sum;
}

}  // namespace lacuna
