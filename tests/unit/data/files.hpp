// What the data tests share: files in a temporary folder, gzip, and errors caught as text.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "lacuna/dataset.hpp"
#include "lacuna/errors.hpp"

namespace lacuna::testing {

// A folder of its own for each test; it is the working folder, so that messages show bare file
// names.
class InFolder : public ::testing::Test {
 protected:
  InFolder() : before_(std::filesystem::current_path()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "lacuna-data-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    std::filesystem::current_path(folder_);
  }
  ~InFolder() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path before_, folder_;
};

inline void write_file(const std::string& name, const std::string& bytes) {
  std::ofstream(name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// "65 sentence" for the Error that `action` throws, or "no error".
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::to_string(error.exit_code()) + " " + error.what();
  }
  return "no error";
}

inline std::vector<std::size_t> all_columns(const std::vector<std::string>& header) {
  std::vector<std::size_t> positions(header.size());
  for (std::size_t j = 0; j < positions.size(); ++j) positions[j] = j;
  return positions;
}

inline Table read_all(const std::string& file, MissingValues missing = MissingValues::error) {
  return read_table(file, missing, all_columns);
}

// Writes `text` as train.csv and reads it as training data with target y.
inline Dataset fit_data(const std::string& text, MissingValues missing = MissingValues::error) {
  write_file("train.csv", text);
  return read_dataset("train.csv", "y", {}, missing);
}

inline std::string fit_error(const std::string& text,
                             MissingValues missing = MissingValues::error) {
  return error_of([&] { fit_data(text, missing); });
}

}  // namespace lacuna::testing
