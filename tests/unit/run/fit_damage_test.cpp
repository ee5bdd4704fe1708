// Fit files that are cut, damaged or crafted: refused with a sentence or read up to the damage,
// never wrong.
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <functional>

#include "unit/data/files.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

using nlohmann::json;

class DamagedFit : public InFolder {
 protected:
  DamagedFit() {
    quick_fit("good.lacuna");
    good_ = bytes_of("good.lacuna");
    const FitReader reader("good.lacuna");
    draws_ = draws_of(reader);
    header_ = reader.records().front().offset - 16;
    for (const RecordPlace& place : reader.records()) {
      ends_.push_back(place.offset + place.length + 8);
      draws_before_.push_back(draws_before_.back() + (place.type == RecordType::draws ? 4 : 0));
    }
  }

  // The sentence with which the file is refused, or "no error".
  std::string refusal(const std::string& bytes) {
    write_file("x.lacuna", bytes);
    return error_of([] { Fit::open("x.lacuna").summary(); });
  }

  std::string info() const { return good_.substr(24, header_ - 32); }

  // How a file with this header and these records is refused.
  std::string with_header(const std::function<void(json&)>& change) {
    json j = json::parse(info());
    change(j);
    return refusal(header_bytes(j.dump()));
  }
  std::string with_record(const std::string& record) {
    return refusal(good_.substr(0, header_) + record);
  }

  std::string good_;
  std::vector<OwnedDraw> draws_;  // in the order of the file
  std::size_t header_;            // its length
  std::vector<std::size_t> ends_;
  std::vector<std::size_t> draws_before_ = {0};  // draws in the first k records
};

TEST_F(DamagedFit, EveryByteIsCovered) {
  ASSERT_EQ(ends_.back(), good_.size());
  ASSERT_EQ(draws_before_.back(), draws_.size());
  write_file("x.lacuna", good_);
  std::fstream file("x.lacuna", std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char byte) {
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte).flush();
  };
  for (const unsigned flip : {0x01u, 0xFFu}) {
    for (std::size_t at = 0; at < good_.size(); ++at) {
      if (at > 0) put(at - 1, good_[at - 1]);
      put(at, static_cast<char>(static_cast<unsigned char>(good_[at]) ^ flip));
      if (at < header_) {
        ASSERT_EQ(error_of([] { FitReader("x.lacuna"); }).substr(0, 13), "65 x.lacuna: ") << at;
        continue;
      }
      std::size_t whole = 0;
      while (ends_[whole] <= at) ++whole;
      const FitReader reader("x.lacuna");
      ASSERT_EQ(reader.records().size(), whole) << at;
      ASSERT_NE(reader.damage(), "") << at;
      const std::vector<OwnedDraw> left = draws_of(reader);
      ASSERT_EQ(left.size(), draws_before_[whole]) << at;
      ASSERT_TRUE(std::equal(left.begin(), left.end(), draws_.begin())) << at;
    }
    put(good_.size() - 1, good_.back());
  }
}

TEST_F(DamagedFit, CutAtAnyLengthItKeepsTheWholeRecordsBefore) {
  write_file("x.lacuna", good_);
  for (std::size_t length = good_.size(); length-- > 0;) {
    std::filesystem::resize_file("x.lacuna", length);
    if (length < header_) {
      ASSERT_EQ(error_of([] { FitReader("x.lacuna"); }),
                length == 0 ? "65 x.lacuna: not a lacuna file"
                            : "65 x.lacuna: cut off inside the header; nothing can be recovered");
      continue;
    }
    std::size_t whole = 0;
    while (ends_[whole] <= length) ++whole;
    const FitReader reader("x.lacuna");
    ASSERT_EQ(reader.records().size(), whole) << length;
    const bool between = length == header_ || (whole > 0 && ends_[whole - 1] == length);
    ASSERT_EQ(reader.damage().empty(), between) << length;
    const std::vector<OwnedDraw> left = draws_of(reader);
    ASSERT_EQ(left.size(), draws_before_[whole]) << length;
    ASSERT_TRUE(std::equal(left.begin(), left.end(), draws_.begin())) << length;
    // Only the last note comes after the one that says how the run ended.
    if (between && whole + 2 < ends_.size()) {
      EXPECT_EQ(Fit::open("x.lacuna").summary().notes,
                std::vector<std::string>{"the run did not come to its planned end"});
    }
  }
}

TEST_F(DamagedFit, FilesThatCannotBeReadSayWhy) {
  const FitReader reader("good.lacuna");
  std::filesystem::resize_file("good.lacuna", 10);
  const RecordPlace& first = reader.records().front();
  EXPECT_EQ(error_of([&] { reader.payload(first); }),
            "74 good.lacuna: cannot read at byte " + std::to_string(first.offset));

  std::filesystem::permissions("good.lacuna", std::filesystem::perms::none);
  std::filesystem::permissions(".", std::filesystem::perms::all);
  const uid_t me = geteuid();
  const auto become = [&](uid_t who) { return me != 0 || seteuid(who) == 0; };
  ASSERT_TRUE(become(65534));  // root may read anything
  const std::string told = error_of([] { FitReader("good.lacuna"); });
  ASSERT_TRUE(become(0));
  EXPECT_EQ(told, "74 good.lacuna: cannot read (Permission denied)");
}

TEST_F(DamagedFit, ABrokenHeaderIsNoRunToGoOnWith) {
  EXPECT_FALSE(can_go_on("nowhere.lacuna"));
  EXPECT_FALSE(ends_inside_the_header("."));
  for (std::size_t length = 0; length < header_; ++length) {
    write_file("x.lacuna", good_.substr(0, length));
    ASSERT_FALSE(can_go_on("x.lacuna")) << length;
  }
  for (const std::string& bytes : {good_, good_.substr(0, header_), std::string("a,b\n1,2\n"),
                                   header_bytes("{}"), header_bytes(info(), 2).substr(0, 30)}) {
    write_file("x.lacuna", bytes);
    EXPECT_TRUE(can_go_on("x.lacuna"));
  }
}

TEST_F(DamagedFit, DrawsAreCountedWithoutBeingRead) {
  EXPECT_EQ(count_draws("good.lacuna"), draws_.size());
  Fit first = Fit::open("good.lacuna"), second = std::move(first);
  first = std::move(second);
  EXPECT_EQ(first.draws(), draws_.size());
  write_file("x.lacuna", good_.substr(0, header_) + record_bytes(1, 0, std::string(15, 'x')));
  EXPECT_TRUE(
      error_of([] { count_draws("x.lacuna"); }).starts_with("65 x.lacuna: malformed record"));
}

TEST_F(DamagedFit, BytesAfterTheEndAreNoted) {
  write_file("x.lacuna", good_ + "rubbish");
  const Summary summary = Fit::open("x.lacuna").summary();
  EXPECT_TRUE(summary.finished);
  ASSERT_EQ(summary.notes.size(), 1u);
  EXPECT_EQ(summary.notes[0], "x.lacuna: cut off at byte " + std::to_string(good_.size()) + " of " +
                                  std::to_string(good_.size() + 7) + "; " +
                                  std::to_string(ends_.size()) + " records before it are good");
}

TEST_F(DamagedFit, UnknownRecordsEndTheStream) {
  const std::string payload(16, '\0');
  for (const auto& [record, why] : std::vector<std::pair<std::string, std::string>>{
           {record_bytes(1, 2, payload), "record of an unknown chain"},
           {record_bytes(1, 0xFFFFFFFF, payload), "record of an unknown chain"},
           {record_bytes(0, 0, payload), "record of an unknown kind"},
           {record_bytes(4, 0, payload), "record of an unknown kind"}}) {
    write_file("x.lacuna", good_ + record);
    const FitReader reader("x.lacuna");
    EXPECT_EQ(draws_of(reader), draws_);
    EXPECT_NE(reader.damage().find(why), std::string::npos) << reader.damage();
  }
}

TEST_F(DamagedFit, CraftedFrameLengthsAreNotBelieved) {
  for (const std::uint64_t length : {std::uint64_t{1} << 62, ~std::uint64_t{0},
                                     ~std::uint64_t{0} - 23, std::uint64_t{1} << 40}) {
    std::string frame;
    append_number(frame, std::uint32_t{1});
    append_number(frame, std::uint32_t{0});
    append_number(frame, length);
    write_file("x.lacuna", good_ + with_checksum(frame) + std::string(100, 'x'));
    EXPECT_EQ(draws_of(FitReader("x.lacuna")), draws_);
    std::string header(file_magic);
    append_number(header, std::uint32_t{1});
    append_number(header, std::uint32_t{0});
    append_number(header, length);
    EXPECT_EQ(refusal(header + good_).substr(0, 29), "65 x.lacuna: damaged header (");
  }
}

TEST_F(DamagedFit, ImpossibleDrawsAreRefused) {
  const auto payload = [](std::uint64_t count, std::uint64_t size,
                          const std::vector<std::uint64_t>& index,
                          const std::vector<double>& value) {
    std::string bytes;
    append_number(bytes, std::uint64_t{0});
    append_number(bytes, count);
    append_number(bytes, -1.0);
    append_number(bytes, 2.0);
    append_number(bytes, size);
    append_numbers<std::uint64_t>(bytes, index);
    append_numbers<double>(bytes, value);
    return record_bytes(1, 0, bytes);
  };
  const std::uint64_t huge = std::uint64_t{1} << 61;
  const std::string refused =
      "65 x.lacuna: impossible draw in the record at byte " + std::to_string(header_ + 16);
  EXPECT_EQ(with_record(payload(1, 2, {0, 1}, {1, 2})), "no error");
  EXPECT_EQ(with_record(payload(1, huge, {}, {})), refused);
  EXPECT_EQ(with_record(payload(1, huge + 1, {0, 1}, {1, 2})), refused);
  EXPECT_EQ(with_record(payload(1, ~std::uint64_t{0}, {0, 1}, {1, 2})), refused);
  EXPECT_EQ(with_record(payload(2, 2, {0, 1}, {1, 2})), refused);
  EXPECT_EQ(with_record(payload(~std::uint64_t{0}, 2, {0, 1}, {1, 2})), refused);
  EXPECT_EQ(with_record(payload(1, 2, {0, 1}, {1})), refused);
  EXPECT_EQ(with_record(payload(1, 2, {1, 0}, {1, 2})), refused);
  EXPECT_EQ(with_record(payload(1, 2, {1, 1}, {1, 2})), refused);
  EXPECT_EQ(with_record(payload(1, 2, {0, 13}, {1, 2})), refused);
  EXPECT_EQ(with_record(payload(1, 2, {0, ~std::uint64_t{0}}, {1, 2})), refused);
}

TEST_F(DamagedFit, MalformedCheckpointsAndNotesAreRefused) {
  const auto refused = [&](std::uint32_t type, const std::string& text) {
    return with_record(record_bytes(type, 0, text))
        .starts_with("65 x.lacuna: malformed record at byte ");
  };
  for (const std::uint32_t type : {2u, 3u}) {
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("\xff\xfe"), std::string(100'000, '['),
          std::string("{\"a\":") + std::string(100'000, '[')}) {
      EXPECT_TRUE(refused(type, text)) << type << " " << text.substr(0, 20);
    }
  }
  for (const std::string text : {"[]", "{}", "null", R"({"iteration": "many"})"}) {
    EXPECT_TRUE(refused(2, text)) << text;
  }
  for (const std::string text :
       {R"({"plan": 3})", R"({"plan": {}})", R"({"end": {"finished": 1, "seconds": "x"}})"}) {
    EXPECT_TRUE(refused(3, text)) << text;
  }
}

TEST_F(DamagedFit, ImpossibleHeadersAreRefused) {
  EXPECT_EQ(with_header([](json&) {}), "no error");
  const std::vector<std::function<void(json&)>> changes = {
      [](json& j) { j = json::array(); },
      [](json& j) { j.erase("config"); },
      [](json& j) { j["config"].erase("widths"); },
      [](json& j) { j["config"]["widths"] = {4}; },
      [](json& j) { j["config"]["widths"] = json::array(); },
      [](json& j) {
        j["config"]["widths"] = {std::uint64_t{1} << 62, std::uint64_t{1} << 62};
      },
      [](json& j) { j["config"]["widths"] = {-1}; },
      [](json& j) { j["config"]["widths"] = "wide"; },
      [](json& j) { j["config"]["chains"] = std::uint64_t{1} << 62; },
      [](json& j) { j["config"]["chains"] = -1; },
      [](json& j) { j["config"]["walkers"] = 0; },
      [](json& j) { j["config"]["walkers"] = std::uint64_t{1} << 40; },
      [](json& j) { j["config"]["bound"] = 0.0; },
      [](json& j) { j["config"]["base"] = nullptr; },
      [](json& j) { j["parameters"] = 14; },
      [](json& j) { j["network-inputs"] = {0}; },
      [](json& j) {
        j["network-inputs"] = {1, 0};
      },
      [](json& j) { j["network-inputs"] = "x1"; },
      [](json& j) { j["lambda"] = nullptr; },
      [](json& j) { j["data"]["inputs"] = json::array(); },
      [](json& j) { j["data"]["inputs"].push_back("x3"); },
      [](json& j) { j["scaling"]["input-shift"] = {0.0}; },
  };
  for (std::size_t k = 0; k < changes.size(); ++k) {
    EXPECT_EQ(with_header(changes[k]).substr(0, 29), "65 x.lacuna: damaged header (") << k;
  }
  for (const std::string& text : {std::string(1'000'000, '['), std::string("{}"), std::string()}) {
    EXPECT_EQ(refusal(header_bytes(text)).substr(0, 29), "65 x.lacuna: damaged header (");
  }
  EXPECT_EQ(
      refusal(header_bytes(info(), 2)),
      "65 x.lacuna: written in format 2, this version of lacuna reads up to 1; please update");
}

}  // namespace
}  // namespace lacuna::testing
