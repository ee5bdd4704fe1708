// What reproduces the paper and checks its theorems by simulation: each study is a list of
// measurements, a table of results that can be continued, and a page that sums them up.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lacuna/sinks.hpp"

namespace lacuna {

struct StudyName {
  std::string name, about;
};
std::vector<StudyName> known_studies();

struct StudyOptions {
  std::filesystem::path folder;  // made where missing
  bool small = false;            // a look in two minutes rather than a measurement
  std::uint64_t seed = 1;
  std::size_t threads = 0;  // measurements at a time; 0: one per core
};

struct StudyResult {
  bool finished = false;           // false: stopped, and the same call goes on
  std::string page;                // Markdown, also in the folder
  std::vector<std::string> files;  // that were written, without the folder
};

// Makes the measurements that the folder does not hold yet and writes data.csv, pictures and
// summary.md there. Throws Error(usage) for an unknown name, and for a folder with results of
// another plan.
StudyResult run_study(const std::string& name, const StudyOptions& options, Observer& observer);

}  // namespace lacuna
