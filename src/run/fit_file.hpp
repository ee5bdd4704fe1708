// The .lacuna file: a header and an append-only stream of checksummed records. docs/file-format.md
// has every byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/fit.hpp"
#include "network/sparse_theta.hpp"
#include "support/output_file.hpp"

namespace lacuna {

inline constexpr std::string_view file_magic{"\x89LACUNA\n", 8};
inline constexpr std::uint32_t file_version = 1;

enum class RecordType : std::uint32_t { draws = 1, checkpoint = 2, note = 3 };

// Draws of one chain, gathered until they become a record.
struct DrawBlock {
  std::uint64_t first = 0;  // number of the first draw
  std::uint64_t count = 0;
  std::string bytes;

  void add(const SparseTheta& theta, double log_prior, double risk);
  void clear(std::uint64_t next);
};

class FitWriter {
 public:
  FitWriter(const std::filesystem::path& path, const FitInfo& info);
  // Goes on with a file; see OutputFile.
  FitWriter(const std::filesystem::path& path, std::uint64_t from, std::uint64_t end)
      : file_(path, from, end) {}

  void write_draws(std::uint32_t chain, const DrawBlock& block);
  void write_json(RecordType type, std::uint32_t chain, const std::string& json);
  void flush() { file_.flush(); }
  void sync() { file_.sync(); }
  void close() { file_.close(); }

 private:
  void write_record(RecordType type, std::uint32_t chain, std::string_view payload);

  OutputFile file_;
};

struct RecordPlace {
  RecordType type;
  std::uint32_t chain;
  std::uint64_t offset;  // of the payload
  std::uint64_t length;

  std::uint64_t begin() const { return offset - 16; }  // of the whole record
  std::uint64_t end() const { return offset + length + 8; }
};

// Whether `path` holds less than a header: a run that wrote it ended before its first record.
bool ends_inside_the_header(const std::filesystem::path& path);

// Reads a file that may come from anywhere: every size is checked against the file's length before
// it is used, every record against its checksum. The first bad record ends the stream; what came
// before it is good.
class FitReader {
 public:
  explicit FitReader(const std::filesystem::path& path);

  const FitInfo& info() const { return info_; }
  const std::vector<RecordPlace>& records() const { return records_; }
  std::string payload(const RecordPlace& place) const;
  // Calls visit for each draw of a record of type draws, a point of the network over all inputs.
  void for_each_draw(const RecordPlace& place,
                     const std::function<void(const DrawView&)>& visit) const;
  std::uint64_t draw_count(const RecordPlace& place) const;  // of a record of type draws
  const std::string& damage() const { return damage_; }      // empty if the file is whole
  std::uint64_t header_end() const { return header_end_; }
  // Where the last good record ends.
  std::uint64_t good_end() const { return records_.empty() ? header_end_ : records_.back().end(); }

 private:
  std::string bytes_at(std::uint64_t offset, std::uint64_t length) const;
  [[noreturn]] void refuse(const std::string& why) const;
  std::uint64_t read_header();
  void index_records(std::uint64_t offset);

  std::filesystem::path path_;
  mutable std::ifstream file_;
  std::uint64_t length_ = 0, header_end_ = 0;
  FitInfo info_;
  std::vector<RecordPlace> records_;
  std::string damage_;
};

}  // namespace lacuna
