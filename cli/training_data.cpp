#include "cli/training_data.hpp"

#include <fmt/format.h>

#include "lacuna/errors.hpp"

namespace lacuna::cli {

namespace fs = std::filesystem;

fs::path training_path(const std::string& file, const FitInfo& info, const std::string& given) {
  const fs::path path = given.empty() ? info.data_path : given;
  if (path.empty() || fs::exists(path) || !path.is_relative()) return path;
  const fs::path beside = fs::path(file).parent_path() / path;
  return fs::exists(beside) ? beside : path;
}

Dataset read_training_data(const std::string& file, const FitInfo& info, const std::string& given) {
  const fs::path path = training_path(file, info, given);
  if (path.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: does not say where its data are; give --data DATA.csv", file));
  }
  if (!fs::exists(path)) {
    throw Error(ErrorKind::no_input,
                fmt::format("{}: no such file; if the data of {} lie elsewhere now, give --data",
                            path.string(), file));
  }
  return read_dataset(path, info.target_name, info.ignored, info.missing, info.weight_name);
}

}  // namespace lacuna::cli
