// Opening files, gzip, and text that is not text.
#include "data/text_file.hpp"

#include <unistd.h>

#include "unit/data/files.hpp"

namespace lacuna::testing {
namespace {

using Text = InFolder;

std::string read_error(const std::string& file) {
  return error_of([&] { read_dataset(file, "y", {}, MissingValues::error); });
}

std::string bytes_error(const std::string& bytes) {
  write_file("f.csv", bytes);
  return read_error("f.csv");
}

std::vector<std::string> lines_of(const std::string& bytes) {
  ByteSource source("memory", bytes);
  TextFile text(source);
  std::vector<std::string> lines;
  std::string_view line;
  while (text.next_line(line)) lines.emplace_back(line);
  EXPECT_EQ(text.line_number(), lines.size());
  return lines;
}

TEST_F(Text, WhatCannotBeOpenedIsNamed) {
  EXPECT_EQ(read_error("none.csv"), "66 none.csv: no such file");
  EXPECT_EQ(read_error("none/none.csv"), "66 none/none.csv: no such file");
  write_file("file", "");
  EXPECT_EQ(read_error("file/none.csv"), "66 file/none.csv: no such file");
  EXPECT_EQ(read_error("."), "66 .: is a folder, not a file");
  EXPECT_EQ(read_error("a\nb"), "66 a\\nb: no such file");
  std::filesystem::create_symlink("loop", "loop");
  EXPECT_EQ(read_error("loop"), "66 loop: cannot be opened (Too many levels of symbolic links)");
  if (::geteuid() != 0) {
    std::filesystem::permissions("file", std::filesystem::perms::none);
    EXPECT_EQ(read_error("file"), "66 file: cannot be opened (Permission denied)");
  }
}

TEST_F(Text, AReadErrorIsAnInputOutputError) {
  if (!std::filesystem::exists("/proc/self/mem")) GTEST_SKIP() << "needs /proc";
  EXPECT_EQ(read_error("/proc/self/mem"), "74 /proc/self/mem: cannot be read (Input/output error)");
}

TEST_F(Text, LinesEndInAnyStyle) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines_of("a\nb\r\nc\rd"), (Lines{"a", "b", "c", "d"}));
  EXPECT_EQ(lines_of("a\n\n\r\r\n\n"), (Lines{"a", "", "", "", ""}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                     "a"),
            Lines{"a"});
  EXPECT_EQ(lines_of("\xEF\xBB"
                     "\x80"),
            Lines{"\xEF\xBB\x80"})
      << "another character, no mark";
  // Line ends on both sides of every refill of the buffer.
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text;
    Lines expected;
    for (std::size_t i = 0; i < 60000; ++i) {
      expected.push_back(std::to_string(i * i));
      text += expected.back() + end;
    }
    EXPECT_EQ(lines_of(text), expected);
    EXPECT_EQ(lines_of(gzipped(text)), expected);
  }
}

TEST_F(Text, BytesThatAreNotTextAreNamed) {
  EXPECT_EQ(bytes_error(std::string("a,y\n1,2\n1,\0"
                                    "2\n",
                                    13)),
            "65 f.csv:3: byte 3 is NUL; this is not a text file");
  EXPECT_EQ(bytes_error("a,y\ncaf\xE9,2\n"),
            "65 f.csv:2: byte 4 (0xE9) is not UTF-8; save the file as UTF-8");
  EXPECT_EQ(bytes_error("\xEF\xBB\xBF"
                        "\xFF,y\n"),
            "65 f.csv:1: byte 4 (0xFF) is not UTF-8; save the file as UTF-8");
  const std::string bad[] = {"\x80",
                             "\xC0\x80",
                             "\xC1\xBF",
                             "\xC2",
                             "\xE0\x9F\xBF",
                             "\xED\xA0\x80",
                             "\xE2\x82",
                             "\xE2\x28\xA1",
                             "\xF0\x8F\xBF\xBF",
                             "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80",
                             "\xF0\x9F\x98"};
  for (const std::string& bytes : bad) {
    EXPECT_TRUE(bytes_error("a12345678" + bytes + ",y\n").starts_with("65 f.csv:1: byte 10 (0x"))
        << bytes_error("a12345678" + bytes + ",y\n");
  }
  const std::string good[] = {"\xC2\x80",         "\xDF\xBF",        "\xE0\xA0\x80",
                              "\xED\x9F\xBF",     "\xEE\x80\x80",    "\xEF\xBF\xBF",
                              "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"};
  for (const std::string& bytes : good) EXPECT_EQ(lines_of(bytes), std::vector{bytes});
}

TEST_F(Text, OverlongLinesAreRefused) {
  const std::string longest(TextFile::kLongestLine, 'a');
  EXPECT_EQ(lines_of("x\n" + longest + "\ny").size(), 3u);
  EXPECT_EQ(bytes_error("a,y\n" + longest + "b\n"), "65 f.csv:2: line over 16 MB");
  EXPECT_EQ(bytes_error("a,y\n" + longest + "b"), "65 f.csv:2: line over 16 MB");
  EXPECT_EQ(bytes_error(gzipped("a,y\n" + longest + longest)), "65 f.csv:2: line over 16 MB");
}

TEST_F(Text, GzipMayComeInMembersAndWithPadding) {
  const std::string packed = gzipped("a,y\n1,2\n") + gzipped("") + gzipped("3,4\n");
  EXPECT_EQ(lines_of(packed), (std::vector<std::string>{"a,y", "1,2", "3,4"}));
  EXPECT_EQ(lines_of(packed + std::string(1000, '\0')).size(), 3u);
  EXPECT_EQ(lines_of(gzipped("")).size(), 0u);
}

TEST_F(Text, DamagedGzipIsRefused) {
  std::string text = "a,y\n";
  for (int i = 0; i < 2000; ++i) text += std::to_string(i * 7919 % 1000) + ",2\n";
  const std::string packed = gzipped(text);
  const std::string early = "65 f.csv: damaged gzip data (it ends too early)";
  for (const std::size_t size :
       {std::size_t{2}, std::size_t{9}, packed.size() / 2, packed.size() - 1}) {
    EXPECT_EQ(bytes_error(packed.substr(0, size)), early) << size;
  }
  std::string checksum = packed;
  checksum[packed.size() - 8] = static_cast<char>(checksum[packed.size() - 8] ^ 1);
  EXPECT_EQ(bytes_error(checksum), "65 f.csv: damaged gzip data (incorrect data check)");
  EXPECT_EQ(bytes_error(packed + "more"), "65 f.csv: damaged gzip data (incorrect header check)");
  EXPECT_EQ(bytes_error(packed + std::string(3, '\0') + "more"),
            "65 f.csv: damaged gzip data (something else follows it)");
  EXPECT_EQ(bytes_error("\x1F\x8B"
                        "garbage that is no gzip"),
            "65 f.csv: damaged gzip data (unknown compression method)");
  // One flipped bit anywhere is an error or, in unused header bits, harmless; never anything else.
  for (std::size_t at = 0; at < packed.size(); at += 7) {
    std::string flipped = packed;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    const std::string answer = bytes_error(flipped);
    EXPECT_TRUE(answer == "no error" || answer.starts_with("65 f.csv")) << answer;
  }
}

TEST_F(Text, GzipHasALimit) {
  const std::string packed = gzipped(std::string(100000, '\n'));
  ByteSource source("bomb.csv.gz", packed);
  Gunzip gunzip(source, 99999);
  std::string text(1 << 20, '\0');
  EXPECT_EQ(error_of([&] {
              while (gunzip.read(text.data(), text.size()) > 0) {
              }
            }),
            "65 bomb.csv.gz: unpacks to more than 0 GiB; unpack it by hand if that is right");
}

TEST_F(Text, ForeignFormatsAreNamed) {
  EXPECT_EQ(
      bytes_error("PK\x03\x04 xl/workbook.xml"),
      "65 f.csv: a zip archive (.xlsx, .npz or .zip) cannot be read; save it as CSV in UTF-8 or "
      "as .npy");
  EXPECT_TRUE(bytes_error("\xFF\xFE"
                          "a")
                  .starts_with("65 f.csv: UTF-16 text cannot be read"));
  EXPECT_TRUE(bytes_error("PAR1").starts_with("65 f.csv: a Parquet file cannot be read"));
}

}  // namespace
}  // namespace lacuna::testing
