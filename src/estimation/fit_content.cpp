#include "estimation/fit_content.hpp"

#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "lacuna/errors.hpp"
#include "network/live_network.hpp"
#include "run/fit_file.hpp"
#include "run/info_json.hpp"
#include "run/state_json.hpp"
#include "support/bounded_json.hpp"

namespace lacuna {

using nlohmann::json;

namespace {

RungSummary rung_from(const json& j) {
  const BatchMeans means = batch_means_from(j.at("risk-mean"));
  return {j.at("lambda"), means.mean(), means.standard_error()};
}

TemperingSummary tempering_from(const json& j, std::size_t rungs) {
  TemperingSummary out;
  for (const json& rung : j.at("rungs")) out.rungs.push_back(rung_from(rung));
  for (const json& count : j.at("exchanges")) {
    out.exchanges.push_back(
        {count.at("proposed"), count.at("accepted"), number_or_nan(count.at("mean-rejection"))});
  }
  out.barrier = number_or_nan(j.at("barrier"));
  out.round_trips = j.at("round-trips").get<std::vector<std::uint64_t>>();
  if (out.rungs.size() != rungs || out.exchanges.size() + 1 != rungs ||
      out.round_trips.size() != rungs) {
    throw std::runtime_error("impossible ladder");
  }
  return out;
}

}  // namespace

void Fit::Content::read_checkpoint(std::uint32_t chain, const std::string& text) {
  const json j = parse_bounded_json(text);
  ChainNotes& notes = chains[chain];
  notes.steps = j.at("iteration");
  notes.kernel = j.at("kernel").get<std::map<std::string, double>>();
  notes.tuned = j.at("tuned");
  notes.moves.clear();
  for (const auto& [name, count] : j.at("moves").items()) {
    MoveSummary move{name, count.at("proposed"), count.at("accepted"), count.at("invalid"), {}, {}};
    if (count.contains("passes")) move.passes = count.at("passes").get<std::uint64_t>();
    if (count.contains("work")) move.work = count.at("work").get<std::uint64_t>();
    notes.moves.push_back(move);
  }
  if (info.config.rungs > 1) notes.tempering = tempering_from(j.at("tempering"), info.config.rungs);
  const bool at_end_of_burn_in =
      !j.at("burning-in").get<bool>() && j.at("burn-in") == j.at("iteration");
  if (chain != 0 || !at_end_of_burn_in || end_of_burn_in) return;
  end_of_burn_in = theta_from(j.at("theta"), info.parameter_count);
  input_choice(info).to_all(end_of_burn_in->index);
}

void Fit::Content::read_note(const std::string& text) {
  const json j = parse_bounded_json(text);
  if (j.contains("plan")) {
    burn_in = j.at("plan").at("burn-in");
    gap = j.at("plan").at("gap");
  }
  if (j.contains("end")) {
    finished = j.at("end").at("finished");
    // Only in files of the first versions: a file does not depend on how long it took.
    if (j.at("end").contains("seconds")) seconds = j.at("end").at("seconds").get<double>();
  }
}

void Fit::Content::read(const std::filesystem::path& path) {
  const FitReader reader(path);
  info = reader.info();
  damage = reader.damage();
  chains.resize(walkers_in_all(info.config));
  std::vector<std::vector<RecordPlace>> records(chains.size());
  for (const RecordPlace& place : reader.records()) records[place.chain].push_back(place);
  for (const std::vector<RecordPlace>& of_chain : records) {
    for (const RecordPlace& place : of_chain) {
      if (place.type == RecordType::draws) {
        reader.for_each_draw(place, [this](const DrawView& draw) { draws.add(draw); });
        continue;
      }
      try {
        const std::string text = reader.payload(place);
        place.type == RecordType::checkpoint ? read_checkpoint(place.chain, text) : read_note(text);
      } catch (const std::exception& trouble) {
        throw Error(ErrorKind::bad_data,
                    fmt::format("{}: malformed record at byte {} ({})", path.string(), place.offset,
                                reason_of(trouble)));
      }
    }
  }
}

std::size_t Fit::Content::best_draw() const {
  std::size_t best = 0;
  const auto density = [this](std::size_t k) {
    return draws[k].log_prior - info.lambda * draws[k].risk;
  };
  for (std::size_t k = 1; k < draws.size(); ++k) {
    if (density(k) > density(best)) best = k;
  }
  return best;
}

Fit::Fit(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Fit::Fit(Fit&&) noexcept = default;
Fit& Fit::operator=(Fit&&) noexcept = default;
Fit::~Fit() = default;

Fit Fit::open(const std::filesystem::path& path) {
  auto content = std::make_unique<Content>();
  content->read(path);
  return Fit(std::move(content));
}

const FitInfo& Fit::info() const { return content_->info; }
std::uint64_t Fit::draws() const { return content_->draws.size(); }

// The store has one walker after the other; to the world their draws are those of a chain, in turn.
std::vector<std::size_t> Fit::Content::draws_in_turn() const {
  const std::size_t walkers = info.config.walkers.value_or(1);
  std::vector<std::size_t> begin(walkers_in_all(info.config) + 1, 0), order;
  order.reserve(draws.size());
  for (std::size_t k = 0; k < draws.size(); ++k) ++begin[draws[k].chain + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (std::size_t first = 0; first + walkers < begin.size(); first += walkers) {
    bool more = true;
    for (std::size_t d = 0; std::exchange(more, false); ++d) {
      for (std::size_t w = first; w < first + walkers; ++w) {
        if (begin[w] + d >= begin[w + 1]) continue;
        more = true;
        order.push_back(begin[w] + d);
      }
    }
  }
  return order;
}

void Fit::for_each_draw(const std::function<void(const DrawView&)>& visit) const {
  const std::size_t walkers = content_->info.config.walkers.value_or(1);
  for (const std::size_t k : content_->draws_in_turn()) {
    DrawView draw = content_->draws[k];
    draw.draw = draw.draw * walkers + draw.chain % walkers;
    draw.chain /= walkers;
    visit(draw);
  }
}

NetworkView Fit::best_network() const {
  if (draws() == 0) throw Error(ErrorKind::bad_data, "the fit holds no draws; run it longer");
  const SparseTheta best = content_->draws.theta(content_->best_draw());
  const Architecture architecture = content_->architecture();
  NetworkView view{architecture.inputs(), architecture.widths(), {}};
  LiveNetwork live(architecture);
  live.build(best.index);
  for (std::size_t k = 0; k < best.size(); ++k) {
    const Place at = architecture.place(best.index[k]);
    view.weights.push_back(
        {at.layer, at.destination, at.source, at.shift, best.value[k], live.slot_is_live(k)});
  }
  return view;
}

}  // namespace lacuna
