// Runs a study: makes the measurements that are missing, several at a time, and writes what came
// out.
#include "studies/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <fstream>
#include <mutex>
#include <thread>

#include "lacuna/errors.hpp"
#include "lacuna/options.hpp"

namespace lacuna {
namespace {

using namespace studies;

std::vector<Study> all_studies() {
  return {rates_study(),  oracle_study(),  coverage_study(),
          lambda_study(), authors_study(), mixing_study()};
}

// Measurements made by several workers in turn; one thread at a time talks and writes.
class Crew {
 public:
  Crew(const Study& study, const StudyOptions& options, Ledger& ledger, Observer& observer)
      : study_(study), options_(options), ledger_(ledger), observer_(observer) {}

  // Returns false if it was stopped. Rethrows what went wrong first.
  bool measure(const std::vector<Task>& tasks) {
    for (const Task& task : tasks) {
      (ledger_.holds(task.key) ? done_ : left_) += task.cost;
      if (!ledger_.holds(task.key)) missing_.push_back(&task);
    }
    // The dearest first, so that no worker is left alone with one at the end.
    std::ranges::stable_sort(missing_, std::greater{}, &Task::cost);
    total_ = tasks.size();
    began_ = std::chrono::steady_clock::now();
    if (!missing_.empty()) report();
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t workers =
        std::min(options_.threads == 0 ? cores : options_.threads, missing_.size());
    {
      std::vector<std::jthread> crew;
      for (std::size_t k = 0; k < workers; ++k) crew.emplace_back([this, k] { work(k); });
    }
    if (trouble_) std::rethrow_exception(trouble_);
    return next_ >= missing_.size() && !stopped_;
  }

 private:
  void work(std::size_t worker) {
    Workbench bench(options_.folder / fmt::format("fit-{}.lacuna", worker), listener_);
    for (std::size_t k = next_++; k < missing_.size() && !stopped_; k = next_++) {
      try {
        const Values values = missing_[k]->measure(bench);
        const std::lock_guard lock(mutex_);
        ledger_.add(missing_[k]->key, values);
        finished_cost_ += missing_[k]->cost;
        report();
      } catch (const Stopped&) {
        stopped_ = true;
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!trouble_) trouble_ = std::current_exception();
        stopped_ = true;
      }
    }
  }

  void report() {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    Progress now;
    now.phase = study_.name;
    now.fraction = (done_ + finished_cost_) / (done_ + left_);
    now.steps_done = ledger_.rows().size();
    now.steps_total = total_;
    if (finished_cost_ > 0.0)
      now.seconds_left = seconds * (left_ - finished_cost_) / finished_cost_;
    now.words = fmt::format("{} of {} measurements", ledger_.rows().size(), total_);
    observer_.progress(now);
  }

  // Workers ask whether to stop from several threads.
  class Listener : public Observer {
   public:
    explicit Listener(Crew& crew) : crew_(crew) {}
    bool stop_requested() override {
      if (crew_.observer_.stop_requested()) crew_.stopped_ = true;
      return crew_.stopped_;
    }

   private:
    Crew& crew_;
  };

  const Study& study_;
  const StudyOptions& options_;
  Ledger& ledger_;
  Observer& observer_;
  Listener listener_{*this};
  std::vector<const Task*> missing_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::size_t total_ = 0;
  double done_ = 0.0, left_ = 0.0, finished_cost_ = 0.0;
  std::chrono::steady_clock::time_point began_;
  std::mutex mutex_;
  std::exception_ptr trouble_;
};

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::cannot_create, fmt::format("{}: cannot create", path.string()));
}

}  // namespace

std::vector<StudyName> known_studies() {
  std::vector<StudyName> names;
  for (const Study& study : all_studies()) names.push_back({study.name, study.about});
  return names;
}

StudyResult run_study(const std::string& name, const StudyOptions& options, Observer& observer) {
  const std::vector<Study> known = all_studies();
  const Study& study = option_named(known, name);
  std::error_code trouble;
  std::filesystem::create_directories(options.folder, trouble);
  if (trouble) {
    throw Error(ErrorKind::cannot_create,
                fmt::format("{}: cannot create ({})", options.folder.string(), trouble.message()));
  }
  const std::vector<Task> tasks = study.plan(options);
  const std::string plan =
      fmt::format("{} seed {}", options.small ? "small" : "full", options.seed);
  Ledger ledger(options.folder / "data.csv", plan, study.keys, study.values);
  StudyResult result;
  result.finished = Crew(study, options, ledger, observer).measure(tasks);
  if (!result.finished) return result;

  const Page page = study.summarise(ledger, options);
  result.page = fmt::format("# {}\n\n{}", study.title, page.text);
  result.files = {"data.csv", "summary.md"};
  for (const auto& [file, svg] : page.pictures) {
    write_text(options.folder / file, svg);
    result.files.push_back(file);
    result.page += fmt::format("\n![{}]({})\n", study.title, file);
  }
  write_text(options.folder / "summary.md", result.page);
  return result;
}

}  // namespace lacuna
