#include "run/state_json.hpp"

#include "support/bounded_json.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace lacuna {

using nlohmann::json;

namespace {

std::vector<double> numbers(const json& j, std::size_t count, const char* what) {
  auto values = j.get<std::vector<double>>();
  if (values.size() != count) throw std::runtime_error(std::string("impossible ") + what);
  return values;
}

std::vector<double> positive_numbers(const json& j, std::size_t count, const char* what) {
  std::vector<double> values = numbers(j, count, what);
  if (std::ranges::any_of(values, [](double v) { return !(v > 0.0 && std::isfinite(v)); }))
    throw std::runtime_error(std::string("impossible ") + what);
  return values;
}

// Strictly increasing coordinates below `parameters`.
std::vector<std::uint64_t> coordinates(const json& j, std::uint64_t parameters, const char* what) {
  auto index = j.get<std::vector<std::uint64_t>>();
  const bool ordered = std::ranges::adjacent_find(index, std::greater_equal<>()) == index.end();
  if (!ordered || (!index.empty() && index.back() >= parameters))
    throw std::runtime_error(std::string("impossible ") + what);
  return index;
}

}  // namespace

double number_or_nan(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

double number_between(double least, double most, const json& value) {
  const auto number = value.get<double>();
  if (!(number >= least && number <= most)) throw std::runtime_error("a number out of range");
  return number;
}

json json_of(const SparseTheta& theta) { return {{"index", theta.index}, {"value", theta.value}}; }

SparseTheta theta_from(const json& j, std::uint64_t parameters) {
  SparseTheta theta{coordinates(j.at("index"), parameters, "weights"), {}};
  theta.value = numbers(j.at("value"), theta.index.size(), "weights");
  if (theta.size() == 0) throw std::runtime_error("impossible weights");
  return theta;
}

json json_of(const MoveCounts& counts) {
  json moves = json::object();
  for (std::size_t m = 0; m < move_count; ++m) {
    const MoveCount& count = counts.of[m];
    if (count.proposed == 0) continue;
    moves[std::string(move_names[m])] = {{"proposed", count.proposed},
                                         {"accepted", count.accepted},
                                         {"invalid", count.invalid},
                                         {"passes", count.cost.passes},
                                         {"work", count.cost.work}};
  }
  return moves;
}

MoveCounts counts_from(const json& j) {
  MoveCounts counts;
  for (std::size_t m = 0; m < move_count; ++m) {
    const auto found = j.find(std::string(move_names[m]));
    if (found == j.end()) continue;
    counts.of[m] = {found->at("proposed"),
                    found->at("accepted"),
                    found->at("invalid"),
                    {found->at("passes"), found->at("work")}};
  }
  return counts;
}

json json_of(const BatchMeans& means) {
  return {{"count", means.count},
          {"sum", means.sum},
          {"sum-of-squares", means.squares},
          {"batch-length", means.batch_length},
          {"batch-means", means.batches},
          {"open-sum", means.open_sum}};
}

BatchMeans batch_means_from(const json& j) {
  BatchMeans means;
  means.count = j.at("count");
  means.sum = number_or_nan(j.at("sum"));
  means.squares = number_or_nan(j.at("sum-of-squares"));
  means.batch_length = j.at("batch-length");
  for (const json& batch : j.at("batch-means")) means.batches.push_back(number_or_nan(batch));
  // Files of the first versions could be read but not continued.
  if (j.contains("open-sum")) means.open_sum = number_or_nan(j.at("open-sum"));
  if (means.batch_length == 0 || means.batch_length >> 56 != 0 ||
      means.batches.size() >= BatchMeans::most_batches)
    throw std::runtime_error("impossible batch means");
  return means;
}

json json_of(const RoundTrips& trips) {
  std::vector<int> legs;
  for (const RoundTrips::Leg leg : trips.legs()) legs.push_back(static_cast<int>(leg));
  return {{"replicas", trips.replica_at()}, {"legs", legs}, {"trips", trips.trips()}};
}

RoundTrips round_trips_from(const json& j, std::size_t rungs) {
  auto replicas = j.at("replicas").get<std::vector<std::uint32_t>>();
  auto trips = j.at("trips").get<std::vector<std::uint64_t>>();
  std::vector<RoundTrips::Leg> legs;
  for (const json& leg : j.at("legs")) {
    const auto number = leg.get<std::uint32_t>();
    if (number > 2) throw std::runtime_error("impossible ladder");
    legs.push_back(static_cast<RoundTrips::Leg>(number));
  }
  std::vector<std::uint32_t> sorted = replicas;
  std::ranges::sort(sorted);
  for (std::size_t r = 0; r < sorted.size(); ++r) {
    if (sorted[r] != r) throw std::runtime_error("impossible ladder");
  }
  if (replicas.size() != rungs || trips.size() != rungs || legs.size() != rungs)
    throw std::runtime_error("impossible ladder");
  return {std::move(replicas), std::move(legs), std::move(trips)};
}

json json_of(const CurvatureTable& table) {
  return {{"index", table.index}, {"ratio", table.ratio}, {"layer-ratio", table.layer_ratio}};
}

std::shared_ptr<const CurvatureTable> table_from(const json& j, const Architecture& architecture) {
  auto table = std::make_shared<CurvatureTable>();
  table->index = coordinates(j.at("index"), architecture.parameter_count(), "curvatures");
  table->ratio = positive_numbers(j.at("ratio"), table->index.size(), "curvatures");
  for (std::size_t l = 1; l <= architecture.layers(); ++l)
    table->layer_begin.push_back(architecture.first_index(l));
  table->layer_ratio = positive_numbers(j.at("layer-ratio"), architecture.layers(), "curvatures");
  return table;
}

json json_of(const CurvatureLearner& learner) {
  const CurvatureLearner::Memory memory = learner.memory();
  return {{"index", memory.index},
          {"mean", memory.mean},
          {"count", memory.count},
          {"layer-mean", memory.layer_mean},
          {"layer-count", memory.layer_count}};
}

void restore(CurvatureLearner& learner, const json& j, const Architecture& architecture) {
  CurvatureLearner::Memory memory;
  memory.index = coordinates(j.at("index"), architecture.parameter_count(), "curvatures");
  memory.mean = positive_numbers(j.at("mean"), memory.index.size(), "curvatures");
  memory.count = positive_numbers(j.at("count"), memory.index.size(), "curvatures");
  memory.layer_mean = numbers(j.at("layer-mean"), architecture.layers(), "curvatures");
  memory.layer_count = numbers(j.at("layer-count"), architecture.layers(), "curvatures");
  learner.restore(memory);
}

json json_of(const StepSizeTuner& tuner) {
  return {{"log-size", tuner.memory().log_size}, {"steps", tuner.memory().steps}};
}

void restore(StepSizeTuner& tuner, const json& j) {
  tuner.restore({number_between(-30.0, 300.0, j.at("log-size")), j.at("steps")});
}

}  // namespace lacuna
