#include "run/resume_point.hpp"

#include <stdexcept>

#include "support/bounded_json.hpp"

namespace lacuna {

using nlohmann::json;

namespace {

// After burn-in checkpoints leave out the state of the engine: it is that of the one before.
void keep_engines(const json& earlier, json& state) {
  if (!state.contains("engine")) state["engine"] = earlier.at("engine");
  if (!state.contains("tempering")) return;
  json& rungs = state["tempering"]["rungs"];
  for (std::size_t r = 1; r < rungs.size(); ++r) {
    if (!rungs[r].contains("engine"))
      rungs[r]["engine"] = earlier.at("tempering").at("rungs").at(r).at("engine");
  }
}

RunPlan plan_from(const json& j, Config config) {
  const RunPlan plan{j.at("burn-in"), j.at("gap"), j.at("draws")};
  config.burn_in = plan.burn_in;
  config.gap = plan.gap;
  config.draws = plan.draws;
  check_config(config);
  return plan;
}

RunMark mark_from(const json& j) {
  const std::string phase = j.at("phase");
  if (phase != "burn-in" && phase != "sampling") throw std::runtime_error("unknown phase");
  return {phase == "burn-in", j.at("done"),          j.at("draws"),       j.at("qualifying"),
          j.at("rounds"),     j.at("work-per-step"), j.at("work-before"), j.value("stop", false)};
}

}  // namespace

json json_of(const RunPlan& plan) {
  return {{"burn-in", plan.burn_in}, {"gap", plan.gap}, {"draws", plan.draws}};
}

json json_of(const RunMark& mark) {
  json j = {{"phase", mark.burning ? "burn-in" : "sampling"},
            {"done", mark.done},
            {"draws", mark.draws},
            {"qualifying", mark.qualifying},
            {"rounds", mark.rounds},
            {"work-per-step", mark.work_per_step},
            {"work-before", mark.work_before}};
  if (mark.stop) j["stop"] = true;
  return j;
}

ResumePoint find_resume_point(const FitReader& reader) {
  const std::size_t walkers = walkers_in_all(reader.info().config);
  ResumePoint point;
  point.offset = reader.header_end();
  point.end = reader.good_end();
  std::vector<json> states(walkers), latest(walkers);
  std::size_t gathered = 0;  // checkpoints since the last mark
  bool draws = false, ended = false;
  for (const RecordPlace& place : reader.records()) {
    draws = draws || place.type == RecordType::draws;
    if (place.type == RecordType::draws) continue;
    json content = parse_bounded_json(reader.payload(place));
    if (place.type == RecordType::checkpoint) {
      ++gathered;
      latest[place.chain] = std::move(content);
      continue;
    }
    if (content.contains("plan")) {
      point.plan = plan_from(content.at("plan"), reader.info().config);
      ended = point.finished = false;
    }
    if (content.contains("end")) ended = content.at("end").at("finished");
    if (content.contains("stopping")) {
      point.end = place.begin();
      gathered = 0;
    }
    if (!content.contains("mark")) continue;
    // Without the mark behind it the end was not written whole.
    point.finished = ended;
    if (gathered == walkers) {
      for (std::size_t w = 0; w < walkers; ++w) {
        keep_engines(states[w], latest[w]);
        states[w] = latest[w];
      }
      point.mark = mark_from(content.at("mark"));
      if (!point.mark.burning && !point.plan) throw std::runtime_error("draws without a plan");
      point.walkers = states;
      // What was written on being asked to stop is taken back.
      point.offset = point.mark.stop ? point.end : place.end();
    }
    gathered = 0;
  }
  if (draws && point.walkers.empty())
    throw std::runtime_error("it was written by a version that kept no marks");
  return point;
}

}  // namespace lacuna
