// A small data set, quick runs on it, and fit files put together by hand.
#pragma once

#define XXH_INLINE_ALL  // the tests do not link the library
#include <xxhash.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lacuna/fit.hpp"
#include "run/bytes.hpp"
#include "run/fit_file.hpp"
#include "support/random.hpp"

namespace lacuna::testing {

// y = |x1| with a little noise; the second input does not matter.
inline Dataset small_data(std::size_t rows = 24) {
  Dataset data;
  data.rows = rows;
  data.inputs = 2;
  data.input_names = {"x1", "x2"};
  data.target_name = "y";
  RandomStream stream({1, 0, 0, 0, Purpose::test});
  for (std::size_t k = 0; k < 2 * rows; ++k) data.x.push_back(stream.normal());
  for (std::size_t i = 0; i < rows; ++i) {
    data.y.push_back(std::abs(data.x[i]) + 0.1 * stream.normal());
  }
  return data;
}

inline Config quick_config() {
  Config config;
  config.widths = {3};
  config.start = StartKind::prior;
  config.lambda_rule = LambdaRule::bayes;
  config.chains = 2;
  config.burn_in = 20;
  config.gap = 2;
  config.draws = 4;
  config.threads = 1;
  return config;
}

inline bool quick_fit(const std::string& path, const Config& config = quick_config()) {
  Observer nobody;
  return fit(small_data(), config, path, "a test", nobody);
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string with_checksum(std::string bytes) {
  append_number(bytes, std::uint64_t{XXH3_64bits(bytes.data(), bytes.size())});
  return bytes;
}

inline std::string header_bytes(const std::string& json, std::uint32_t version = file_version) {
  std::string bytes(file_magic);
  append_number(bytes, version);
  append_number(bytes, std::uint32_t{0});
  append_number(bytes, std::uint64_t{json.size()});
  return with_checksum(bytes + json);
}

inline std::string record_bytes(std::uint32_t type, std::uint32_t chain,
                                const std::string& payload) {
  std::string bytes;
  append_number(bytes, type);
  append_number(bytes, chain);
  append_number(bytes, std::uint64_t{payload.size()});
  return with_checksum(bytes + payload);
}

// A draw that owns its weights.
struct OwnedDraw {
  std::size_t chain;
  std::uint64_t draw;
  double log_prior, risk;
  SparseTheta theta;

  friend bool operator==(const OwnedDraw&, const OwnedDraw&) = default;
};

inline OwnedDraw owned(const DrawView& view) {
  return {view.chain,
          view.draw,
          view.log_prior,
          view.risk,
          {{view.index.begin(), view.index.end()}, {view.value.begin(), view.value.end()}}};
}

inline std::vector<OwnedDraw> draws_of(const Fit& fit) {
  std::vector<OwnedDraw> draws;
  fit.for_each_draw([&](const DrawView& view) { draws.push_back(owned(view)); });
  return draws;
}

// In the order of the file.
inline std::vector<OwnedDraw> draws_of(const FitReader& reader) {
  std::vector<OwnedDraw> draws;
  for (const RecordPlace& place : reader.records()) {
    if (place.type != RecordType::draws) continue;
    reader.for_each_draw(place, [&](const DrawView& view) { draws.push_back(owned(view)); });
  }
  return draws;
}

}  // namespace lacuna::testing
