#include "cli/training_data.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "lacuna/errors.hpp"

namespace lacuna::cli {

Dataset training_data(const std::string& file, const FitInfo& info, const std::string& given) {
  std::filesystem::path path = given.empty() ? info.data_path : given;
  if (path.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: does not say where its data are; give --data DATA.csv", file));
  }
  if (!std::filesystem::exists(path) && path.is_relative()) {
    const std::filesystem::path beside = std::filesystem::path(file).parent_path() / path;
    if (std::filesystem::exists(beside)) path = beside;
  }
  if (!std::filesystem::exists(path)) {
    throw Error(ErrorKind::no_input,
                fmt::format("{}: no such file; if the data of {} lie elsewhere now, give --data",
                            path.string(), file));
  }
  return read_dataset(path, info.target_name, info.ignored, info.missing, info.weight_name);
}

}  // namespace lacuna::cli
