// Writes simulated data as CSV that reads back to the same bits.
#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "lacuna/dataset.hpp"
#include "support/output_file.hpp"

namespace lacuna {

void write_simulated_csv(const SimulatedData& simulated, const std::filesystem::path& path) {
  const Dataset& data = simulated.data;
  OutputFile file(path);
  fmt::memory_buffer line;
  const auto write_line = [&] {
    file.write(std::string_view(line.data(), line.size()));
    line.clear();
  };
  for (const std::string& name : data.input_names) {
    fmt::format_to(std::back_inserter(line), "{},", name);
  }
  fmt::format_to(std::back_inserter(line), "{},f\n", data.target_name);
  write_line();
  for (std::size_t i = 0; i < data.rows; ++i) {
    for (std::size_t j = 0; j < data.inputs; ++j) {
      fmt::format_to(std::back_inserter(line), "{},", data.x[j * data.rows + i]);
    }
    fmt::format_to(std::back_inserter(line), "{},{}\n", data.y[i], simulated.truth[i]);
    write_line();
  }
  file.close();
}

}  // namespace lacuna
