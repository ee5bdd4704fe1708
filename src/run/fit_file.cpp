#include "run/fit_file.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lacuna/errors.hpp"
#include "run/bytes.hpp"
#include "run/info_json.hpp"
#include "support/bounded_json.hpp"

namespace lacuna {
namespace {

constexpr std::uint64_t header_start = 24;  // magic, version, reserved, length of the text
constexpr std::uint64_t largest_header = 64 << 20;
constexpr std::size_t frame_size = 16;  // type, chain, length
constexpr std::size_t checksum_size = 8;

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace

void DrawBlock::add(const SparseTheta& theta, double log_prior, double risk) {
  append_number(bytes, log_prior);
  append_number(bytes, risk);
  append_number(bytes, static_cast<std::uint64_t>(theta.size()));
  append_numbers<std::uint64_t>(bytes, theta.index);
  append_numbers<double>(bytes, theta.value);
  ++count;
}

void DrawBlock::clear(std::uint64_t next) {
  first = next;
  count = 0;
  bytes.clear();
}

FitWriter::FitWriter(const std::filesystem::path& path, const FitInfo& info) : file_(path) {
  const std::string json = info_to_json(info);
  std::string bytes(file_magic);
  append_number(bytes, file_version);
  append_number(bytes, std::uint32_t{0});
  append_number(bytes, static_cast<std::uint64_t>(json.size()));
  bytes += json;
  append_number(bytes, checksum(bytes));
  file_.write(bytes);
  file_.sync();
  file_.sync_folder();
}

void FitWriter::write_record(RecordType type, std::uint32_t chain, std::string_view payload) {
  std::string bytes;
  bytes.reserve(frame_size + payload.size() + checksum_size);
  append_number(bytes, static_cast<std::uint32_t>(type));
  append_number(bytes, chain);
  append_number(bytes, static_cast<std::uint64_t>(payload.size()));
  bytes += payload;
  append_number(bytes, checksum(bytes));
  file_.write(bytes);
}

void FitWriter::write_draws(std::uint32_t chain, const DrawBlock& block) {
  std::string payload;
  payload.reserve(block.bytes.size() + 16);
  append_number(payload, block.first);
  append_number(payload, block.count);
  payload += block.bytes;
  write_record(RecordType::draws, chain, payload);
}

void FitWriter::write_json(RecordType type, std::uint32_t chain, const std::string& json) {
  write_record(type, chain, json);
}

bool ends_inside_the_header(const std::filesystem::path& path) {
  std::error_code trouble;
  if (!std::filesystem::is_regular_file(path, trouble)) return false;
  const std::uint64_t length = std::filesystem::file_size(path, trouble);
  std::string start(std::min(length, header_start), '\0');
  std::ifstream file(path, std::ios::binary);
  if (trouble || !file.read(start.data(), static_cast<std::streamsize>(start.size()))) return false;
  if (!start.starts_with(file_magic.substr(0, start.size()))) return false;
  if (start.size() < header_start) return true;
  ByteReader reader(std::string_view(start).substr(file_magic.size()));
  const bool known = reader.number<std::uint64_t>() == file_version;  // the reserved bytes are 0
  const std::uint64_t size = *reader.number<std::uint64_t>();
  return known && size <= largest_header && length < header_start + size + checksum_size;
}

FitReader::FitReader(const std::filesystem::path& path) : path_(path) {
  std::error_code trouble;
  if (!std::filesystem::exists(path, trouble)) {
    throw Error(ErrorKind::no_input, fmt::format("{}: no such file", path.string()));
  }
  if (!std::filesystem::is_regular_file(path, trouble)) refuse("not a regular file");
  file_.open(path, std::ios::binary);
  length_ = std::filesystem::file_size(path, trouble);
  if (!file_ || trouble) {
    throw Error(ErrorKind::io,
                fmt::format("{}: cannot read ({})", path.string(), std::strerror(errno)));
  }
  header_end_ = read_header();
  index_records(header_end_);
}

void FitReader::refuse(const std::string& why) const {
  throw Error(ErrorKind::bad_data, fmt::format("{}: {}", path_.string(), why));
}

std::string FitReader::bytes_at(std::uint64_t offset, std::uint64_t length) const {
  std::string bytes(length, '\0');
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  file_.read(bytes.data(), static_cast<std::streamsize>(length));
  if (!file_)
    throw Error(ErrorKind::io, fmt::format("{}: cannot read at byte {}", path_.string(), offset));
  return bytes;
}

std::uint64_t FitReader::read_header() {
  constexpr std::uint64_t fixed = header_start;
  const std::string start = bytes_at(0, std::min(length_, fixed));
  if (!start.starts_with(file_magic.substr(0, std::min(start.size(), file_magic.size()))) ||
      start.empty()) {
    refuse("not a lacuna file");
  }
  if (length_ < fixed) refuse("cut off inside the header; nothing can be recovered");
  ByteReader reader(std::string_view(start).substr(file_magic.size()));
  const std::uint32_t version = *reader.number<std::uint32_t>();
  reader.number<std::uint32_t>();
  const std::uint64_t size = *reader.number<std::uint64_t>();
  if (version > file_version) {
    refuse(fmt::format("written in format {}, this version of lacuna reads up to {}; please update",
                       version, file_version));
  }
  if (version == 0) refuse("damaged header (format 0)");
  if (size > largest_header) refuse(fmt::format("damaged header ({} bytes claimed)", size));
  if (length_ < fixed + checksum_size || size > length_ - fixed - checksum_size) {
    refuse("cut off inside the header; nothing can be recovered");
  }
  const std::string header = bytes_at(0, fixed + size + checksum_size);
  const std::string_view covered = std::string_view(header).substr(0, fixed + size);
  if (*ByteReader(std::string_view(header).substr(fixed + size)).number<std::uint64_t>() !=
      checksum(covered)) {
    refuse("damaged header (checksum differs); nothing can be recovered");
  }
  try {
    info_ = info_from_json(covered.substr(fixed));
  } catch (const std::exception& trouble) {
    refuse(fmt::format("damaged header ({})", reason_of(trouble)));
  }
  return header.size();
}

void FitReader::index_records(std::uint64_t offset) {
  while (offset < length_) {
    const auto stop = [&](const char* why) {
      damage_ = fmt::format("{}: {} at byte {} of {}; {} records before it are good",
                            path_.string(), why, offset, length_, records_.size());
    };
    if (length_ - offset < frame_size + checksum_size) return stop("cut off");
    const std::string frame = bytes_at(offset, frame_size);
    ByteReader reader(frame);
    const std::uint32_t type = *reader.number<std::uint32_t>();
    const std::uint32_t chain = *reader.number<std::uint32_t>();
    const std::uint64_t size = *reader.number<std::uint64_t>();
    if (size > length_ - offset - frame_size - checksum_size) return stop("cut off");
    const std::string record = bytes_at(offset, frame_size + size + checksum_size);
    const std::string_view covered = std::string_view(record).substr(0, frame_size + size);
    if (*ByteReader(std::string_view(record).substr(frame_size + size)).number<std::uint64_t>() !=
        checksum(covered)) {
      return stop("damaged record");
    }
    if (chain >= walkers_in_all(info_.config)) return stop("record of an unknown chain");
    if (type < 1 || type > 3) return stop("record of an unknown kind");
    records_.push_back({static_cast<RecordType>(type), chain, offset + frame_size, size});
    offset += record.size();
  }
}

std::string FitReader::payload(const RecordPlace& place) const {
  return bytes_at(place.offset, place.length);
}

std::uint64_t FitReader::draw_count(const RecordPlace& place) const {
  const std::string start = bytes_at(place.offset, std::min<std::uint64_t>(place.length, 16));
  ByteReader reader(start);
  reader.number<std::uint64_t>();
  const auto count = reader.number<std::uint64_t>();
  if (!count) refuse(fmt::format("malformed record at byte {}", place.offset));
  return *count;
}

void FitReader::for_each_draw(const RecordPlace& place,
                              const std::function<void(const DrawView&)>& visit) const {
  const std::string bytes = payload(place);
  ByteReader reader(bytes);
  const auto first = reader.number<std::uint64_t>(), count = reader.number<std::uint64_t>();
  const InputChoice inputs = input_choice(info_);
  SparseTheta theta;
  for (std::uint64_t k = 0; first && count && k < *count; ++k) {
    const auto log_prior = reader.number<double>(), risk = reader.number<double>();
    const auto size = reader.number<std::uint64_t>();
    if (!size || *size == 0 || !reader.numbers(*size, theta.index) ||
        !reader.numbers(*size, theta.value) ||
        std::ranges::adjacent_find(theta.index, std::greater_equal<>()) != theta.index.end() ||
        theta.index.back() >= info_.parameter_count) {
      refuse(fmt::format("impossible draw in the record at byte {}", place.offset));
    }
    inputs.to_all(theta.index);
    visit({place.chain, *first + k, *log_prior, *risk, theta.index, theta.value});
  }
  if (!count || reader.left() > 0) {
    refuse(fmt::format("malformed record at byte {}", place.offset));
  }
}

}  // namespace lacuna
